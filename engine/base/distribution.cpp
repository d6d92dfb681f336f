// SPDX-License-Identifier: MIT
#include "engine/base/distribution.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/quantile_tables.hpp"
#include "engine/base/rng.hpp"
#include "engine/base/wide.hpp"

namespace wt {

namespace {

using tables::quantile_cells;
using tables::quantile_nodes;
using tables::quantile_octaves;

// ln(2) and log2(50) (= how many doublings of the tail lie between p50 and p99), in 2^-32.
constexpr std::uint64_t ln2_q32 = 2'977'044'472;
constexpr std::int64_t log2_50_q32 = 24'240'177'758;
// The standard normal's 99 % quantile, 2.3263478740, in 2^-24.
constexpr std::int64_t normal_p99_q24 = 39'029'641;
constexpr std::int64_t one_q32 = std::int64_t{1} << 32;

std::int64_t between(std::int64_t low, std::int64_t high, std::uint64_t fraction_q32) {
    return low +
           static_cast<std::int64_t>(
               (static_cast<SignedWide>(high) - low) * static_cast<SignedWide>(fraction_q32) >> 32);
}

// The node's tail probability, in units of 2^-32, rounded down but never 0.
std::uint64_t node_tail_q32(unsigned node) {
    const unsigned octave = node / quantile_cells;
    const unsigned cell = node % quantile_cells;
    // 2^-(octave + 1) * (1 - cell / 16)
    return (std::uint64_t{2 * quantile_cells - cell} << 27) >> octave;
}

// Fills lower and upper half from a quantile given as a function of (node, is_upper).
template <class Quantile>
std::vector<std::int64_t> make_tails(Quantile quantile) {
    std::vector<std::int64_t> values(2 * quantile_nodes);
    for (unsigned node = 0; node < quantile_nodes; ++node) {
        values[node] = quantile(node, false);
        values[quantile_nodes + node] = quantile(node, true);
    }
    return values;
}

std::int64_t held(std::uint64_t value) {
    return static_cast<std::int64_t>(
        std::min(value, static_cast<std::uint64_t>(Distribution::value_max)));
}

// Both quantiles as log2, with the order that the families need.
struct Logs {
    std::int64_t median = 0;
    std::int64_t spread = 0;  // log2(p99 / p50)
};
Logs logs_of(MedianAndTail fixed) {
    WT_CHECK(fixed.p50 >= 1);
    WT_CHECK(fixed.p99 >= fixed.p50);
    const std::int64_t median =
        static_cast<std::int64_t>(log2_q32(static_cast<std::uint64_t>(fixed.p50)));
    const std::int64_t tail =
        static_cast<std::int64_t>(log2_q32(static_cast<std::uint64_t>(fixed.p99)));
    return {median, tail - median};
}

}  // namespace

std::uint64_t log2_q32(std::uint64_t value) {
    if (value == 0) return 0;
    const unsigned exponent = static_cast<unsigned>(std::bit_width(value)) - 1;
    const std::uint64_t mantissa = value << (63 - exponent);
    const unsigned index = static_cast<unsigned>(mantissa >> 55) & 255u;
    const std::uint64_t rest = mantissa >> 23 & 0xffff'ffff;
    const std::uint64_t low = tables::log2_mantissa[index];
    const std::uint64_t step = tables::log2_mantissa[index + 1] - low;
    return (std::uint64_t{exponent} << 32) + low + (step * rest >> 32);
}

std::uint64_t exp2_q32(std::int64_t exponent) {
    if (exponent < 0) return 0;
    const std::int64_t whole = exponent >> 32;
    if (whole >= 62) return std::uint64_t{1} << 62;
    const unsigned index = static_cast<unsigned>(exponent >> 24) & 255u;
    const std::uint64_t rest = static_cast<std::uint64_t>(exponent) & 0xff'ffff;
    const std::uint64_t low = tables::exp2_fraction[index];
    const std::uint64_t step = tables::exp2_fraction[index + 1] - low;
    const std::uint64_t mantissa = low + (step * rest >> 24);
    const unsigned shift = static_cast<unsigned>(whole);
    return shift >= 32 ? mantissa << (shift - 32) : mantissa >> (32 - shift);
}

std::uint64_t unit_exponential_q32(std::uint64_t draw) {
    // -ln(u) with u = (draw + 1) / 2^64; a draw of all ones is u = 1.
    if (draw == ~std::uint64_t{0}) return 0;
    const std::uint64_t doublings = (std::uint64_t{64} << 32) - log2_q32(draw + 1);
    // At most 64 * 2^32 times ln 2: 70 bits.
    return static_cast<std::uint64_t>(static_cast<SignedWide>(doublings) * ln2_q32 >> 32);
}

Distribution Distribution::constant(std::int64_t value) {
    Distribution made;
    made.width_ = value;
    return made;
}

Distribution Distribution::uniform(std::int64_t width) {
    WT_CHECK(width >= 0);
    Distribution made;
    made.shape_ = Shape::uniform;
    made.width_ = width;
    return made;
}

Distribution Distribution::exponential(std::int64_t mean) {
    WT_CHECK(mean >= 0);
    Distribution made;
    made.shape_ = Shape::tails;
    made.values_ = make_tails([mean](unsigned node, bool is_upper) {
        const std::uint64_t tail = node_tail_q32(node);
        // Upper: -ln(tail). Lower: -ln(1 - tail).
        const std::uint64_t survivor = is_upper ? tail : static_cast<std::uint64_t>(one_q32) - tail;
        const std::uint64_t doublings = (std::uint64_t{32} << 32) - log2_q32(survivor);
        const SignedWide units = static_cast<SignedWide>(doublings) * ln2_q32 >> 32;
        return held(static_cast<std::uint64_t>(units * mean >> 32));
    });
    return made;
}

Distribution Distribution::normal(MedianAndTail fixed) {
    WT_CHECK(fixed.p99 >= fixed.p50);
    Distribution made;
    made.shape_ = Shape::tails;
    made.values_ = make_tails([fixed](unsigned node, bool is_upper) {
        const SignedWide away = static_cast<SignedWide>(fixed.p99 - fixed.p50) *
                                tables::normal_upper[node] / normal_p99_q24;
        return fixed.p50 + static_cast<std::int64_t>(is_upper ? away : -away);
    });
    return made;
}

Distribution Distribution::lognormal(MedianAndTail fixed) {
    const Logs logs = logs_of(fixed);
    Distribution made;
    made.shape_ = Shape::tails;
    made.values_ = make_tails([logs](unsigned node, bool is_upper) {
        const std::int64_t away = static_cast<std::int64_t>(
            static_cast<SignedWide>(logs.spread) * tables::normal_upper[node] / normal_p99_q24);
        return held(exp2_q32(is_upper ? logs.median + away : logs.median - away));
    });
    return made;
}

Distribution Distribution::gamma(MedianAndTail fixed) {
    fixed.p99 = std::min(fixed.p99, std::min(fixed.p50, value_max) * gamma_ratio_max);
    const Logs logs = logs_of(fixed);
    // The row between two rows of the table, by log2 of the ratio.
    const std::int64_t steps = logs.spread * std::int64_t{tables::gamma_steps_per_octave};
    const unsigned row =
        std::min(static_cast<unsigned>(steps >> 32), unsigned{tables::gamma_nodes - 2});
    const std::uint64_t rest = static_cast<std::uint64_t>(steps - (std::int64_t{row} << 32));
    Distribution made;
    made.shape_ = Shape::tails;
    made.values_ = make_tails([&](unsigned node, bool is_upper) {
        const unsigned half = is_upper ? 1 : 0;
        const std::int64_t away =
            between(std::int64_t{tables::gamma_log2[row][half][node]} << 16,
                    std::int64_t{tables::gamma_log2[row + 1][half][node]} << 16, rest);
        return held(exp2_q32(logs.median + away));
    });
    return made;
}

Distribution Distribution::pareto(MedianAndTail fixed) {
    const Logs logs = logs_of(fixed);
    // log2 of the value falls by `spread / log2(50)` for each doubling of the upper tail.
    const auto scaled = [logs](std::uint64_t doublings) {
        return static_cast<std::int64_t>(static_cast<SignedWide>(logs.spread) *
                                         static_cast<SignedWide>(doublings) / log2_50_q32);
    };
    const std::int64_t least = logs.median - scaled(std::uint64_t{1} << 32);
    Distribution made;
    made.shape_ = Shape::tails;
    made.values_ = make_tails([&](unsigned node, bool is_upper) {
        const std::uint64_t tail = node_tail_q32(node);
        const std::uint64_t survivor = is_upper ? tail : static_cast<std::uint64_t>(one_q32) - tail;
        return held(exp2_q32(least + scaled((std::uint64_t{32} << 32) - log2_q32(survivor))));
    });
    return made;
}

Distribution Distribution::table(std::span<const std::int64_t> sorted) {
    WT_CHECK(!sorted.empty());
    WT_CHECK(std::is_sorted(sorted.begin(), sorted.end()));
    Distribution made;
    made.shape_ = Shape::steps;
    made.values_.assign(sorted.begin(), sorted.end());
    return made;
}

std::int64_t Distribution::at(std::uint64_t draw) const {
    switch (shape_) {
        case Shape::constant:
            return width_;
        case Shape::uniform:
            return static_cast<std::int64_t>(
                uniform_below(draw, static_cast<std::uint64_t>(width_) + 1));
        case Shape::tails:
            return at_tails(draw);
        case Shape::steps:
            return at_steps(draw);
    }
    return 0;
}

std::int64_t Distribution::at_tails(std::uint64_t draw) const {
    // The quantile is draw / 2^64, so the highest bit picks the half. The rest is the tail
    // probability of that half: t = (rest + 1) / 2^64, in (0, 1/2].
    const bool is_upper = draw >> 63 != 0;
    const std::int64_t* half = values_.data() + (is_upper ? quantile_nodes : 0u);
    const std::uint64_t rest = is_upper ? ~draw : draw;
    const unsigned octave = 63u - static_cast<unsigned>(std::bit_width(rest));
    if (octave >= quantile_octaves) return half[quantile_nodes - 1];
    // From the octave's upper end 2^(63 - octave) down; the octave is 2^(62 - octave) wide.
    const std::uint64_t below = (std::uint64_t{1} << (63 - octave)) - rest - 1;
    const unsigned cell = static_cast<unsigned>(below >> (59 - octave));
    const std::uint64_t inside = below & ((std::uint64_t{1} << (59 - octave)) - 1);
    const std::int64_t* node = half + octave * quantile_cells + cell;
    return between(node[0], node[1], inside >> (27 - octave));
}

std::int64_t Distribution::at_steps(std::uint64_t draw) const {
    const std::uint64_t steps = values_.size() - 1;
    __extension__ using Product = unsigned __int128;
    const Product place = static_cast<Product>(draw) * steps;
    const std::size_t index = static_cast<std::size_t>(place >> 64);
    const std::uint64_t rest = static_cast<std::uint64_t>(place) >> 32;
    if (steps == 0) return values_.front();
    return between(values_[index], values_[index + 1], rest);
}

std::int64_t Distribution::minimum() const {
    switch (shape_) {
        case Shape::constant:
            return width_;
        case Shape::uniform:
            return 0;
        case Shape::tails:
            return values_[quantile_nodes - 1];
        case Shape::steps:
            return values_.front();
    }
    return 0;
}

std::int64_t Distribution::maximum() const {
    switch (shape_) {
        case Shape::constant:
        case Shape::uniform:
            return width_;
        case Shape::tails:
        case Shape::steps:
            return values_.back();
    }
    return 0;
}

}  // namespace wt
