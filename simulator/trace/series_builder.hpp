// SPDX-License-Identifier: MIT
//
// Counters of every peer by 100 ms of virtual time, and the pyramid above them: sixteen cells of
// one level make one of the next. A level's cells go to the file sixteen at a time, so memory is
// sixteen cells a peer, series and level, however long the run.
//
// Whoever drives the world stops it at every multiple of 100 ms and calls advance there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "simulator/trace/section_writer.hpp"

namespace wt::trace {

// No value: smallest above largest.
struct SeriesCell {
    std::int32_t min = std::numeric_limits<std::int32_t>::max();
    std::int32_t max = std::numeric_limits<std::int32_t>::min();

    [[nodiscard]] bool is_empty() const { return min > max; }
    void join(const SeriesCell& other) {
        if (other.min < min) min = other.min;
        if (other.max > max) max = other.max;
    }
    friend bool operator==(const SeriesCell&, const SeriesCell&) = default;
};

class SeriesBuilder {
public:
    explicit SeriesBuilder(std::uint32_t peers);

    // A value of the cell that is open. Sums must not be negative.
    void add(Series series, std::uint16_t peer, std::int64_t value) {
        SeriesCell& cell = open_[std::size_t{peer} * series_count + static_cast<unsigned>(series)];
        const std::int32_t held = saturated(value);
        switch (series_texts[static_cast<unsigned>(series)].fold) {
            case Fold::range:
                if (held < cell.min) cell.min = held;
                if (held > cell.max) cell.max = held;
                break;
            case Fold::peak:
                if (held > cell.max) cell.max = held;
                cell.min = cell.max;
                break;
            case Fold::sum:
                cell.max = cell.is_empty() ? held : saturated(std::int64_t{cell.max} + held);
                cell.min = cell.max;
                break;
        }
    }
    // Everything before `now` has been added: closes the cells that end there or earlier.
    void advance(std::int64_t now_ns, SectionWriter& writer);
    // Told of every cell of 100 ms as it is closed: of every peer, then every series of it.
    using CellsClosed = std::function<void(std::span<const SeriesCell>)>;
    void listen(CellsClosed listener) { listener_ = std::move(listener); }

    // After the last value: closes the open cell and every level.
    void finish(SectionWriter& writer);

private:
    struct Level {
        std::vector<SeriesCell> cells{};  // By peer, series, place in the section.
        std::uint32_t filled = 0;
        std::uint64_t first = 0;  // Number of the first cell.
    };

    [[nodiscard]] static std::int32_t saturated(std::int64_t value) {
        constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min() + 1;
        constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max() - 1;
        return static_cast<std::int32_t>(value < low ? low : value > high ? high : value);
    }
    void close_cell(SectionWriter& writer);
    // Appends one cell a column to a level and writes the level's section when it is full.
    void push(std::uint32_t level, const std::vector<SeriesCell>& cells, SectionWriter& writer);
    void write_level(std::uint32_t level, SectionWriter& writer);

    CellsClosed listener_{};
    std::uint32_t columns_;
    std::vector<SeriesCell> open_;
    std::int64_t open_end_ = cell_ns;
    std::int64_t reached_ = 0;
    std::array<Level, levels_max> levels_{};
    std::vector<std::uint8_t> scratch_{};
};

}  // namespace wt::trace
