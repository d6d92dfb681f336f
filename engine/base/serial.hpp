// SPDX-License-Identifier: MIT
//
// Wrapping sequence numbers compared over half of their range. The exact antipode is neither
// newer nor older: callers must bound what is outstanding so that it cannot occur, or treat it
// as a refusal.  Spec: 000, fragmentation and ordered reassembly; 001, sequence windows.
#pragma once

#include <concepts>
#include <cstdint>

namespace wt {

// How far `to` lies ahead of `from`, going forward and wrapping.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T serial_distance(T from, T to) {
    return static_cast<T>(to - from);
}

// Whether `a` is newer than `b`: ahead by 1 .. half - 1. Equal numbers and the antipode are not.
template <std::unsigned_integral T>
[[nodiscard]] constexpr bool serial_newer(T a, T b) {
    constexpr T half = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
    const T ahead = serial_distance(b, a);
    return ahead != 0 && ahead < half;
}

// Whether `a` and `b` lie exactly half of the range apart, so that no order exists.
template <std::unsigned_integral T>
[[nodiscard]] constexpr bool serial_ambiguous(T a, T b) {
    constexpr T half = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
    return serial_distance(b, a) == half;
}

}  // namespace wt
