// SPDX-License-Identifier: MIT
#include "simulator/link/drift.hpp"

#include "engine/base/mutated.hpp"
#include "engine/base/wide.hpp"
#include "simulator/link/aqm.hpp"

namespace wt::sim {

namespace {

// The standard normal's 99 % quantile, 2.3263478740, in 2^-24.
constexpr std::int64_t normal_p99_q24 = 39'029'641;
constexpr std::int64_t whole_q32 = std::int64_t{1} << 32;

std::int64_t scaled(std::int64_t value, std::int64_t by_q32) {
    return static_cast<std::int64_t>((static_cast<SignedWide>(value) * by_q32 + whole_q32 / 2) >>
                                     32);
}

}  // namespace

Drift::Drift(LuckKey key)
    : key_(key), normal_(Distribution::normal({.p50 = 0, .p99 = normal_p99_q24})) {
    draw_ = key_.draw(0);
    z_q24_ = normal_.at(draw_);
}

void Drift::set_memory(Duration memory) {
    const SignedWide whole = static_cast<SignedWide>(memory.ns) << 32;
    keeps_q32_ = static_cast<std::int64_t>(whole / (memory + step).ns);
    // 1 - a^2 in 2^-62, so that its root is in 2^-31.
    const std::uint64_t half = static_cast<std::uint64_t>(keeps_q32_) >> 1;
    const std::uint64_t rest = (std::uint64_t{1} << 62) - half * half;
    renews_q32_ = static_cast<std::int64_t>(integer_sqrt(rest) << 1);
    if (mutated<"drift-variance">()) renews_q32_ = whole_q32;
}

std::uint64_t Drift::quantile_at(Instant now) {
    const std::uint64_t number = static_cast<std::uint64_t>(now.ns / step.ns);
    if (number_ >= number) return draw_;
    while (number_ < number) {
        ++number_;
        const std::int64_t fresh = normal_.at(key_.draw(number_));
        const std::int64_t kept = scaled(z_q24_, keeps_q32_);
        z_q24_ = kept + scaled(fresh, renews_q32_);
    }
    draw_ = draw_of(z_q24_);
    return draw_;
}

// Quantiles never fall as draws rise: the least draw that gives `z` or more.
std::uint64_t Drift::draw_of(std::int64_t z) const {
    std::uint64_t draw = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
        if (normal_.at(draw | (bit - 1)) < z) draw |= bit;
    }
    return draw;
}

}  // namespace wt::sim
