// SPDX-License-Identifier: MIT
//
// Jitter with a memory, with a table's shape, and lateness from a list; and who is too large for a
// path that says so.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "simulator/link/drift.hpp"
#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::drift_test {
namespace {

constexpr transport::WeatherTag tag = transport::WeatherTag::lane_1;

// The draw at an instant as a signed number of 20 bits: twice its distance from the middle.
std::int64_t centred(std::uint64_t draw) {
    return static_cast<std::int64_t>(draw >> 44) - (std::int64_t{1} << 19);
}

}  // namespace

TEST_CASE("drift: a quantile of the same law, remembered for about its time, whoever asks") {
    constexpr std::size_t count = 200'000;
    Drift drift(LuckKey::root(3));
    drift.set_memory(Duration::millis(100));
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(
            centred(drift.quantile_at(Instant{} + Drift::step * static_cast<std::int64_t>(i))));
    // a = 100 / 110. Of that many values (1 - a) / (1 + a) = 1 / 21 count: 9,500. The mean of a
    // uniform law of width 2^20 has a standard deviation of 2^20 * 0.289 / sqrt(9,500) = 3,100.
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    std::int64_t products = 0;
    std::size_t above = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += values[i];
        squares += values[i] * values[i] / 1'024;
        if (i + 10 < count) products += values[i] * values[i + 10] / 1'024;
        if (values[i] >= (std::int64_t{1} << 20) * 49 / 100) ++above;
    }
    CHECK(std::abs(sum / static_cast<std::int64_t>(count)) < 4 * 3'100);
    // 1 % lie in the last hundredth; its stretches are some 4 values long: 2,000 +- 4 * sqrt(2,000
    // * 4).
    CHECK(above > 1'640);
    CHECK(above < 2'360);
    // Ten steps keep a^10 = 0.386 of a normal value; ranks correlate by 6 / pi * asin(0.386 / 2) =
    // 0.371.
    const std::int64_t permille = products / (squares / 1'000);
    CHECK(permille > 371 - 60);
    CHECK(permille < 371 + 60);
    // Whoever asks rarely sees the same.
    Drift rare(LuckKey::root(3));
    rare.set_memory(Duration::millis(100));
    for (std::size_t i = 0; i < count; i += 997) {
        const Instant at =
            Instant{} + Drift::step * static_cast<std::int64_t>(i) + Duration::millis(7);
        CHECK(centred(rare.quantile_at(at)) == values[i]);
    }
}

TEST_CASE("drift: what is sent in one step is late alike, and other traffic changes nothing") {
    DirectionConfig config;
    config.order = LinkOrder::free;
    config.jitter = {.kind = JitterConfig::Kind::lognormal,
                     .p50 = Duration::millis(5),
                     .p99 = Duration::millis(60),
                     .drift = Duration::millis(300)};
    LinkDirection dense = direction_of(config);
    LinkDirection sparse = direction_of(config);
    std::vector<Duration> delays;
    std::size_t changes = 0;
    for (std::int64_t i = 0; i < 20'000; ++i) {
        const Instant now = at_us(i * 5'000);
        const Duration delay = dense.send(now, 100, tag).arrival[0] - now;
        if (i % 2 == 1) CHECK(delay == delays.back());
        if (i % 2 == 0 && i > 0 && delay != delays.back()) ++changes;
        delays.push_back(delay);
        if (i % 40 == 0) CHECK(sparse.send(now, 100, tag).arrival[0] - now == delay);
    }
    CHECK(changes > 9'000);
    // 100 s are some 160 memories of 600 ms there and back: half of the time above the median, to
    // 4 * 0.5 / sqrt(160) = 16 %.
    const auto above = std::count_if(delays.begin(), delays.end(),
                                     [](Duration delay) { return delay > Duration::millis(5); });
    CHECK(above > 20'000 * 34 / 100);
    CHECK(above < 20'000 * 66 / 100);
}

TEST_CASE("a table: from its least value, which is no jitter, through p50 in straight lines") {
    DirectionConfig config;
    config.delay = Duration::millis(10);
    config.order = LinkOrder::free;
    config.jitter.kind = JitterConfig::Kind::table;
    config.jitter.p50 = Duration::millis(4);
    config.jitter.table = std::make_shared<const DelayTable>(DelayTable{{0, 50, 200}});
    CHECK(compile(config)->floor == Duration::millis(10));
    LinkDirection link = direction_of(config);
    std::size_t low = 0;
    for (std::int64_t i = 0; i < 20'000; ++i) {
        const Instant now = at_us(i * 1'000);
        const Duration delay = link.send(now, 100, tag).arrival[0] - now;
        CHECK(delay >= Duration::millis(10));
        CHECK(delay <= Duration::millis(26));
        if (delay <= Duration::millis(14)) ++low;
    }
    // Half of them: 10,000 +- 4 * sqrt(5,000).
    CHECK(low > 9'700);
    CHECK(low < 10'300);
}

TEST_CASE("a list of arrivals: the n-th datagram is as late as the n-th line, lost ones counted") {
    DirectionConfig config;
    config.delay = Duration::millis(10);
    config.order = LinkOrder::free;
    config.drops.list = {2};
    const auto lateness = [&](bool wraps) {
        config.trace.lateness = std::make_shared<const LatenessList>(
            LatenessList{{7'000'000, 1'000'000, 3'000'000}, wraps});
        LinkDirection link = direction_of(config);
        std::vector<std::int64_t> late;
        for (std::int64_t i = 0; i < 5; ++i) {
            const Instant now = at_us(i * 1'000);
            const Fate fate = link.send(now, 100, tag);
            late.push_back(fate.copies == 0 ? -1 : (fate.arrival[0] - now).ns / 1'000'000 - 10);
        }
        return late;
    };
    CHECK(lateness(true) == std::vector<std::int64_t>{7, -1, 3, 7, 1});
    CHECK(lateness(false) == std::vector<std::int64_t>{7, -1, 3, 0, 0});
}

TEST_CASE("too large for a path that says so: lost as before, with a cause of its own") {
    DirectionConfig config;
    config.mtu = 500;
    for (const bool replies : {false, true}) {
        config.has_mtu_reply = replies;
        LinkDirection link = direction_of(config);
        CHECK(link.send(at_us(0), 472, tag).cause == DropCause::none);
        CHECK(link.send(at_us(0), 473, tag).cause ==
              (replies ? DropCause::mtu_reply : DropCause::mtu));
        CHECK(link.counters().dropped.of(DropCause::mtu_reply) == (replies ? 1u : 0u));
    }
}

}  // namespace wt::sim::drift_test
