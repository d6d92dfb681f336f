// SPDX-License-Identifier: MIT
//
// Chances and rates as integers: a run never decides anything by floating point (rule D2).
#pragma once

#include <compare>
#include <cstdint>

#include "engine/base/time.hpp"

namespace wt {

// A probability in units of 2^-32. 2^32 itself is "always", so a threshold needs 33 bits:
// 0 % and 100 % are exact.
struct Chance {
    std::uint64_t threshold = 0;

    static constexpr std::uint64_t one = std::uint64_t{1} << 32;

    static constexpr Chance never() { return {0}; }
    static constexpr Chance always() { return {one}; }
    static constexpr Chance ppm(std::uint32_t n) {
        return {(std::uint64_t{n} * one + 500'000) / 1'000'000};
    }
    static constexpr Chance percent(std::uint32_t n) { return ppm(n * 10'000); }

    // Whether a 32-bit draw falls inside the chance.
    [[nodiscard]] constexpr bool holds(std::uint32_t draw) const { return draw < threshold; }

    friend constexpr auto operator<=>(Chance, Chance) = default;
};

// Bits per second; 0 means "no limit" wherever a rate is optional.
struct BitRate {
    std::uint64_t bits_per_second = 0;

    friend constexpr auto operator<=>(BitRate, BitRate) = default;
};

// Occurrences per second of something periodic. Tick k of a rate lies at floor(k * 10^9 / rate).
struct Frequency {
    std::uint32_t per_second = 0;

    [[nodiscard]] constexpr Instant tick(std::uint64_t k) const {
        // Whole seconds apart, so that k * 10^9 cannot overflow 64 bits.
        const std::uint64_t whole = k / per_second;
        const std::uint64_t rest = k % per_second;
        return {
            static_cast<std::int64_t>(whole * 1'000'000'000 + rest * 1'000'000'000 / per_second)};
    }
    // The first tick number at or after `at`.
    [[nodiscard]] constexpr std::uint64_t first_tick_at_or_after(Instant at) const {
        if (at.ns <= 0) return 0;
        const std::uint64_t ns = static_cast<std::uint64_t>(at.ns);
        std::uint64_t k =
            ns / 1'000'000'000 * per_second + ns % 1'000'000'000 * per_second / 1'000'000'000;
        while (tick(k) < at)
            ++k;
        return k;
    }

    friend constexpr auto operator<=>(Frequency, Frequency) = default;
};

}  // namespace wt
