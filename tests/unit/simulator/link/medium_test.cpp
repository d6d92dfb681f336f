// SPDX-License-Identifier: MIT
//
// Policers, listed losses, handovers, slots and recordings: figures by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::medium_test {
namespace {

constexpr transport::WeatherTag tag = transport::WeatherTag::lane_1;
constexpr std::uint32_t payload_of(std::uint32_t whole) {
    return whole - header_bytes;
}

std::int64_t arrival_us(LinkDirection& link, std::int64_t now_us, std::uint32_t whole) {
    const Fate fate = link.send(at_us(now_us), payload_of(whole), tag);
    REQUIRE(fate.cause == DropCause::none);
    return fate.arrival[0].ns / 1'000;
}

}  // namespace

TEST_CASE("a policer passes its burst, then its rate, to the nanosecond") {
    DirectionConfig config;
    config.police = {{8'000}, 1'500};  // 1,000 B a second.
    LinkDirection link = direction_of(config);
    const auto cause = [&](Instant now) { return link.send(now, payload_of(500), tag).cause; };
    for (int i = 0; i < 3; ++i)
        CHECK(cause({}) == DropCause::none);
    CHECK(cause({}) == DropCause::police);
    // 500 B are half a second. What was dropped took nothing.
    CHECK(cause({499'999'999}) == DropCause::police);
    CHECK(cause({500'000'000}) == DropCause::none);
    CHECK(cause({500'000'000}) == DropCause::police);
    // However long it is quiet, no more than a burst comes together.
    for (int i = 0; i < 3; ++i)
        CHECK(cause(at_us(60'000'000)) == DropCause::none);
    CHECK(cause(at_us(60'000'000)) == DropCause::police);
}

TEST_CASE("every n-th, and listed ones, counted from 1 by what is handed over") {
    DirectionConfig config;
    config.drops.every = 10;
    LinkDirection tenth = direction_of(config);
    config.drops = {.every = 0, .list = {1, 3, 4}};
    LinkDirection listed = direction_of(config);
    for (std::uint64_t number = 1; number <= 100; ++number) {
        const Instant now = at_us(static_cast<std::int64_t>(number) * 1'000);
        const bool is_tenth = tenth.send(now, 100, tag).cause == DropCause::loss;
        CHECK(is_tenth == (number % 10 == 0));
        const bool is_listed = listed.send(now, 100, tag).cause == DropCause::loss;
        CHECK(is_listed == (number == 1 || number == 3 || number == 4));
    }
}

TEST_CASE("a handover: a gap that holds or loses, then another delay") {
    DirectionConfig config;
    config.delay = Duration::millis(20);
    config.handover = {Duration::seconds(1), Duration::millis(100), Duration::millis(30), {}};
    LinkDirection link = direction_of(config);
    std::map<std::int64_t, std::int64_t> count_of;  // By added delay, in ns.
    std::size_t held = 0;
    for (std::int64_t ms = 0; ms < 20'000; ++ms) {
        const Instant now = at_us(ms * 1'000);
        const Fate fate = link.send(now, 100, tag);
        REQUIRE(fate.cause == DropCause::none);
        const Duration waited = fate.queue_wait;
        if (waited > Duration{}) ++held;
        REQUIRE(waited <= Duration::millis(100));
        ++count_of[(fate.arrival[0] - now - waited - Duration::millis(20)).ns];
    }
    // 20 gaps of 100 datagrams; the first at its very beginning or just after.
    CHECK(held >= 19 * 99);
    CHECK(held <= 20 * 100);
    CHECK(count_of.begin()->first >= 0);
    // Keeping order may hold a datagram of the interval before back, into the next one's delay.
    std::int64_t steady = 0;
    for (const auto& [extra, count] : count_of)
        steady += count > 500 ? count : 0;
    CHECK(steady >= 19'000);
    config.handover.loss = Chance::always();
    LinkDirection losing = direction_of(config);
    std::size_t lost = 0;
    for (std::int64_t ms = 0; ms < 20'000; ++ms)
        if (losing.send(at_us(ms * 1'000), 100, tag).cause == DropCause::loss) ++lost;
    CHECK(lost == held);
}

TEST_CASE("slots: so many bytes each, and what is larger takes several") {
    DirectionConfig config;
    config.slot = {Duration::millis(10), 1'500};
    config.queue = {QueueConfig::Unit::bytes, 100'000, 0, {}};
    LinkDirection link = direction_of(config);
    std::map<std::int64_t, int> in_slot;
    for (int i = 0; i < 10; ++i)
        ++in_slot[arrival_us(link, 1'000, 500)];
    REQUIRE(in_slot.size() == 4);
    const std::int64_t first = in_slot.begin()->first;
    CHECK(first < 11'000);
    CHECK(in_slot[first] == 3);
    CHECK(in_slot[first + 10'000] == 3);
    CHECK(in_slot[first + 20'000] == 3);
    CHECK(in_slot[first + 30'000] == 1);
    // 1,000 B are left in that slot; 4,000 B need two more.
    CHECK(arrival_us(link, 1'000, 4'000) == first + 50'000);
    // Nothing is saved up for a quiet stretch.
    const std::int64_t later = arrival_us(link, 1'000'500, 1'500);
    CHECK((later - first) % 10'000 == 0);
    CHECK(arrival_us(link, 1'000'500, 1'500) == later + 10'000);
}

TEST_CASE("a recording: its opportunities, each once, round and round") {
    OpportunityTrace trace{.times = {0, 0, 5'000'000, 20'000'000},
                           .period = Duration::millis(20),
                           .bytes = 1'500,
                           .wraps = true};
    DirectionConfig config;
    config.queue = {QueueConfig::Unit::bytes, 100'000, 0, {}};
    config.trace.opportunities = std::make_shared<const OpportunityTrace>(trace);
    LinkDirection link = direction_of(config);
    // From 1 ms on: 5, 20, then the next round's 0 twice, 5, 20, ...
    for (const std::int64_t ms : {5, 20, 20, 20, 25, 40, 40, 40, 45})
        CHECK(arrival_us(link, 1'000, 1'500) == ms * 1'000);
    CHECK(arrival_us(link, 1'000'001, 1'500) == 1'005'000);
    LinkDirection sharp = direction_of(config);
    CHECK(arrival_us(sharp, 20'000, 1'500) == 20'000);
    CHECK(arrival_us(sharp, 21'000, 500) == 25'000);
    CHECK(arrival_us(sharp, 21'000, 500) == 25'000);
    CHECK(arrival_us(sharp, 21'000, 501) == 40'000);
    trace.wraps = false;
    config.trace.opportunities = std::make_shared<const OpportunityTrace>(trace);
    LinkDirection once = direction_of(config);
    CHECK(arrival_us(once, 6'000, 1'500) == 20'000);
    CHECK(once.send(at_us(6'000), 100, tag).cause == DropCause::queue);
    CHECK(once.send(at_us(90'000), 100, tag).cause == DropCause::queue);
}

}  // namespace wt::sim::medium_test
