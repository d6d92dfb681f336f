// SPDX-License-Identifier: MIT
//
// The committed quantile tables and the distributions over them, against figures that come from
// elsewhere: closed-form quantiles and moments, written out as integers. Draws walk the unit
// interval in equal steps, so means are exact sums and not samples.
#include "engine/base/distribution.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/base/quantile_tables.hpp"
#include "engine/base/wide.hpp"

namespace wt {
namespace {

// The quantile at `ppm` millionths.
std::int64_t quantile(const Distribution& of, std::uint64_t ppm) {
    return of.at(ppm * (~std::uint64_t{0} / 1'000'000));
}

// The mean over 2^16 equal steps, each taken at its middle.
std::int64_t mean(const Distribution& of) {
    __extension__ __int128 sum = 0;
    for (std::uint64_t step = 0; step < 65'536; ++step) {
        sum += of.at((step << 48) + (std::uint64_t{1} << 47));
    }
    return static_cast<std::int64_t>(sum / 65'536);
}

bool is_monotone(const Distribution& of) {
    std::int64_t last = of.at(0);
    for (std::uint64_t step = 1; step < 65'536; ++step) {
        const std::int64_t value = of.at(step << 48);
        if (value < last) return false;
        last = value;
    }
    return of.at(~std::uint64_t{0}) >= last;
}

void check_near(std::int64_t value, std::int64_t wanted, std::int64_t per_mille) {
    const std::int64_t distance = value > wanted ? value - wanted : wanted - value;
    CAPTURE(value);
    CAPTURE(wanted);
    CHECK(distance * 1'000 <= wanted * per_mille);
}

}  // namespace

TEST_CASE("log2 and exp2 hit their known values and undo each other") {
    constexpr std::int64_t one = std::int64_t{1} << 32;
    CHECK(log2_q32(0) == 0);
    CHECK(log2_q32(1) == 0);
    CHECK(log2_q32(2) == one);
    CHECK(log2_q32(std::uint64_t{1} << 63) == 63 * one);
    check_near(static_cast<std::int64_t>(log2_q32(10)), 14'267'572'527, 1);  // 3.321928 * 2^32
    CHECK(exp2_q32(-1) == 0);
    CHECK(exp2_q32(0) == 1);
    CHECK(exp2_q32(10 * one) == 1'024);
    CHECK(exp2_q32(61 * one) == std::uint64_t{1} << 61);
    CHECK(exp2_q32(62 * one) == std::uint64_t{1} << 62);
    CHECK(exp2_q32(1'000 * one) == std::uint64_t{1} << 62);
    for (const std::int64_t value : {std::int64_t{1'000}, std::int64_t{40'000'000'001}}) {
        const std::uint64_t log = log2_q32(static_cast<std::uint64_t>(value));
        const std::int64_t back =
            static_cast<std::int64_t>(exp2_q32(static_cast<std::int64_t>(log)));
        const std::int64_t distance = back > value ? back - value : value - back;
        CHECK(distance <= value / 100'000 + 1);
    }
}

TEST_CASE("unit exponentials have mean and variance 1 and the right median") {
    constexpr std::uint64_t one = std::uint64_t{1} << 32;
    Wide sum = 0;
    Wide squares = 0;
    for (std::uint64_t step = 0; step < 65'536; ++step) {
        const std::uint64_t value = unit_exponential_q32((step << 48) + (std::uint64_t{1} << 47));
        sum += value;
        squares += static_cast<Wide>(value) * value >> 32;
    }
    check_near(static_cast<std::int64_t>(sum / 65'536), static_cast<std::int64_t>(one), 1);
    check_near(static_cast<std::int64_t>(squares / 65'536), 2 * static_cast<std::int64_t>(one), 2);
    CHECK(unit_exponential_q32(~std::uint64_t{0}) == 0);
    // ln 2 at the middle, 64 ln 2 = 44.36 at the far end.
    check_near(static_cast<std::int64_t>(unit_exponential_q32(0x7fff'ffff'ffff'ffff)),
               2'977'044'472, 1);
    CHECK(unit_exponential_q32(0) / one == 44);
}

TEST_CASE("uniform reaches both ends and nothing else") {
    const Distribution width_two = Distribution::uniform(2);
    CHECK(width_two.at(0) == 0);
    CHECK(width_two.at(0x5555'5555'5555'5555) == 0);
    CHECK(width_two.at(0x5555'5555'5555'5556) == 1);
    CHECK(width_two.at(~std::uint64_t{0}) == 2);
    CHECK(width_two.minimum() == 0);
    CHECK(width_two.maximum() == 2);
    CHECK(Distribution::uniform(0).at(~std::uint64_t{0}) == 0);
    CHECK(Distribution{}.at(12'345) == 0);
    CHECK(Distribution::constant(7).at(12'345) == 7);
}

TEST_CASE("every family keeps its two quantiles and never falls") {
    // 1 ms and 8 ms, as in wifi-good; 4 ms and 120 ms, as in wifi-bad.
    for (const MedianAndTail fixed :
         {MedianAndTail{1'000'000, 8'000'000}, MedianAndTail{4'000'000, 120'000'000}}) {
        const std::array<Distribution, 4> families = {
            Distribution::normal(fixed), Distribution::lognormal(fixed), Distribution::gamma(fixed),
            Distribution::pareto(fixed)};
        for (const Distribution& family : families) {
            check_near(quantile(family, 500'000), fixed.p50, 1);
            check_near(quantile(family, 990'000), fixed.p99, 3);
            CHECK(is_monotone(family));
            CHECK(family.minimum() <= family.at(0));
            CHECK(family.maximum() >= family.at(~std::uint64_t{0}));
        }
    }
}

TEST_CASE("further quantiles and means agree with the closed forms") {
    // Lognormal 1 ms / 8 ms: sigma = ln 8 / 2.3263 = 0.89386; p84.1345 = e^sigma = 2.4446 ms;
    // mean = e^(sigma^2 / 2) = 1.4911 ms.
    const Distribution lognormal = Distribution::lognormal({1'000'000, 8'000'000});
    check_near(quantile(lognormal, 841'345), 2'444'600, 2);
    check_near(quantile(lognormal, 158'655), 409'060, 2);
    check_near(mean(lognormal), 1'491'100, 5);
    // Normal 100 ms / 123.263 ms: deviation 10 ms.
    const Distribution normal = Distribution::normal({100'000'000, 123'263'479});
    check_near(quantile(normal, 841'345), 110'000'000, 1);
    check_near(quantile(normal, 22'750), 80'000'000, 1);
    check_near(mean(normal), 100'000'000, 1);
    // Exponential of mean 10 ms.
    const Distribution exponential = Distribution::exponential(10'000'000);
    check_near(quantile(exponential, 500'000), 6'931'472, 2);
    check_near(quantile(exponential, 990'000), 46'051'702, 2);
    check_near(mean(exponential), 10'000'000, 2);
    CHECK(exponential.minimum() >= 0);
    CHECK(exponential.minimum() < 10);
    // A gamma of shape 1 is an exponential: its ratio of p99 to p50 is 6.643856.
    const Distribution gamma = Distribution::gamma({6'931'472, 46'051'702});
    check_near(quantile(gamma, 100'000), 1'053'605, 20);
    check_near(quantile(gamma, 900'000), 23'025'851, 5);
    check_near(mean(gamma), 10'000'000, 5);
    // Pareto with p99 = 50^(1/2) * p50: exponent 2, least value p50 / sqrt 2.
    const Distribution pareto = Distribution::pareto({1'000'000, 7'071'068});
    check_near(quantile(pareto, 1), 707'107, 1);
    check_near(quantile(pareto, 750'000), 1'414'214, 2);
    check_near(quantile(pareto, 999'900), 70'710'678, 5);
}

TEST_CASE("steep gammas are held to the largest ratio of the table") {
    const Distribution at_edge = Distribution::gamma({1'000, 256'000});
    const Distribution beyond = Distribution::gamma({1'000, 257'000});
    CHECK(quantile(at_edge, 990'000) == quantile(beyond, 990'000));
    check_near(quantile(at_edge, 990'000), 256'000, 10);
}

TEST_CASE("heavy tails stop at their cap") {
    const Distribution pareto = Distribution::pareto({1'000'000, 1'000'000'000'000});
    CHECK(pareto.maximum() == Distribution::value_max);
    CHECK(pareto.at(~std::uint64_t{0}) == Distribution::value_max);
}

TEST_CASE("a table of measured values is interpolated between its steps") {
    const std::array<std::int64_t, 3> values = {10, 20, 40};
    const Distribution table = Distribution::table(values);
    CHECK(table.at(0) == 10);
    CHECK(table.at(0x4000'0000'0000'0000) == 15);
    CHECK(table.at(0x8000'0000'0000'0000) == 20);
    CHECK(table.at(0xc000'0000'0000'0000) == 30);
    CHECK(table.minimum() == 10);
    CHECK(table.maximum() == 40);
    const std::array<std::int64_t, 1> lone = {5};
    CHECK(Distribution::table(lone).at(~std::uint64_t{0}) == 5);
}

}  // namespace wt
