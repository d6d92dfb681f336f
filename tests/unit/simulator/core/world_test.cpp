// SPDX-License-Identifier: MIT
//
// The world's own rules: exact delays, strict visibility, what partitions, kills, pauses and full
// buffers do, and that every datagram is accounted for (Party::run checks conservation each time).
#include <doctest/doctest.h>

#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim {
namespace {

std::uint64_t dropped(const World& world, std::uint32_t bot, DropCause cause) {
    return world.path_counters(bot, Way::up).dropped.of(cause) +
           world.path_counters(bot, Way::down).dropped.of(cause);
}

}  // namespace

TEST_CASE("everybody comes in and talks over a perfect link; zero delay is exact (T8, T19)") {
    Party party(3);
    World& world = party.run();
    CHECK(party.server().connects == 3);
    for (std::uint32_t bot = 0; bot < 3; ++bot) {
        CHECK(party.bot(bot).connects == 1);
        CHECK(party.bot(bot).sent > 160);
        const PathCounters up = world.path_counters(bot, Way::up);
        CHECK(up.dropped.total() == 0);
        CHECK(up.duplicated == 0);
        CHECK(up.sent == up.delivered + up.in_flight);
        // Ticks lie between flush instants, so what a tick says leaves up to 5 ms later and is
        // read one poll after that: never more than 10 ms, and always the same.
        for (const Duration delay : party.bot(bot).delays) {
            CHECK(delay > Duration{});
            CHECK(delay <= Duration::millis(10));
        }
    }
}

TEST_CASE("with quanta of 0 a datagram takes the link's delay and the one nanosecond to be seen") {
    for (const Duration one_way : {Duration{}, Duration::nanos(1), Duration::millis(7)}) {
        Party party(2);
        party.plan.grid = {Duration{}, Duration{}};
        party.up().delay = one_way;
        party.down().delay = one_way;
        party.run();
        REQUIRE(party.bot(1).delays.size() > 100);
        for (const Duration delay : party.bot(1).delays)
            REQUIRE(delay == one_way + Duration::nanos(1));
    }
}

TEST_CASE("100 % loss lets nothing through, handshakes included (T7)") {
    Party party(2);
    party.up().loss = Chance::always();
    World& world = party.run();
    CHECK(party.server().connects == 0);
    CHECK(world.path_counters(0, Way::up).sent > 10);
    CHECK(world.path_counters(0, Way::up).delivered == 0);
    CHECK(party.bot(0).last_reason == transport::CloseReason::no_answer);
}

TEST_CASE("a partition drops what is sent into it and what is in flight, both ways (T13)") {
    Party party(2);
    party.up().delay = Duration::millis(60);
    party.down().delay = Duration::millis(60);
    party.act(ActPlan::Do::partition, 1'000, 1'300, {party.host_of_bot(0)});
    World& world = party.run();
    // 300 ms of sending and 60 ms of flight, 60 messages a second and keepalives.
    for (const Way way : {Way::up, Way::down}) {
        const std::uint64_t lost = world.path_counters(0, way).dropped.of(DropCause::partition);
        CHECK(lost >= 21);
        CHECK(lost <= 27);
    }
    // Shorter than the timeout of 500 ms: nobody fell out.
    CHECK(party.bot(0).closes == 0);
    CHECK(dropped(world, 1, DropCause::partition) == 0);
}

TEST_CASE("a partition shorter than the flight loses exactly what was under way at some moment") {
    Party party(1);
    party.bot(0).is_quiet = true;
    party.server().is_quiet = true;
    party.up().delay = Duration::millis(300);
    // Keepalives leave each 100 ms, so three are in flight during any single millisecond.
    party.act(ActPlan::Do::partition, 1'501, 1'502, {party.host_of_bot(0)}).way = Way::up;
    World& world = party.run();
    CHECK(world.path_counters(0, Way::up).dropped.of(DropCause::partition) == 3);
    CHECK(dropped(world, 0, DropCause::partition) == 3);
}

TEST_CASE("partitions longer than the timeout disconnect, and reconnects bring the bot back") {
    Party party(2);
    party.act(ActPlan::Do::partition, 1'000, 1'600, {party.host_of_bot(0)});
    party.run();
    CHECK(party.bot(0).closes == 1);
    CHECK(party.bot(0).connects == 2);
    CHECK(party.bot(0).last_reason == transport::CloseReason::timed_out);
    CHECK(party.bot(1).closes == 0);
}

TEST_CASE("without reconnect a lost bot stays out; tries are counted") {
    Party party(2);
    party.plan.hosts[party.host_of_bot(0)].reconnect.reset();
    party.plan.hosts[party.host_of_bot(1)].reconnect->tries = 2;
    party.up().loss = Chance::always();
    party.plan.end = Instant{} + Duration::seconds(10);
    party.run();
    CHECK(party.bot(0).closes == 1);
    CHECK(party.bot(1).closes == 3);
}

TEST_CASE("a killed bot vanishes without a word and its old port answers nobody") {
    Party party(2);
    party.down().delay = Duration::millis(40);
    party.act(ActPlan::Do::kill, 1'000, 1'020, {party.host_of_bot(0)});
    World& world = party.run();
    CHECK(party.bot(0).starts == 2);
    CHECK(party.bot(0).connects == 2);
    CHECK(party.bot(0).closes == 0);
    // The server only finds out by its timeout, and keeps sending to the old port until then.
    CHECK(party.server().connects == 3);
    CHECK(party.server().closes == 1);
    CHECK(dropped(world, 0, DropCause::no_socket) > 25);
    CHECK(dropped(world, 1, DropCause::no_socket) == 0);
}

TEST_CASE("a kill without an end lasts, and one with an end needs reconnect to come back") {
    Party party(2);
    party.act(ActPlan::Do::kill, 1'000, -1, {party.host_of_bot(0)});
    party.plan.hosts[party.host_of_bot(1)].reconnect.reset();
    party.act(ActPlan::Do::kill, 1'000, 1'500, {party.host_of_bot(1)});
    party.run();
    CHECK(party.bot(0).starts == 1);
    CHECK(party.bot(1).starts == 1);
    CHECK(party.server().closes == 2);
}

TEST_CASE("a server restarted in no time forgets everybody and is found again at its address") {
    Party party(2);
    party.act(ActPlan::Do::restart, 1'000, 1'000, {party.at[0]});
    World& world = party.run();
    CHECK(party.server().starts == 2);
    CHECK(party.bot(0).closes == 1);
    CHECK(party.bot(0).connects == 2);
    CHECK(world.host(party.at[0]).incarnation() == 1);
}

TEST_CASE("a bot that leaves says goodbye and does not reconnect before the act's end") {
    Party party(1);
    party.act(ActPlan::Do::leave, 1'000, 2'000, {party.host_of_bot(0)});
    party.run();
    CHECK(party.bot(0).closes == 1);
    CHECK(party.bot(0).last_reason == transport::CloseReason::application);
    CHECK(party.server().last_reason == transport::CloseReason::remote);
    CHECK(party.bot(0).starts == 2);
    CHECK(party.server().connects == 2);
}

TEST_CASE("a long pause holds a receive buffer's worth, and lets go of the rest meanwhile") {
    Party party(1);
    HostPlan& paused = party.plan.hosts[party.host_of_bot(0)];
    paused.receive_buffer = 690;  // Ten messages of 41 B and 28 of headers.
    // From 500 ms to the run's end: what came is neither read nor counted as in flight.
    party.act(ActPlan::Do::pause, 500, 1'000'000, {party.host_of_bot(0)});
    World& world = party.run();
    const PathCounters counters = world.path_counters(0, Way::down);
    CHECK(dropped(world, 0, DropCause::receive_buffer) >= 20);
    // Ten messages held, or a keepalive or two of 57 B more; the server has given up meanwhile.
    CHECK(counters.in_flight >= 10);
    CHECK(counters.in_flight <= 12);
    CHECK(counters.sent == counters.delivered + counters.dropped.total() + counters.in_flight);
}

TEST_CASE("a paused host does nothing and finds its receive buffer full") {
    Party party(1);
    HostPlan& paused = party.plan.hosts[party.host_of_bot(0)];
    // Messages are 41 B and 28 of headers: ten fit, and keepalives of 29 in between.
    paused.receive_buffer = 690;
    party.act(ActPlan::Do::pause, 1'000, 1'400, {party.host_of_bot(0)});
    World& world = party.run();
    CHECK(party.bot(0).closes == 0);
    const std::uint64_t lost = dropped(world, 0, DropCause::receive_buffer);
    // 24 messages and 4 keepalives came.
    CHECK(lost >= 17);
    CHECK(lost <= 18);
    // 3 s of ticks, less the pause.
    CHECK(party.bot(0).ticks >= 155);
    CHECK(party.bot(0).ticks <= 157);
}

TEST_CASE("behave holds for its time and reverts to what the bot was; the later start wins") {
    using bots::BehaviourKind;
    Party party(2);
    const std::uint32_t bot = party.host_of_bot(0);
    party.act(ActPlan::Do::behave, 1'000, 2'000, {bot}).as = BehaviourKind::idle;
    party.act(ActPlan::Do::behave, 1'200, 1'300, {bot}).as = BehaviourKind::chatter;
    party.run();
    const std::vector<std::optional<BehaviourKind>> expected = {
        BehaviourKind::idle, BehaviourKind::chatter, BehaviourKind::idle, std::nullopt};
    CHECK(party.bot(0).behaved == expected);
    CHECK(party.bot(0).starts == 1);
    // Idle for 1 s less the 100 ms in between: 54 ticks without a word.
    CHECK(party.bot(1).sent - party.bot(0).sent >= 53);
    CHECK(party.bot(1).sent - party.bot(0).sent <= 55);
}

TEST_CASE("a change of a link reverts, and the later of two wins while both hold") {
    Party party(1);
    party.plan.grid = {Duration{}, Duration{}};
    LinkConfig slow = party.plan.links[0];
    slow.down.delay = Duration::millis(50);
    LinkConfig slower = party.plan.links[0];
    slower.down.delay = Duration::millis(90);
    for (const auto& [from, to, becomes] :
         {std::tuple{500, 2'000, slow}, std::tuple{1'000, 1'500, slower}}) {
        ActPlan& act = party.act(ActPlan::Do::change, from, to, {});
        act.link = "test";
        act.becomes = becomes;
    }
    World& world = party.run();
    const std::vector<Duration>& delays = party.bot(0).delays;
    const auto count = [&](std::int64_t ms) {
        return std::count(delays.begin(), delays.end(), Duration::millis(ms) + Duration::nanos(1));
    };
    // Order is kept, so what follows a slow stretch waits behind it.
    CHECK(count(90) == 30);
    CHECK(count(50) >= 50);
    CHECK(count(50) <= 60);
    CHECK(count(0) >= 75);
    CHECK(world.path_counters(0, Way::down).dropped.total() == 0);
}

TEST_CASE("a datagram to an address that is nobody's has the cause no_socket") {
    Party party(1);
    party.plan.hosts[party.host_of_bot(0)].connect.reset();
    World world(party.plan);
    (void)party.endpoints[party.host_of_bot(0)]->connect({}, {.server = {.ip = {9}, .port = 9}});
    world.run_until(party.plan.end);
    world.finish();
    CHECK(dropped(world, 0, DropCause::no_socket) > 5);
    CHECK(world.path_counters(0, Way::up).delivered == 0);
}

TEST_CASE("10,000 datagrams with one deadline arrive in admission order (T16)") {
    ArrivalQueue queue;
    // Pushed in an order that has nothing to do with their sequence.
    for (std::uint64_t i = 0; i < 10'000; ++i)
        queue.push({Instant{5}, i * 7'919 % 10'000, {}});
    for (std::uint64_t i = 0; i < 10'000; ++i)
        REQUIRE(queue.pop().order == i);
    CHECK(queue.is_empty());
}

}  // namespace wt::sim
