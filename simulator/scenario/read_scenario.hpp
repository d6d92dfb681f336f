// SPDX-License-Identifier: MIT
//
// A scenario file in, a scenario or the list of all its problems out. Order of working: parents,
// the file, the variant, --set in order, variables, the draws of [vary], defaults, checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "simulator/scenario/document.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

using Settings = std::vector<std::string>;  // "PATH=VALUE"

// Which of the scenarios that one file can be.
struct Choice {
    std::string variant{};                // Empty: the file as it is.
    std::optional<std::uint64_t> seed{};  // Instead of the file's; [vary] draws from it.
    // Whoever reads brings a protocol: `kind = "own"` is right, and nothing plays over it that
    // knows other protocols, unless the file says so (`[world] game`).
    bool has_own_protocol = false;
};

[[nodiscard]] Result<Scenario, std::vector<Problem>> read_scenario(const std::string& path,
                                                                   const Settings& settings,
                                                                   const Choice& choice = {});
// The same from a text that `file` names in messages; `extends` is looked up beside `file`.
[[nodiscard]] Result<Scenario, std::vector<Problem>> read_scenario_text(std::string_view text,
                                                                        const std::string& file,
                                                                        const Settings& settings,
                                                                        const Choice& choice = {});

// What could be read, and what could not: gates are compiled even beside other problems, so that
// a file's errors come all at once.
struct PartialScenario {
    Scenario scenario{};
    std::vector<Problem> problems{};
};
[[nodiscard]] PartialScenario read_partly(const std::string& path, const Settings& settings,
                                          const Choice& choice = {});
[[nodiscard]] PartialScenario read_text_partly(std::string_view text, const std::string& file,
                                               const Settings& settings, const Choice& choice = {});

// The bytes of a text file that is not larger; the error is one sentence.
[[nodiscard]] Result<std::string, std::string> read_text_file(
    const std::string& path, std::size_t bytes_max = scenario_bytes_max);

}  // namespace wt::sim
