// SPDX-License-Identifier: MIT
//
// Ticks as this folder counts them: 64 bits inside, the low 32 of them on the wire, and times
// between two ticks as Q16 fractions. A wire tick means nothing without a reference near it.
// Spec: 001, tick ownership; prediction.
#pragma once

#include <compare>
#include <cstdint>

#include "engine/base/units.hpp"

namespace wt::prediction {

using Tick = std::uint64_t;

inline constexpr std::int64_t tick_one = std::int64_t{1} << 16;

// A point in time (or a distance) in units of 1/65,536 tick.
struct TickTime {
    std::int64_t q16 = 0;

    static constexpr TickTime at(Tick tick) { return {static_cast<std::int64_t>(tick) * tick_one}; }
    // The tick at or before this time; times before tick 0 give 0.
    [[nodiscard]] constexpr Tick floor() const {
        return q16 < 0 ? 0 : static_cast<Tick>(q16 / tick_one);
    }
    friend constexpr auto operator<=>(TickTime, TickTime) = default;
    friend constexpr TickTime operator+(TickTime a, TickTime b) { return {a.q16 + b.q16}; }
    friend constexpr TickTime operator-(TickTime a, TickTime b) { return {a.q16 - b.q16}; }
};

// A length of time in ticks of this rate, rounded down.
[[nodiscard]] constexpr TickTime ticks_in(Duration length, Frequency rate) {
    // Whole seconds apart: a day at 128 Hz in Q16 would overflow if multiplied in nanoseconds.
    constexpr std::int64_t second = 1'000'000'000;
    std::int64_t whole = length.ns / second;
    std::int64_t rest = length.ns % second;
    if (rest < 0) {
        rest += second;
        --whole;
    }
    const std::int64_t per_second = rate.per_second * tick_one;
    return {whole * per_second + rest * per_second / second};
}

// What a clock that showed 0 at tick 0 would count at `now`.
[[nodiscard]] constexpr TickTime clock_ticks(Instant now, Frequency rate) {
    return ticks_in(now - Instant{}, rate);
}

[[nodiscard]] constexpr Duration duration_of(TickTime ticks, Frequency rate) {
    const std::int64_t per_second = rate.per_second * tick_one;
    const std::int64_t whole = ticks.q16 / per_second;
    const std::int64_t rest = ticks.q16 % per_second;
    return {whole * 1'000'000'000 + rest * 1'000'000'000 / per_second};
}

// The tick nearest to `reference` whose low 32 bits are `wire`. False, and `out` untouched, for the
// exact antipode (no order exists) and for ticks before 0.
[[nodiscard]] constexpr bool widen_tick(Tick reference, std::uint32_t wire, Tick& out) {
    constexpr std::uint32_t half = 0x8000'0000;
    const std::uint32_t ahead = wire - static_cast<std::uint32_t>(reference);
    if (ahead == half) return false;
    if (ahead < half) {
        out = reference + ahead;
        return true;
    }
    const std::uint32_t back = 0u - ahead;
    if (back > reference) return false;
    out = reference - back;
    return true;
}

}  // namespace wt::prediction
