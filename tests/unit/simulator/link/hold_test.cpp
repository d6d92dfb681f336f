// SPDX-License-Identifier: MIT
//
// A link that stands still again and again: what is held, for how long, and in which order it goes.
#include <doctest/doctest.h>

#include <algorithm>

#include "simulator/link/periodic_hold.hpp"
#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::hold_test {
namespace {

constexpr Duration every = Duration::millis(500);
constexpr Duration length = Duration::millis(50);

DirectionConfig suspended(SuspendConfig::Side side) {
    DirectionConfig config;
    config.delay = Duration::millis(10);
    config.suspend = {every, length, side};
    return config;
}

}  // namespace

TEST_CASE("each stillness has its length, and the instants around it are as they were") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const PeriodicHold hold(LuckKey::root(seed), every, length);
        // The first stillness begins inside the first period.
        Instant start{};
        while (hold.released(start) == start && start < Instant{} + every)
            start += Duration::millis(1);
        REQUIRE(start < Instant{} + every);
        const Instant end = hold.released(start);
        CHECK(hold.released(end) == end);
        CHECK(hold.released({end.ns - 1}) == end);
        CHECK(hold.released({end.ns - length.ns}) == end);
        CHECK(hold.released({end.ns - length.ns - 1}).ns == end.ns - length.ns - 1);
        CHECK(hold.count({end.ns - length.ns - 1}) == 0);
        CHECK(hold.count(end) == 1);
        CHECK(hold.count(end + every) == 2);
        CHECK(hold.released(end + every * 100 - Duration::nanos(1)) == end + every * 100);
    }
    CHECK(PeriodicHold{}.released(at_us(5)) == at_us(5));
}

TEST_CASE("the receiver's side: arrivals of the stillness come at its end") {
    LinkDirection link = direction_of(suspended(SuspendConfig::Side::receiver));
    std::size_t held = 0;
    Instant last{};
    for (std::int64_t i = 0; i < 10'000; ++i) {
        const Instant now = at_us(i * 1'000);
        const Fate fate = link.send(now, 100, transport::WeatherTag::lane_1);
        REQUIRE(fate.cause == DropCause::none);
        const Duration delay = fate.arrival[0] - now;
        REQUIRE(delay >= Duration::millis(10));
        REQUIRE(delay <= Duration::millis(60));
        REQUIRE(fate.arrival[0] >= last);
        last = fate.arrival[0];
        if (delay > Duration::millis(10)) ++held;
    }
    // 20 periods of 500 datagrams; 50 of each, or 49 where one comes as the hold ends.
    CHECK(held >= 19 * 49);
    CHECK(held <= 20 * 50);
}

TEST_CASE("the sender's side: what was held leaves one after another at the rate") {
    DirectionConfig config = suspended(SuspendConfig::Side::sender);
    config.rate = {1'024'000};  // 128 B with headers take 1 ms.
    config.queue = {QueueConfig::Unit::bytes, 1'000'000, 0, {}};
    LinkDirection link = direction_of(config);
    Instant last{};
    Duration longest{};
    for (std::int64_t i = 0; i < 2'000; ++i) {
        const Instant now = at_us(i * 2'000);
        const Fate fate = link.send(now, 100, transport::WeatherTag::lane_1);
        REQUIRE(fate.cause == DropCause::none);
        REQUIRE(fate.arrival[0] - last >= Duration::millis(i == 0 ? 0 : 1));
        last = fate.arrival[0];
        longest = std::max(longest, fate.queue_wait);
    }
    // The first one of a stillness waits for all of it; the others less, plus those before them.
    CHECK(longest > Duration::millis(47));
    CHECK(longest <= Duration::millis(50));
}

TEST_CASE("the sender's side: what is held takes room in the queue") {
    DirectionConfig config = suspended(SuspendConfig::Side::sender);
    config.rate = {100'000'000};
    config.queue = {QueueConfig::Unit::packets, 0, 10, {}};
    LinkDirection link = direction_of(config);
    std::size_t dropped = 0;
    for (std::int64_t i = 0; i < 1'000; ++i) {
        if (link.send(at_us(i * 1'000), 100, transport::WeatherTag::lane_1).cause ==
            DropCause::queue)
            ++dropped;
    }
    // Two stillnesses (one may lie across an end) of 50 datagrams, of which 10 fit.
    CHECK(dropped >= 39);
    CHECK(dropped <= 80);
}

}  // namespace wt::sim::hold_test
