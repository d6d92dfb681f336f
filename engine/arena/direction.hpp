// SPDX-License-Identifier: MIT
//
// Directions: 4,096 to a full turn, 0 along x, 1,024 along y; as a vector of length 16,384. The
// table is computed by the compiler in integers, so no libm has a say.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/wide.hpp"

namespace wt::arena {

inline constexpr std::uint32_t turn = 4'096;
inline constexpr std::int32_t direction_one = 16'384;

struct Direction {
    std::int32_t x = 0;
    std::int32_t y = 0;
};

namespace detail {

// sin(pi / 2 * k / 1,024) for k = 0..1,024 in units of 1 / direction_one, by turning a vector in
// steps of a quarter turn / 1,024 with 40 fractional bits: the error after 1,024 steps is
// below 2^-29.
consteval std::array<std::int16_t, turn / 4 + 1> make_quarter() {
    constexpr int bits = 40;
    // cos and sin of pi / 2,048, times 2^40, rounded to nearest.
    constexpr std::int64_t step_cos = 1'099'510'334'147;
    constexpr std::int64_t step_sin = 1'686'629'052;
    std::array<std::int16_t, turn / 4 + 1> table{};
    SignedWide x = SignedWide{1} << bits;
    SignedWide y = 0;
    for (std::size_t k = 0; k < table.size(); ++k) {
        table[k] =
            static_cast<std::int16_t>((y * direction_one + (SignedWide{1} << (bits - 1))) >> bits);
        const SignedWide next = (x * step_cos - y * step_sin) >> bits;
        y = (x * step_sin + y * step_cos) >> bits;
        x = next;
    }
    return table;
}
inline constexpr std::array<std::int16_t, turn / 4 + 1> quarter = make_quarter();

constexpr std::int32_t sine(std::uint32_t angle) {
    const std::uint32_t within = angle % (turn / 4);
    switch (angle / (turn / 4) % 4) {
        case 0:
            return quarter[within];
        case 1:
            return quarter[turn / 4 - within];
        case 2:
            return -quarter[within];
        default:
            return -quarter[turn / 4 - within];
    }
}

}  // namespace detail

[[nodiscard]] constexpr Direction direction(std::uint32_t angle) {
    return {detail::sine(angle + turn / 4), detail::sine(angle)};
}

// The direction nearest to a vector, for those who aim. (0, 0) gives 0. Exact to one step.
[[nodiscard]] std::uint16_t angle_of(std::int64_t x, std::int64_t y);

}  // namespace wt::arena
