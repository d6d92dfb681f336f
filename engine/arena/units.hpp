// SPDX-License-Identifier: MIT
//
// The arena's fixed-point world: a square of 262,144 mm, positions in 1/256 mm, speeds in mm/s.
// On the wire a position is one of 65,536 quanta of 4 mm. All arithmetic is in integers; the same
// inputs give the same world on every machine.
#pragma once

#include <cstdint>

#include "engine/base/units.hpp"

namespace wt::arena {

inline constexpr std::int32_t units_per_mm = 256;
inline constexpr std::int32_t world_mm = 262'144;
inline constexpr std::int32_t world_units = world_mm * units_per_mm;  // 2^26.
inline constexpr std::int32_t quantum_units = 4 * units_per_mm;       // 2^10: 16 bits are left.

[[nodiscard]] constexpr std::int32_t millimetres(std::int32_t n) {
    return n * units_per_mm;
}
[[nodiscard]] constexpr std::uint16_t to_quanta(std::int32_t units) {
    return static_cast<std::uint16_t>(units / quantum_units);
}
// The middle of a quantum.
[[nodiscard]] constexpr std::int32_t from_quanta(std::uint16_t quanta) {
    return quanta * quantum_units + quantum_units / 2;
}
// The way of one tick at `speed` mm/s, towards zero.
[[nodiscard]] constexpr std::int32_t way_of_tick(std::int32_t speed, Frequency rate) {
    return speed * units_per_mm / static_cast<std::int32_t>(rate.per_second);
}
// Ticks in so many milliseconds, at least one.
[[nodiscard]] constexpr std::uint32_t ticks_of_ms(std::uint32_t ms, Frequency rate) {
    const std::uint32_t ticks = ms * rate.per_second / 1'000;
    return ticks > 0 ? ticks : 1;
}

// The largest root whose square is at most `n`.
[[nodiscard]] constexpr std::uint32_t square_root(std::uint64_t n) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
        const std::uint64_t tried = root | bit;
        if (tried * tried <= n) root = tried;
    }
    return static_cast<std::uint32_t>(root);
}

}  // namespace wt::arena
