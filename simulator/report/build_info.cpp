// SPDX-License-Identifier: MIT
//
// The only file that the build's own macros reach.
#include "simulator/report/build_info.hpp"

#ifndef WT_VERSION
#define WT_VERSION "0.0.0"
#endif
#ifndef WT_BUILD_TYPE
#define WT_BUILD_TYPE ""
#endif

namespace wt::sim {

// In a source file that the build writes (cmake/write_commit.cmake).
const char* built_commit();

BuildInfo build_info() {
    BuildInfo info{.version = WT_VERSION, .commit = built_commit(), .options = WT_BUILD_TYPE};
#if defined(__clang__)
    info.compiler = "clang-" + std::to_string(__clang_major__);
#elif defined(__GNUC__)
    info.compiler = "gcc-" + std::to_string(__GNUC__);
#endif
    return info;
}

std::string version_line() {
    const BuildInfo info = build_info();
    return "wavetank " + info.version + " " + info.commit + " " + info.compiler;
}

}  // namespace wt::sim
