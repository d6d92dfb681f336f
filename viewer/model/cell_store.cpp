// SPDX-License-Identifier: MIT
#include "viewer/model/cell_store.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace wt::viewer {

CellStore::CellStore(std::uint32_t peers, std::size_t room_bytes)
    : peers_(peers),
      columns_(std::size_t{peers} * trace::series_count),
      rows_max_(
          std::max<std::size_t>(64, room_bytes / (columns_ * sizeof(trace::SeriesCell) + 1))) {}

// Two stretches of time of one resolution become one: sums add up, all else spans both.
void CellStore::join_time(Row& into, std::span<const trace::SeriesCell> from) const {
    for (std::size_t i = 0; i < into.size(); ++i) {
        const trace::Fold fold = trace::series_texts[i / peers_].fold;
        if (fold != trace::Fold::sum || into[i].is_empty() || from[i].is_empty()) {
            into[i].join(from[i]);
            continue;
        }
        into[i].max += from[i].max;
        into[i].min = into[i].max;
    }
}

void CellStore::join_cells(Row& into, std::span<const trace::SeriesCell> from) {
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i].join(from[i]);
}

void CellStore::push(std::span<const trace::SeriesCell> row) {
    WT_CHECK(row.size() == columns_);
    turned_.resize(columns_);
    for (std::size_t peer = 0; peer < peers_; ++peer) {
        for (std::size_t series = 0; series < trace::series_count; ++series)
            turned_[series * peers_ + peer] = row[peer * trace::series_count + series];
    }
    std::vector<Row>& rows = levels_[0];
    if (in_last_ == 0 || in_last_ == per_row_) {
        if (rows.size() >= rows_max_) halve();
    }
    if (in_last_ == 0 || in_last_ == per_row_) {
        rows.emplace_back(turned_);
        in_last_ = 1;
    } else {
        join_time(rows.back(), turned_);
        ++in_last_;
    }
    std::vector<Row>& above = levels_[1];
    if (above.size() * rows_above < rows.size()) {
        above.emplace_back(rows.back());
    } else {
        join_cells(above.back(), rows.back());
    }
}

void CellStore::halve() {
    std::vector<Row>& rows = levels_[0];
    const std::size_t pairs = rows.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
        if (i > 0) rows[i] = std::move(rows[2 * i]);
        join_time(rows[i], rows[2 * i + 1]);
    }
    const bool is_odd = rows.size() % 2 != 0;
    if (is_odd) rows[pairs] = std::move(rows.back());
    rows.resize(pairs + (is_odd ? 1 : 0));
    in_last_ = is_odd ? per_row_ : 0;
    per_row_ *= 2;
    row_ns_ *= 2;
    levels_[1].clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % rows_above == 0) {
            levels_[1].emplace_back(rows[i]);
        } else {
            join_cells(levels_[1].back(), rows[i]);
        }
    }
}

}  // namespace wt::viewer
