// SPDX-License-Identifier: MIT
#include "viewer/model/range_figures.hpp"

#include <algorithm>

namespace wt::viewer {

namespace {

std::vector<std::int64_t> values_of(const SeriesGrid& grid) {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(grid.peers()) * grid.columns());
    for (PeerIndex peer = first_bot; peer < grid.peers(); ++peer) {
        for (std::uint32_t column = 0; column < grid.columns(); ++column) {
            const Cell& cell = grid.at(peer, column);
            if (!cell.is_empty()) values.push_back(cell.max);
        }
    }
    return values;
}

}  // namespace

RangeFigures figures_of(const SeriesGrid& grid, const SeriesGrid* beside) {
    RangeFigures figures;
    std::vector<std::int64_t> values = values_of(grid);
    if (values.empty()) return figures;
    const std::vector<std::int64_t> others =
        beside != nullptr ? values_of(*beside) : std::vector<std::int64_t>{};
    // Each rank is looked for above the one before.
    auto from = values.begin();
    const auto rank = [&](std::size_t percent) {
        const auto place =
            values.begin() + static_cast<std::ptrdiff_t>((values.size() * percent + 99) / 100 - 1);
        std::nth_element(from, place, values.end());
        from = place;
        return *place;
    };
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    figures.count = values.size();
    figures.min = *least;
    figures.max = *most;
    figures.p50 = rank(50);
    figures.p95 = rank(95);
    figures.p99 = rank(99);
    figures.low = figures.min;
    figures.high = figures.max;
    for (const std::int64_t value : others) {
        figures.low = std::min(figures.low, value);
        figures.high = std::max(figures.high, value);
    }
    const std::int64_t width = figures.high - figures.low;
    figures.step = std::max<std::int64_t>(1, width / static_cast<std::int64_t>(range_buckets) + 1);
    const auto count_into = [&](std::vector<std::uint64_t>& buckets,
                                const std::vector<std::int64_t>& which) {
        buckets.assign(range_buckets, 0);
        for (const std::int64_t value : which)
            ++buckets[static_cast<std::size_t>((value - figures.low) / figures.step)];
    };
    count_into(figures.buckets, values);
    if (!others.empty()) count_into(figures.beside, others);
    return figures;
}

}  // namespace wt::viewer
