// SPDX-License-Identifier: MIT
#include "viewer/model/series_grid.hpp"

#include <algorithm>

namespace wt::viewer {

bool SeriesGrid::refresh(const Source& source, const Aim& aim, CellBudget& budget) {
    const PeerIndex peers = aim.series < 0 ? 0 : static_cast<PeerIndex>(source.info().peers.size());
    const std::size_t needed = static_cast<std::size_t>(peers) * aim.columns;
    const bool same_shape =
        aim.series == aim_.series && needed == cells_.size() && aim.columns == aim_.columns;
    if (!(aim == aim_) || !same_shape || detail_ != budget.detail) {
        // Columns that mean another thing must not stay. Those of another time may, until they
        // have been read again: a pass that has begun goes on, so that the last peers of a run
        // that grows with each frame have their turn.
        const bool goes_on = same_shape && detail_ == budget.detail && next_ < peers_;
        if (!same_shape) cells_.assign(needed, Cell{});
        aim_ = aim;
        peers_ = peers;
        detail_ = budget.detail;
        is_stale_ = goes_on;
        if (!goes_on) next_ = first_bot;
    }
    if (next_ >= peers_ || aim.columns == 0) return detail_ == Detail::exact || peers == 0;
    while (next_ < peers_ && budget.left > 0) {
        const std::span<Cell> row(&cells_[static_cast<std::size_t>(next_) * aim.columns],
                                  aim.columns);
        std::fill(row.begin(), row.end(), Cell{});
        const std::size_t cost =
            aim.columns / 8 +
            source.cells(static_cast<std::size_t>(aim.series), next_, aim.view, row, detail_);
        budget.left -= std::min(budget.left, cost);
        ++next_;
    }
    if (next_ < peers_) return false;
    ++passes_;
    if (is_stale_) {
        is_stale_ = false;
        next_ = first_bot;
        return false;
    }
    return detail_ == Detail::exact;
}

Band band_of(const SeriesGrid& grid) {
    Band band;
    const std::uint32_t columns = grid.columns();
    for (auto* line : {&band.p50, &band.p95, &band.p99, &band.max})
        line->assign(columns, 0);
    band.has.assign(columns, 0);
    std::vector<std::int64_t> means;
    means.reserve(grid.peers());
    for (std::uint32_t column = 0; column < columns; ++column) {
        means.clear();
        std::int64_t max = std::numeric_limits<std::int64_t>::min();
        for (PeerIndex peer = first_bot; peer < grid.peers(); ++peer) {
            const Cell& cell = grid.at(peer, column);
            if (cell.is_empty()) continue;
            means.push_back(cell.middle());
            max = std::max(max, cell.max);
        }
        if (means.empty()) continue;
        // Nearest rank, as everywhere in this tree: ceil(n * q) from 1. Each one is looked for
        // above the one before, which is all the order that three ranks need.
        auto from = means.begin();
        const auto rank = [&](std::size_t percent) {
            const auto place = means.begin() +
                               static_cast<std::ptrdiff_t>((means.size() * percent + 99) / 100 - 1);
            std::nth_element(from, place, means.end());
            from = place;
            return *place;
        };
        band.p50[column] = rank(50);
        band.p95[column] = rank(95);
        band.p99[column] = rank(99);
        band.max[column] = max;
        band.has[column] = 1;
    }
    return band;
}

std::vector<Cell> total_of(const SeriesGrid& grid) {
    std::vector<Cell> total(grid.columns());
    for (PeerIndex peer = first_bot; peer < grid.peers(); ++peer) {
        for (std::uint32_t column = 0; column < grid.columns(); ++column) {
            if (!grid.at(peer, column).is_empty()) total[column].merge(grid.at(peer, column));
        }
    }
    return total;
}

}  // namespace wt::viewer
