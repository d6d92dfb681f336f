// SPDX-License-Identifier: MIT
#include "simulator/trace/series_reader.hpp"

#include <algorithm>

#include "engine/base/wide.hpp"
#include "simulator/trace/series_layout.hpp"

namespace wt::trace {

// Whatever the directory says is taken from there: opening a trace must not touch its sections.
bool SeriesReader::add_section(const DirectoryEntry& entry) {
    const std::uint32_t level = static_cast<std::uint32_t>(entry.first >> 56);
    const std::uint64_t first = entry.first & ((std::uint64_t{1} << 56) - 1);
    const std::uint64_t columns = std::uint64_t{peers_} * series_;
    if (level >= levels_max || entry.bytes < series_head_bytes + columns * 4) return false;
    const std::uint64_t offset = entry.offset + SectionHead::stored_bytes;
    // A file that is read without its directory says it in the section.
    const std::uint32_t cells =
        entry.count != 0 ? entry.count : load_u32(bytes_.data() + offset + 4);
    if (cells > section_cells) return false;
    Level& into = levels_[level];
    // Sections of one level follow one another without a gap.
    if (first != into.cells || first % section_cells != 0) return false;
    into.places.push_back({first, offset, entry.bytes, cells});
    into.cells = first + cells;
    return true;
}

void SeriesReader::copy_to(SectionWriter& sections) const {
    for (std::uint32_t level = 0; level < levels_max; ++level) {
        for (const Place& place : levels_[level].places) {
            (void)sections.add(Section::series, series_key(level, place.first_cell),
                               bytes_.subspan(place.offset, place.bytes), place.cells);
        }
    }
}

std::uint32_t SeriesReader::levels() const {
    std::uint32_t count = 0;
    while (count < levels_max && levels_[count].cells > 0)
        ++count;
    return count;
}

std::uint32_t SeriesReader::level_for(std::int64_t length_ns, std::uint64_t cells_max) const {
    const std::uint32_t count = levels();
    for (std::uint32_t level = 0; level + 1 < count; ++level) {
        if (static_cast<std::uint64_t>(length_ns / cell_length_ns(level)) <= cells_max)
            return level;
    }
    return count == 0 ? 0 : count - 1;
}

void SeriesReader::read_place(const Place& place, std::uint32_t column, std::uint32_t first,
                              std::span<SeriesCell> out) const {
    const std::uint8_t* const payload = bytes_.data() + place.offset;
    const std::uint32_t where = load_u32(payload + series_head_bytes + std::size_t{column} * 4);
    if (where == column_zero) return std::fill(out.begin(), out.end(), SeriesCell{0, 0});
    if (where < first_stored_column) return;
    const std::uint64_t at = series_head_bytes + std::uint64_t{peers_} * series_ * 4 +
                             std::uint64_t{where - first_stored_column} * stored_column_bytes +
                             std::uint64_t{first} * stored_cell_bytes;
    if (at + out.size() * stored_cell_bytes > place.bytes) return;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t* const cell = payload + at + i * stored_cell_bytes;
        out[i] = {load_field<std::int32_t>(cell), load_field<std::int32_t>(cell + 4)};
    }
}

void SeriesReader::read(std::uint32_t series, std::uint16_t peer, std::uint32_t level,
                        std::uint64_t first, std::span<SeriesCell> out) const {
    std::fill(out.begin(), out.end(), SeriesCell{});
    if (level >= levels_max || peer >= peers_ || series >= series_) return;
    const std::uint64_t end = std::min(first + out.size(), levels_[level].cells);
    const std::uint32_t column = std::uint32_t{peer} * series_ + series;
    // A section's cells of one column lie behind each other.
    for (std::uint64_t cell = first; cell < end;) {
        const Place& place = levels_[level].places[cell / section_cells];
        const std::uint32_t number = static_cast<std::uint32_t>(cell % section_cells);
        const std::uint64_t count = std::min<std::uint64_t>(section_cells - number, end - cell);
        read_place(place, column, number, out.subspan(cell - first, count));
        cell += count;
    }
}

void SeriesReader::sample(std::uint32_t series, std::uint16_t peer, std::int64_t from_ns,
                          std::int64_t to_ns, std::span<SeriesCell> out) const {
    std::fill(out.begin(), out.end(), SeriesCell{});
    if (to_ns <= from_ns || out.empty()) return;
    const std::int64_t length = to_ns - from_ns;
    // Up to four cells a place, so that shares are not all of one cell.
    const std::uint32_t level = level_for(length, out.size() * 4);
    const std::int64_t cell_length = cell_length_ns(level);
    const std::int64_t count = static_cast<std::int64_t>(cells(level));
    const std::int64_t first = std::max<std::int64_t>(from_ns / cell_length, 0);
    const std::int64_t last = std::min((to_ns - 1) / cell_length, count - 1);
    for (std::int64_t cell = first; cell <= last; ++cell) {
        SeriesCell one;
        read(series, peer, level, static_cast<std::uint64_t>(cell), {&one, 1});
        if (one.is_empty()) continue;
        // A cell longer than a share belongs to every share that it touches.
        const std::int64_t start = std::max(cell * cell_length - from_ns, std::int64_t{0});
        const std::int64_t end = std::min((cell + 1) * cell_length - from_ns, length);
        const auto place_of = [&](std::int64_t at) {
            return static_cast<std::size_t>(SignedWide{at} * static_cast<SignedWide>(out.size()) /
                                            length);
        };
        for (std::size_t place = place_of(start); place <= place_of(end - 1); ++place)
            out[place].join(one);
    }
}

}  // namespace wt::trace
