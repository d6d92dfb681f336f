// SPDX-License-Identifier: MIT
//
// Reports from the field about time: round trips, timeouts, rates (F5, F6, F9, F15, F16, F19, F20,
// F21, F28). One client, one server, a link that does exactly what the test says.
#include "tests/sim/field_lab.hpp"

namespace wt::sim::field_timing_test {
namespace {

using transport::CloseReason;
using transport::Kind;
using transport::Lane;
using transport::SendStatus;

// 64 B each tick on the state lane until `count` were sent.
auto sender_of(Stream& stream, std::size_t count) {
    return [&stream, count](bots::Context& context, Script& self) {
        if (stream.sent() < count) CHECK(stream.send(context, self, 64) == SendStatus::ok);
    };
}

transport::ConnectionLevels levels_of(Lab& lab, Instant now) {
    transport::ConnectionLevels levels;
    REQUIRE(lab.client_mouth->levels_of(now, lab.client.peer, levels));
    return levels;
}

Grid usual_grid() {
    return {.poll = Duration::millis(5), .flush = Duration::millis(5)};
}

}  // namespace

// Below the floor of 200 ms (here 150 ms and at most four quanta of 5 ms) nothing is sent twice. An
// RTT above it is learnt: until the first sample everything goes out two or three times, which are
// the first 0.2 to 1 s of 100 s, and 60 of 6,000 more than once come to 1.02 each.
TEST_CASE("F5: without loss a fragment is sent once, whatever the round trip") {
    for (const std::int64_t rtt : {1, 2, 5, 10, 15, 20, 50, 100, 150, 250, 400}) {
        CAPTURE(rtt);
        const bool is_below = rtt <= 150;
        LabSettings settings = lab_of(Duration::millis(rtt),
                                      is_below ? Duration::seconds(20) : Duration::seconds(110));
        settings.grid = usual_grid();
        Lab lab(settings);
        Stream stream(Lane::state);
        lab.client.on_tick = sender_of(stream, is_below ? 600 : 6'000);
        lab.run();
        CHECK(stream.arrived_at(lab.server));
        const transport::Counters& counters = lab.client_mouth->counters();
        CHECK(counters.acked == stream.sent());
        if (is_below) CHECK(counters.fragments_sent == stream.sent());
        CHECK(counters.fragments_sent * 100 <= stream.sent() * 105);
        // Nor does the estimate creep: the path, and at most four quanta.
        const transport::ConnectionLevels levels = levels_of(lab, lab.plan.end);
        CHECK(levels.srtt >= Duration::millis(rtt));
        CHECK(levels.srtt <= Duration::millis(rtt + 20));
    }
}

// 60 a second over 900 ms are 54 in flight: they fit the window of 64. A message waits for the
// flush (5 ms) and for its place in the pace (900 / 64 = 14 ms).
TEST_CASE("F6: an echo of 60 a second does not queue up at any round trip") {
    for (const std::int64_t rtt : {20, 110, 250, 500, 900}) {
        CAPTURE(rtt);
        LabSettings settings = lab_of(Duration::millis(rtt), Duration::seconds(40));
        settings.reliability = secure::Reliability::profile_tuned();
        settings.grid = usual_grid();
        Lab lab(settings);
        Stream stream(Lane::state);
        Duration oldest{};
        std::size_t echoed = 0;
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            CHECK(stream.send(context, self, 64) == SendStatus::ok);
            if (context.now < Instant{} + Duration::seconds(10)) return;
            const auto age =
                levels_of(lab, context.now).queue_age[static_cast<unsigned>(Lane::state)];
            oldest = std::max(oldest, age);
        };
        lab.server.on_tick = [&](bots::Context& context, Script& self) {
            for (; echoed < self.got.size(); ++echoed) {
                const std::vector<std::uint8_t> bytes = numbered(echoed, 64);
                CHECK(context.endpoint.send(context.now, self.peer,
                                            {.lane = Lane::state, .bytes = bytes}) ==
                      SendStatus::ok);
            }
        };
        lab.run();
        CHECK(oldest <= Duration::millis(5 + 14 + 1));
        // Two seconds are the most that may be under way in the end.
        CHECK(lab.client.got.size() + 60 * 2 + 60 >= stream.sent());
        CHECK(lab.client.closed.empty());
    }
}

// The server has nothing of its own to say. Its acknowledgement waits for a poll and a flush, as
// does the client's look at it: 20 ms around the path, and a tick in which nothing was looked at.
TEST_CASE("F9: who has nothing to send acknowledges all the same, and soon") {
    LabSettings settings = lab_of(Duration::millis(40), Duration::seconds(20));
    settings.grid = usual_grid();
    Lab lab(settings);
    Stream stream(Lane::state);
    Duration oldest{};
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        if (stream.sent() < 1'000) CHECK(stream.send(context, self, 64) == SendStatus::ok);
        oldest = std::max(oldest, levels_of(lab, context.now).unacked_age);
    };
    lab.run();
    CHECK(lab.client_mouth->counters().acked == 1'000);
    CHECK(lab.client_mouth->counters().retransmits == 0);
    CHECK(oldest <= Duration::millis(40 + 20));
    const transport::Counters& server = lab.server_mouth->counters();
    // Challenge, accept, acknowledgements, keepalives: nothing else was said.
    CHECK(server.datagrams_sent == 2 + server.acks_sent + server.keepalives_sent);
}

// Both ends speak 60 times a second, so that each was last heard at most 17 ms and a way of 20 ms
// before or after the cut; the timeout is 10 s. Between 9.95 and 10.1 s it is a matter of which.
TEST_CASE("F15: blackouts of up to 9.9 s are survived, from 10.1 s on they end the session") {
    for (const std::int64_t ms :
         {500, 1'000, 2'000, 3'000, 5'000, 8'000, 9'000, 9'900, 10'100, 11'000, 12'000}) {
        CAPTURE(ms);
        LabSettings settings = lab_of(Duration::millis(40), Duration::seconds(30));
        settings.grid = usual_grid();
        Lab lab(settings);
        cut(lab, Instant{} + Duration::seconds(5), Duration::millis(ms));
        const auto talk = [](bots::Context& context, Script& self) {
            const std::array<std::uint8_t, 40> words{};
            static_cast<void>(context.endpoint.send(context.now, self.peer,
                                                    {.lane = Lane::gameplay,
                                                     .delivery = transport::Delivery::unreliable,
                                                     .bytes = words}));
        };
        lab.client.on_tick = talk;
        lab.server.on_tick = talk;
        lab.run();
        if (ms <= 9'900) {
            CHECK(lab.client.closed.empty());
            CHECK(lab.server.closed.empty());
            CHECK(levels_of(lab, lab.plan.end).silence_max >= Duration::millis(ms));
        } else {
            CHECK(lab.client.closed == std::vector<CloseReason>{CloseReason::timed_out});
            CHECK(lab.server.closed == std::vector<CloseReason>{CloseReason::timed_out});
        }
    }
}

// Without quanta a round trip takes the path and 2 ns. The estimator divides by 8 and rounds down.
TEST_CASE("F16: round trips of a few milliseconds are measured to the microsecond") {
    for (const std::int64_t rtt : {1, 2, 7, 8}) {
        CAPTURE(rtt);
        Lab lab(lab_of(Duration::millis(rtt), Duration::seconds(12)));
        Stream stream(Lane::state);
        lab.client.on_tick = sender_of(stream, 600);
        lab.run();
        const Duration error = levels_of(lab, lab.plan.end).srtt - Duration::millis(rtt);
        CHECK(error >= Duration::micros(-1));
        CHECK(error <= Duration::micros(1));
    }
}

// At 10 s the path goes from 50 to 350 ms. The timeout was 200 ms; what is sent before the first
// valid sample at the new path goes out two or three times: its backed-off timeout is carried, 400
// ms are enough, and so the first fragment that waits that long is sent once. That takes the old
// timeout, the way and a round trip: 5 round trips leave room.
TEST_CASE("F19: a round trip that jumps from 50 to 350 ms is learnt within five of them") {
    LabSettings settings = lab_of(Duration::millis(50), Duration::seconds(40));
    settings.grid = usual_grid();
    Lab lab(settings);
    const Instant step = Instant{} + Duration::seconds(10);
    LinkConfig slow = lab.plan.links[0];
    slow.up.delay = Duration::millis(175);
    slow.down.delay = slow.up.delay;
    lab.plan.acts.push_back({.name = "step",
                             .what = ActPlan::Do::change,
                             .start = step,
                             .hosts = {},
                             .link = "line",
                             .becomes = slow});
    Stream stream(Lane::state);
    lab.client.on_tick = sender_of(stream, 1'700);
    lab.run_until(Duration::seconds(10));
    CHECK(lab.client_mouth->counters().retransmits == 0);
    lab.run_until(Duration::millis(10'000 + 5 * 350));
    const std::uint64_t learnt = lab.client_mouth->counters().retransmits;
    CHECK(learnt > 0);
    lab.run();
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.client_mouth->counters().retransmits == learnt);
    CHECK(levels_of(lab, lab.plan.end).srtt >= Duration::millis(350));
}

// A third of the datagrams come 30 ms late, a third twice. A sending is found lost, once, where it
// or its acknowledgement was late and three newer ones were not: less than 1 - (2/3)^2 = 5 of 9. So
// a fragment goes out 9/4 times in the mean at most; of 4,000 one goes out 15 times (4,000 *
// (5/9)^14 = 1), and 20 leave room.
TEST_CASE("F20: in a storm of copies and reordering a sending is found lost once") {
    LabSettings settings = lab_of(Duration::millis(60), Duration::seconds(40));
    settings.reliability.fast_retransmit = 3;
    settings.grid = usual_grid();
    for (DirectionConfig* way : {&settings.up, &settings.down}) {
        way->order = LinkOrder::free;
        way->reorder = {.chance = Chance::percent(33), .by = Duration::millis(30)};
        way->duplicate = {.chance = Chance::percent(33), .delay = Duration::millis(10)};
    }
    Lab lab(settings);
    Stream stream(Lane::state);
    unsigned most = 0;
    lab.client_mouth->swallow = [&](Instant, const transport::Label& label) {
        most = std::max<unsigned>(most, label.transmission);
        return false;
    };
    lab.client.on_tick = [&](bots::Context& context, Script& self) {
        for (int i = 0; i < 4 && stream.sent() < 4'000; ++i)
            CHECK(stream.send(context, self, 64) == SendStatus::ok);
    };
    lab.run();
    CHECK(stream.arrived_at(lab.server));
    CHECK(lab.client_mouth->counters().fast_retransmits > 0);
    CHECK(lab.client_mouth->counters().fragments_sent * 4 <= stream.sent() * 9);
    CHECK(most >= 2);
    CHECK(most <= 20);
}

// A record of 256 KiB is 239 fragments. With nothing but the window of 64 in flight its fourth and
// last flight leaves after 3 round trips and arrives after 3.5. The pace spreads a window over a
// round trip, so that the last fragment leaves after 238 / 64 of them. The lab has no quanta; of
// the pace up to 10 ms may be caught up (which only makes it sooner), and a millisecond leaves room
// for the estimate of the round trip.
TEST_CASE(
    "F21: throughput is the window over the round trip, and the timeout at no delay its floor") {
    for (const std::int64_t rtt : {0, 20, 50, 100, 150}) {
        CAPTURE(rtt);
        LabSettings settings = lab_of(Duration::millis(rtt), Duration::seconds(20));
        settings.reliability = secure::Reliability::profile_tuned();
        Lab lab(settings);
        Stream small(Lane::state);
        Stream bulk(Lane::bulk);
        lab.client.on_tick = [&](bots::Context& context, Script& self) {
            // The round trip is known before the record comes.
            if (small.sent() < 60) CHECK(small.send(context, self, 64) == SendStatus::ok);
            if (context.now >= Instant{} + Duration::seconds(5) && bulk.sent() == 0)
                CHECK(bulk.send(context, self, 256 * 1'024) == SendStatus::ok);
        };
        lab.run();
        REQUIRE(bulk.arrived_at(lab.server));
        const Duration took = lab.server.got.back().latency;
        CHECK(took <=
              Duration::millis(rtt) * 238 / 64 + Duration::millis(rtt) / 2 + Duration::millis(1));
        CHECK(took >= Duration::millis(rtt) * 7 / 2);
        CHECK(lab.client_mouth->counters().retransmits == 0);
        if (rtt == 0) CHECK(levels_of(lab, lab.plan.end).rto == Duration::millis(200));
    }
}

}  // namespace wt::sim::field_timing_test
