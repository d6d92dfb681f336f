// SPDX-License-Identifier: MIT
//
// What a range was like in figures: how one series is spread over it, and how much of everything
// happened in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/series_grid.hpp"

namespace wt::viewer {

struct RangeFigures {
    // Each value is the largest of one bot in one column of the range.
    std::vector<std::uint64_t> buckets{};
    // The second trace's, in the same buckets; empty where there is none.
    std::vector<std::uint64_t> beside{};
    std::int64_t low = 0;  // Of the first bucket: the smallest value of both traces.
    std::int64_t high = 0;
    std::int64_t step = 1;
    std::uint64_t count = 0;
    std::int64_t min = 0;
    std::int64_t p50 = 0;
    std::int64_t p95 = 0;
    std::int64_t p99 = 0;
    std::int64_t max = 0;

    [[nodiscard]] bool is_empty() const { return count == 0; }
};
inline constexpr std::size_t range_buckets = 48;

// How much of one thing happened in a range, to all bots.
struct RangeTotal {
    std::string key{};
    std::string title{};
    sim::Dimension dimension = sim::Dimension::count;
    std::int64_t sum = 0;
};

// `beside`: the same series of the second trace, whose values only share the buckets.
[[nodiscard]] RangeFigures figures_of(const SeriesGrid& grid, const SeriesGrid* beside = nullptr);

}  // namespace wt::viewer
