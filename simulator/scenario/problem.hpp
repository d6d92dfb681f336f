// SPDX-License-Identifier: MIT
//
// One thing that is wrong with a scenario or a command line: where, what, and what would be
// right. Plain data; the command line and the viewer print it (format_problems).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wt::sim {

// A stretch of one line of one file. Columns count characters from 1; line 0 = the whole file.
struct Place {
    std::string file{};
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;
};

struct Problem {
    Place place{};
    std::string message{};
    std::string source_line{};         // The line of `place`, as it stands in the file.
    std::string hint{};                // Behind the carets.
    std::vector<std::string> notes{};  // Lines below.
    std::string section{};             // "links", "bots", ...: where the reference has it.
};

inline constexpr std::size_t problems_shown_max = 20;

// All problems in the order of their places, at most 20 of them, and a closing line.
[[nodiscard]] std::string format_problems(std::span<const Problem> problems);
// One problem without the closing line; `kind` is "error" or "warning".
[[nodiscard]] std::string format_problem(const Problem& problem, std::string_view kind);

// The candidate with the smallest edit distance to `word`, or empty where none is near.
[[nodiscard]] std::string nearest_name(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace wt::sim
