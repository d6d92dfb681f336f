// SPDX-License-Identifier: MIT
#include "simulator/trace/series_builder.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/trace/packing.hpp"
#include "simulator/trace/series_layout.hpp"

namespace wt::trace {

SeriesBuilder::SeriesBuilder(std::uint32_t peers)
    : columns_(peers * series_count), open_(columns_) {}

void SeriesBuilder::advance(std::int64_t now_ns, SectionWriter& writer) {
    while (open_end_ <= now_ns)
        close_cell(writer);
    reached_ = now_ns;
}

void SeriesBuilder::close_cell(SectionWriter& writer) {
    if (listener_) listener_(open_);
    push(0, open_, writer);
    std::fill(open_.begin(), open_.end(), SeriesCell{});
    open_end_ += cell_ns;
}

void SeriesBuilder::push(std::uint32_t level, const std::vector<SeriesCell>& cells,
                         SectionWriter& writer) {
    Level& into = levels_[level];
    if (into.cells.empty()) into.cells.resize(std::size_t{columns_} * section_cells);
    for (std::uint32_t column = 0; column < columns_; ++column)
        into.cells[std::size_t{column} * section_cells + into.filled] = cells[column];
    if (++into.filled == section_cells) write_level(level, writer);
}

void SeriesBuilder::write_level(std::uint32_t level, SectionWriter& writer) {
    Level& from = levels_[level];
    std::vector<SeriesCell> above(columns_);
    scratch_.clear();
    scratch_.resize(series_head_bytes + std::size_t{columns_} * 4);
    store_u32(scratch_.data(), level);
    store_u32(scratch_.data() + 4, from.filled);
    store_u32(scratch_.data() + 8, columns_ / series_count);
    store_u32(scratch_.data() + 12, series_count);
    std::uint32_t stored = first_stored_column;
    for (std::uint32_t column = 0; column < columns_; ++column) {
        const SeriesCell* const cells = &from.cells[std::size_t{column} * section_cells];
        bool any = false;
        bool all_zero = true;
        for (std::uint32_t i = 0; i < from.filled; ++i) {
            above[column].join(cells[i]);
            any = any || !cells[i].is_empty();
            all_zero = all_zero && cells[i] == SeriesCell{0, 0};
        }
        std::uint32_t place = !any ? column_empty : column_zero;
        if (any && !all_zero) {
            place = stored++;
            const std::size_t at = scratch_.size();
            scratch_.resize(at + stored_column_bytes);
            for (std::uint32_t i = 0; i < section_cells; ++i) {
                const SeriesCell cell = i < from.filled ? cells[i] : SeriesCell{};
                store_field(scratch_.data() + at + i * stored_cell_bytes, cell.min);
                store_field(scratch_.data() + at + i * stored_cell_bytes + 4, cell.max);
            }
        }
        store_u32(scratch_.data() + series_head_bytes + std::size_t{column} * 4, place);
    }
    (void)writer.add(Section::series, series_key(level, from.first), scratch_, from.filled);
    from.first += from.filled;
    from.filled = 0;
    if (level + 1 < levels_max) push(level + 1, above, writer);
}

void SeriesBuilder::finish(SectionWriter& writer) {
    if (open_end_ - cell_ns < reached_) close_cell(writer);
    for (std::uint32_t level = 0; level + 1 < levels_max; ++level) {
        // The level that fits into one section is the top of the pyramid.
        const bool is_top = levels_[level].first == 0;
        if (levels_[level].filled > 0) write_level(level, writer);
        if (is_top) break;
    }
}

}  // namespace wt::trace
