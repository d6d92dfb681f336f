// SPDX-License-Identifier: MIT
//
// Which build this is: version, commit, compiler. Printed beside results, never part of them.
#pragma once

#include <string>

namespace wt::sim {

struct BuildInfo {
    std::string version{};
    std::string commit{};    // Short, or "unknown".
    std::string compiler{};  // "gcc-12"
    std::string options{};   // The CMake build type.
};
[[nodiscard]] BuildInfo build_info();
// "wavetank 0.1.0 7f3c2a1 gcc-12"
[[nodiscard]] std::string version_line();

}  // namespace wt::sim
