// SPDX-License-Identifier: MIT
//
// The per-peer series of a trace: cells of 100 ms and the pyramid above them. Looks only at the
// sections that hold what is asked for; whatever the bytes say, it stays inside of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/trace/series_builder.hpp"

namespace wt::trace {

class SeriesReader {
public:
    SeriesReader() = default;
    // `bytes` are the file's and must outlive this.
    SeriesReader(ConstBytes bytes, std::uint32_t peers, std::uint32_t series)
        : bytes_(bytes), peers_(peers), series_(series) {}

    // A series section of the directory. False where it is none.
    bool add_section(const DirectoryEntry& entry);

    // Every section, as it is.
    void copy_to(SectionWriter& sections) const;

    // How many cells a level has; cell n of level L covers [n, n + 1) x 100 ms x 16^L.
    [[nodiscard]] std::uint64_t cells(std::uint32_t level) const {
        return level < levels_max ? levels_[level].cells : 0;
    }
    // How many levels have cells.
    [[nodiscard]] std::uint32_t levels() const;
    [[nodiscard]] static std::int64_t cell_length_ns(std::uint32_t level) {
        return cell_ns << (4 * level);
    }
    // The finest level that needs no more than `cells_max` cells for a stretch of time.
    [[nodiscard]] std::uint32_t level_for(std::int64_t length_ns, std::uint64_t cells_max) const;
    // Cells first, first + 1, ... of one peer's series; empty ones where there is nothing.
    void read(std::uint32_t series, std::uint16_t peer, std::uint32_t level, std::uint64_t first,
              std::span<SeriesCell> out) const;
    // The same resampled: out[i] joins everything in its equal share of [from, to).
    void sample(std::uint32_t series, std::uint16_t peer, std::int64_t from_ns, std::int64_t to_ns,
                std::span<SeriesCell> out) const;

private:
    struct Place {
        std::uint64_t first_cell = 0;
        std::uint64_t offset = 0;  // Of the payload.
        std::uint64_t bytes = 0;
        std::uint32_t cells = 0;
    };
    struct Level {
        std::vector<Place> places{};
        std::uint64_t cells = 0;
    };
    // Cells of one section, from number `first` in it.
    void read_place(const Place& place, std::uint32_t column, std::uint32_t first,
                    std::span<SeriesCell> out) const;

    ConstBytes bytes_{};
    std::uint32_t peers_ = 0;
    std::uint32_t series_ = 0;
    std::array<Level, levels_max> levels_{};
};

}  // namespace wt::trace
