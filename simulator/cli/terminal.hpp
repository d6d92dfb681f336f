// SPDX-License-Identifier: MIT
//
// Standard output and error, and the progress line, which exists on a terminal only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/run_scenario.hpp"

namespace wt::sim {

void print(std::string_view text);        // stdout
void print_error(std::string_view text);  // stderr
[[nodiscard]] bool is_terminal();         // Whether stdout is one.

class ProgressLine {
public:
    explicit ProgressLine(bool shown) : shown_(shown) {}

    // Redraws the line, at most ten times a second.
    void show(const Progress& progress, const Stopwatch& watch);
    // The same of one seed of many.
    struct Seeds {
        std::uint64_t done = 0;
        std::uint64_t all = 0;
        std::uint64_t failed = 0;
    };
    void show_seeds(const Seeds& seeds, const Progress& progress, const Stopwatch& watch);
    // Takes the line away.
    void clear();

private:
    [[nodiscard]] bool is_due(std::int64_t wall_ns);
    void draw(const std::string& text);

    bool shown_;
    std::size_t drawn_ = 0;  // Columns on the screen.
    std::int64_t next_ns_ = 0;
};

}  // namespace wt::sim
