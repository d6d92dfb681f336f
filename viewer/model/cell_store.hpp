// SPDX-License-Identifier: MIT
//
// The series of a run that goes on: a row of cells for every 100 ms, and one of sixteen rows above
// it. When the rows would take more than their room, two become one: a long run is seen more
// coarsely, never less of it, and no spike is lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/trace/series_builder.hpp"

namespace wt::viewer {

class CellStore {
public:
    static constexpr std::size_t bytes_max = 256u * 1'024 * 1'024;
    static constexpr std::uint64_t rows_above = 16;

    explicit CellStore(std::uint32_t peers, std::size_t room_bytes = bytes_max);

    // The next 100 ms: a cell of every series of every peer, by peer, then series.
    void push(std::span<const trace::SeriesCell> row);

    [[nodiscard]] std::int64_t row_ns(unsigned level) const {
        return level == 0 ? row_ns_ : row_ns_ * static_cast<std::int64_t>(rows_above);
    }
    // Level 0 and 1; the last row may still be growing.
    [[nodiscard]] std::uint64_t rows(unsigned level) const { return levels_[level].size(); }
    [[nodiscard]] const trace::SeriesCell& at(unsigned level, std::uint64_t row, std::uint32_t peer,
                                              std::uint32_t series) const {
        return levels_[level][row][std::size_t{series} * peers_ + peer];
    }

private:
    // By series, then peer: one series of all peers is what is read at once.
    using Row = std::vector<trace::SeriesCell>;

    void join_time(Row& into, std::span<const trace::SeriesCell> from) const;
    static void join_cells(Row& into, std::span<const trace::SeriesCell> from);
    void halve();

    std::size_t peers_;
    std::size_t columns_;
    Row turned_{};
    std::size_t rows_max_;
    std::int64_t row_ns_ = trace::cell_ns;
    std::uint64_t in_last_ = 0;  // 100 ms stretches in the last row of level 0.
    std::uint64_t per_row_ = 1;
    std::vector<Row> levels_[2];
};

}  // namespace wt::viewer
