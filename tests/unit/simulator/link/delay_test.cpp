// SPDX-License-Identifier: MIT
//
// Delay, jitter, order, duplication, and the weather rule: which change moves which draw.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim {

TEST_CASE("an empty profile adds nothing and loses nothing (T8)") {
    LinkDirection link = direction_of({});
    for (std::int64_t i = 0; i < 1'000; ++i) {
        const Instant now = at_us(i * 777);
        const Fate fate = link.send(now, 100, transport::WeatherTag::lane_1);
        REQUIRE(fate.cause == DropCause::none);
        REQUIRE(fate.copies == 1);
        REQUIRE(fate.arrival[0] == now);
        REQUIRE(fate.queue_wait == Duration{});
    }
}

TEST_CASE("no arrival is sooner than the floor, for every family; clamps are counted") {
    using Kind = JitterConfig::Kind;
    for (const Kind kind :
         {Kind::none, Kind::uniform, Kind::normal, Kind::lognormal, Kind::gamma, Kind::pareto}) {
        DirectionConfig config;
        config.delay = Duration::millis(20);
        config.order = LinkOrder::free;
        config.jitter = {kind, Duration::millis(8), Duration::millis(2), Duration::millis(30)};
        const Duration floor = compile(config)->floor;
        CHECK(floor >= config.delay);
        LinkDirection link = direction_of(config);
        Instant now{};
        for (const Fate& fate : send_many(link, 20'000, Duration::millis(1))) {
            REQUIRE(fate.arrival[0] - now >= floor);
            now += Duration::millis(1);
        }
        // A normal around 2 ms that reaches 30 ms at p99 has a deviation of 12 ms: P(z < -1/6) is
        // 43.4 %, all of them held to the floor.
        if (kind == Kind::normal) {
            CHECK(link.counters().jitter_clamps > 8'400);
            CHECK(link.counters().jitter_clamps < 9'000);
        } else {
            CHECK(link.counters().jitter_clamps == 0);
        }
    }
}

TEST_CASE("order keep never overtakes, order free does (T5)") {
    DirectionConfig config;
    config.delay = Duration::millis(10);
    config.jitter = {JitterConfig::Kind::uniform, Duration::millis(1), {}, {}};
    std::uint32_t overtaken_free = 0;
    for (const LinkOrder order : {LinkOrder::keep, LinkOrder::free}) {
        config.order = order;
        LinkDirection link = direction_of(config);
        std::uint32_t overtaken = 0;
        Instant last{};
        for (const Fate& fate : send_many(link, 10'000, Duration::micros(100))) {
            if (fate.arrival[0] < last) ++overtaken;
            last = std::max(last, fate.arrival[0]);
        }
        if (order == LinkOrder::keep) CHECK(overtaken == 0);
        if (order == LinkOrder::free) overtaken_free = overtaken;
    }
    CHECK(overtaken_free > 5'000);
}

TEST_CASE("changing the loss rate leaves the delays of the survivors as they were") {
    DirectionConfig config;
    config.order = LinkOrder::free;
    config.jitter = {JitterConfig::Kind::lognormal, {}, Duration::millis(4), Duration::millis(60)};
    config.duplicate = {Chance::percent(10), Duration::millis(3)};
    config.corrupt = {Chance::percent(10), CorruptConfig::Kind::flip};
    LinkDirection calm = direction_of(config);
    config.loss = Chance::percent(40);
    LinkDirection rough = direction_of(config);
    const std::vector<Fate> before = send_many(calm, 5'000, Duration::micros(300));
    const std::vector<Fate> after = send_many(rough, 5'000, Duration::micros(300));
    std::uint32_t survivors = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        REQUIRE(before[i].cause == DropCause::none);
        if (after[i].cause != DropCause::none) continue;
        ++survivors;
        REQUIRE(after[i].arrival == before[i].arrival);
        REQUIRE(after[i].copies == before[i].copies);
        REQUIRE(after[i].corruption.luck == before[i].corruption.luck);
    }
    CHECK(survivors > 2'800);
    CHECK(survivors < 3'200);
}

TEST_CASE("one datagram less moves only its own tag's later ones of that millisecond") {
    DirectionConfig config;
    config.order = LinkOrder::free;
    config.jitter = {JitterConfig::Kind::uniform, Duration::millis(50), {}, {}};
    LinkDirection with = direction_of(config);
    LinkDirection without = direction_of(config);
    using transport::WeatherTag;
    (void)with.send(at_us(5'000), 10, WeatherTag::lane_2);
    const Fate same_slot = with.send(at_us(5'900), 10, WeatherTag::lane_2);
    const Fate other_tag = with.send(at_us(5'900), 10, WeatherTag::ack);
    const Fate next_slot = with.send(at_us(6'000), 10, WeatherTag::lane_2);
    CHECK(without.send(at_us(5'900), 10, WeatherTag::lane_2).arrival != same_slot.arrival);
    CHECK(without.send(at_us(5'900), 10, WeatherTag::ack).arrival == other_tag.arrival);
    CHECK(without.send(at_us(6'000), 10, WeatherTag::lane_2).arrival == next_slot.arrival);
}

TEST_CASE("duplicates come after their own delay, held-back ones later without holding others") {
    DirectionConfig config;
    config.delay = Duration::millis(10);
    config.duplicate = {Chance::always(), Duration::millis(7)};
    LinkDirection doubling = direction_of(config);
    const Fate twice = doubling.send(at_us(0), 10, transport::WeatherTag::lane_0);
    CHECK(twice.copies == 2);
    CHECK(twice.arrival[0] == at_us(10'000));
    CHECK(twice.arrival[1] == at_us(17'000));
    CHECK(doubling.counters().duplicated == 1);

    config.duplicate = {};
    config.reorder = {Chance::percent(20), Duration::millis(30)};
    LinkDirection holding = direction_of(config);
    std::uint32_t held = 0;
    Instant now{};
    for (const Fate& fate : send_many(holding, 2'000, Duration::millis(1))) {
        const Duration delay = fate.arrival[0] - now;
        REQUIRE(delay == (fate.was_held_back ? Duration::millis(40) : Duration::millis(10)));
        if (fate.was_held_back) ++held;
        now += Duration::millis(1);
    }
    CHECK(held > 340);
    CHECK(held < 460);
}

TEST_CASE("datagrams over the MTU vanish, the largest one passes") {
    DirectionConfig config;
    config.mtu = 576;
    LinkDirection link = direction_of(config);
    CHECK(link.send(at_us(0), 548, transport::WeatherTag::lane_0).cause == DropCause::none);
    CHECK(link.send(at_us(1), 549, transport::WeatherTag::lane_0).cause == DropCause::mtu);
}

TEST_CASE("a change of the configuration holds for what enters from then on") {
    DirectionConfig slow;
    slow.delay = Duration::millis(50);
    DirectionConfig quick;
    quick.delay = Duration::millis(1);
    LinkDirection link(LuckKey::root(1), {{at_us(0), compile(slow)},
                                          {at_us(100'000), compile(quick)},
                                          {at_us(200'000), compile(slow)}});
    const auto arrival = [&](std::int64_t us) {
        return link.send(at_us(us), 10, transport::WeatherTag::lane_0).arrival[0];
    };
    CHECK(arrival(99'999) == at_us(149'999));
    // Order is kept over the change: not before the one that is still under way.
    CHECK(arrival(100'000) == at_us(149'999));
    CHECK(arrival(199'999) == at_us(200'999));
    CHECK(arrival(200'000) == at_us(250'000));
}

TEST_CASE("corruptions alter, shorten or lengthen, within their bounds") {
    std::array<std::uint8_t, 16> room{};
    for (std::uint64_t luck = 1; luck < 2'000; ++luck) {
        room.fill(0x55);
        REQUIRE(apply({true, CorruptConfig::Kind::flip, luck}, room, 8) == 8);
        REQUIRE(std::count(room.begin(), room.begin() + 8, 0x55) == 7);
        REQUIRE(apply({true, CorruptConfig::Kind::truncate, luck}, room, 8) < 8);
        const std::size_t longer = apply({true, CorruptConfig::Kind::junk, luck}, room, 8);
        REQUIRE(longer > 8);
        REQUIRE(longer <= 16);
        REQUIRE(apply({true, CorruptConfig::Kind::junk, luck}, room, 16) == 16);
        REQUIRE(apply({false, CorruptConfig::Kind::flip, luck}, room, 8) == 8);
    }
    CHECK(apply({true, CorruptConfig::Kind::flip, 1}, room, 0) == 0);
    CHECK(apply({true, CorruptConfig::Kind::truncate, 1}, room, 0) == 0);
}

}  // namespace wt::sim
