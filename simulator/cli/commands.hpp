// SPDX-License-Identifier: MIT
//
// The commands. Each prints for itself and returns the exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/cli/options.hpp"
#include "simulator/gates/gate.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

[[nodiscard]] int run_command(const Options& options);
// Both sides of a scenario on real sockets.
[[nodiscard]] int serve_command(const Options& options);
[[nodiscard]] int bots_command(const Options& options);
[[nodiscard]] int check_command(const Options& options);
[[nodiscard]] int list_command(const Options& options);
[[nodiscard]] int init_command(const Options& options);
[[nodiscard]] int links_command(const Options& options);
[[nodiscard]] int verify_command(const Options& options);
[[nodiscard]] int explain_command(const Options& options);

[[nodiscard]] int trace_command(const Options& options);
[[nodiscard]] int diff_command(const Options& options);
[[nodiscard]] int why_command(const Options& options);

// Becomes the viewer, with the words behind `view`; returns only where there is none.
[[nodiscard]] int view_command(int argc, const char* const* argv);

[[nodiscard]] int run_main(int argc, const char* const* argv);

// A scenario and its gates.
struct Loaded {
    std::string file{};
    Scenario scenario{};
    std::vector<Gate> gates{};
};
// Reads all files and prints the problems and warnings of each; nothing if any has problems.
[[nodiscard]] std::optional<std::vector<Loaded>> load_all(const Options& options);
// The same of one file with another seed.
[[nodiscard]] std::optional<Loaded> load_seed(const Options& options, const std::string& file,
                                              std::uint64_t seed);

}  // namespace wt::sim
