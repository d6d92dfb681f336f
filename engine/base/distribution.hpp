// SPDX-License-Identifier: MIT
//
// Distributions over integers, each a pure function of one 64-bit draw: the draw names a quantile,
// and the quantile comes from a table with integer interpolation. No floating point and no maths
// library, so the values are the same on every machine (determinism rules D2, D3). Building one
// may allocate; drawing never does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wt {

// log2(value) in units of 2^-32, at most 4 millionths low; value 0 counts as 1.
[[nodiscard]] std::uint64_t log2_q32(std::uint64_t value);
// 2^(exponent / 2^32), at most 4 millionths high, then rounded down; saturates at 2^62, and is 0
// below exponent 0.
[[nodiscard]] std::uint64_t exp2_q32(std::int64_t exponent);
// A unit-exponential variate in units of 2^-32: what a sojourn may spend. Mean 1, at most 44.4.
[[nodiscard]] std::uint64_t unit_exponential_q32(std::uint64_t draw);

// The two quantiles that fix a two-parameter family. 1 <= p50 <= p99.
struct MedianAndTail {
    std::int64_t p50 = 0;
    std::int64_t p99 = 0;
};

class Distribution {
public:
    // Values of the heavy-tailed families are held to this: 2^42 ns is 73 minutes.
    static constexpr std::int64_t value_max = std::int64_t{1} << 42;
    // The gamma family's largest p99 / p50; steeper ones are held to it.
    static constexpr std::int64_t gamma_ratio_max = 256;

    // Always 0.
    Distribution() = default;

    static Distribution constant(std::int64_t value);
    // 0..width, both ends possible.
    static Distribution uniform(std::int64_t width);
    static Distribution exponential(std::int64_t mean);
    // Symmetrical, so its lower quantiles may be negative: the user of the value clamps.
    static Distribution normal(MedianAndTail fixed);
    static Distribution lognormal(MedianAndTail fixed);
    static Distribution gamma(MedianAndTail fixed);
    static Distribution pareto(MedianAndTail fixed);
    // Equally likely steps between sorted measured values, interpolated. At least one value.
    static Distribution table(std::span<const std::int64_t> sorted);

    // The quantile at draw / 2^64: a larger draw never gives less.
    [[nodiscard]] std::int64_t at(std::uint64_t draw) const;
    // No draw gives less.
    [[nodiscard]] std::int64_t minimum() const;
    [[nodiscard]] std::int64_t maximum() const;

private:
    enum class Shape : std::uint8_t { constant, uniform, tails, steps };

    [[nodiscard]] std::int64_t at_tails(std::uint64_t draw) const;
    [[nodiscard]] std::int64_t at_steps(std::uint64_t draw) const;

    Shape shape_ = Shape::constant;
    std::int64_t width_ = 0;  // constant: the value. uniform: the width.
    // tails: the lower half's nodes, median first, then the upper half's. steps: sorted values.
    std::vector<std::int64_t> values_{};
};

}  // namespace wt
