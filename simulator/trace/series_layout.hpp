// SPDX-License-Identifier: MIT
//
// A series section's payload: level, cells in it, peers, series (32 bits each); then for every
// peer and every series of it a 32-bit place; then the stored columns, sixteen cells each, a cell
// being its smallest and its largest value.
#pragma once

#include <cstdint>

#include "simulator/trace/layout.hpp"

namespace wt::trace {

inline constexpr std::uint32_t series_head_bytes = 16;
inline constexpr std::uint32_t stored_cell_bytes = 8;
inline constexpr std::uint32_t stored_column_bytes = section_cells * stored_cell_bytes;

// Places: most columns say nothing, or nothing but zeros, and take no room.
inline constexpr std::uint32_t column_empty = 0;
inline constexpr std::uint32_t column_zero = 1;
inline constexpr std::uint32_t first_stored_column = 2;

// `first` of a series section: level in the upper 8 bits, number of its first cell below.
[[nodiscard]] constexpr std::uint64_t series_key(std::uint32_t level, std::uint64_t first_cell) {
    return std::uint64_t{level} << 56 | first_cell;
}

}  // namespace wt::trace
