// SPDX-License-Identifier: MIT
//
// The command line of wavetank-viewer as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wt::viewer {

struct AppOptions {
    std::string file{};      // A trace or a scenario; empty: the start screen.
    std::string compared{};  // --compare: the second trace.
    std::string script{};
    std::string screenshot{};
    std::string out{};  // Folder for what a script leaves.
    std::string at{};
    std::string peer{};
    std::string trace{};  // Of a live run.
    std::optional<std::uint64_t> seed{};
    std::vector<std::string> settings{};
    int width = 1600;
    int height = 900;
    float scale = 0;
    unsigned workers = 1;
    unsigned layout = 0;  // 1 to 4; 0: as it comes.
};

// Either options, or a text to print and a code to exit with.
struct ParsedAppOptions {
    std::optional<AppOptions> options{};
    std::string text{};
    int exit_code = 0;
};
[[nodiscard]] ParsedAppOptions parse_app_options(int argc, const char* const* argv);

}  // namespace wt::viewer
