// SPDX-License-Identifier: MIT
//
// Virtual time in integer nanoseconds. An Instant is a point on one host's clock or on the
// world's; a Duration is a distance. They never mix by accident, and no clock is read here:
// time comes in as an argument (determinism rule D1).
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace wt {

struct Duration {
    std::int64_t ns = 0;

    static constexpr Duration nanos(std::int64_t n) { return {n}; }
    static constexpr Duration micros(std::int64_t n) { return {n * 1'000}; }
    static constexpr Duration millis(std::int64_t n) { return {n * 1'000'000}; }
    static constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000'000}; }
    static constexpr Duration max() { return {std::numeric_limits<std::int64_t>::max()}; }

    friend constexpr auto operator<=>(Duration, Duration) = default;
    friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
    friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
    friend constexpr Duration operator*(Duration a, std::int64_t n) { return {a.ns * n}; }
    friend constexpr Duration operator/(Duration a, std::int64_t n) { return {a.ns / n}; }
    constexpr Duration& operator+=(Duration other) {
        ns += other.ns;
        return *this;
    }
};

struct Instant {
    std::int64_t ns = 0;

    // "Never": later than every instant a run can reach. Do not add to it.
    static constexpr Instant never() { return {std::numeric_limits<std::int64_t>::max()}; }

    friend constexpr auto operator<=>(Instant, Instant) = default;
    friend constexpr Instant operator+(Instant a, Duration d) { return {a.ns + d.ns}; }
    friend constexpr Instant operator-(Instant a, Duration d) { return {a.ns - d.ns}; }
    friend constexpr Duration operator-(Instant a, Instant b) { return {a.ns - b.ns}; }
    constexpr Instant& operator+=(Duration d) {
        ns += d.ns;
        return *this;
    }
};

}  // namespace wt
