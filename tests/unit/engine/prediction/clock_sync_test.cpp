// SPDX-License-Identifier: MIT
//
// Goal: the estimate is wrong by exactly half the asymmetry and by nothing else; steps are told
// from freaks. Method: echoes with known ways.
#include <doctest/doctest.h>

#include "engine/prediction/clock_sync.hpp"
#include "engine/prediction/recent_extreme.hpp"

namespace wt::prediction {
namespace {

constexpr Frequency rate{60};

// One echo: sent so long ago, held for `hold` at the server, arriving now.
struct Ways {
    Duration up{};
    Duration down{};
    Duration hold = Duration::millis(16);
};

// The snapshot of the server's tick `tick`, whose clock started with the world's. The client's
// clock shows `ahead` more.
void echo(ClockSync& clock, Tick tick, const Ways& ways, Duration ahead) {
    const Instant sent_by_server = rate.tick(tick);
    const Instant now = sent_by_server + ways.down + ahead;
    const Instant asked = sent_by_server - ways.hold - ways.up + ahead;
    clock.on_snapshot(now, tick,
                      {.has_echo = true,
                       .echo_us = ClockSync::wire_clock(asked),
                       .hold_16us = static_cast<std::uint16_t>(ways.hold.ns / 16'000)});
}

Duration error_at(const ClockSync& clock, Instant now, Duration ahead) {
    return duration_of(clock.server_now(now + ahead) - clock_ticks(now, rate), rate);
}

bool is_within(Duration value, Duration wanted, Duration by) {
    return value >= wanted - by && value <= wanted + by;
}

TEST_CASE("the bias is half of what the ways differ") {
    // The clock goes in steps of 1 us, the hold of 16: together below 20.
    constexpr Duration grain = Duration::micros(20);
    for (const std::int64_t up : {0, 20, 100}) {
        for (const std::int64_t down : {0, 20, 100}) {
            for (const std::int64_t ahead_s : {-5, 0, 4'000}) {
                ClockSync clock(rate);
                const Duration ahead = Duration::seconds(ahead_s);
                const Ways ways{.up = Duration::millis(up), .down = Duration::millis(down)};
                for (Tick tick = 6'000; tick < 6'060; tick += 3)
                    echo(clock, tick, ways, ahead);
                REQUIRE(clock.has_estimate());
                CHECK(is_within(clock.round_trip(), ways.up + ways.down, grain));
                const Duration bias = {(ways.up - ways.down).ns / 2};
                const Duration error = error_at(clock, Instant{101'000'000'000}, ahead);
                CHECK(is_within(error, bias, grain));
                CHECK(clock.counters().steps == 0);
            }
        }
    }
}

TEST_CASE("the shortest of the last round trips counts, and it is forgotten in time") {
    ClockSync clock(rate);
    const Ways quick{.up = Duration::millis(10), .down = Duration::millis(10)};
    const Ways slow{.up = Duration::millis(10), .down = Duration::millis(90)};
    echo(clock, 600, quick, {});
    for (Tick tick = 603; tick < 603 + 63 * 3; tick += 3)
        echo(clock, tick, slow, {});
    CHECK(clock.round_trip() < Duration::millis(21));
    echo(clock, 603 + 63 * 3, slow, {});
    CHECK(clock.round_trip() > Duration::millis(99));
}

TEST_CASE("one impossible sample is a freak, two are a clock that jumped") {
    ClockSync clock(rate);
    const Ways ways{.up = Duration::millis(10), .down = Duration::millis(10)};
    for (Tick tick = 600; tick < 630; tick += 3)
        echo(clock, tick, ways, {});
    const Duration jumped = Duration::seconds(3);
    echo(clock, 630, ways, jumped);
    CHECK(clock.counters().outside == 1);
    CHECK(clock.counters().steps == 0);
    CHECK(is_within(error_at(clock, Instant{20'000'000'000}, {}), {}, Duration::micros(20)));
    echo(clock, 633, ways, {});
    echo(clock, 636, ways, jumped);
    CHECK(clock.counters().steps == 0);
    echo(clock, 639, ways, jumped);
    CHECK(clock.counters().steps == 1);
    CHECK(is_within(error_at(clock, Instant{20'000'000'000}, jumped), {}, Duration::micros(20)));
}

TEST_CASE("echoes that cannot be are no samples") {
    ClockSync clock(rate);
    const Instant now{50'000'000'000};
    const std::uint32_t clock_us = ClockSync::wire_clock(now);
    clock.on_snapshot(now, 3'000, {.has_echo = true, .echo_us = clock_us + 33});
    CHECK_FALSE(clock.has_estimate());
    clock.on_snapshot(now, 3'000, {.has_echo = true, .echo_us = clock_us - 10'000'001});
    CHECK_FALSE(clock.has_estimate());
    clock.on_snapshot(now, 3'000, {});
    CHECK_FALSE(clock.has_estimate());
    CHECK(clock.counters().impossible == 2);
    clock.on_snapshot(now, 3'000, {.has_echo = true, .echo_us = clock_us - 10'000'000});
    CHECK(clock.has_estimate());
    ClockSync other(rate);
    other.on_snapshot(now, 3'000, {.has_echo = true, .echo_us = clock_us + 32});
    CHECK(other.has_estimate());
    CHECK(other.round_trip() == Duration{});
}

TEST_CASE("the largest of a window rises at once and falls after it") {
    RecentMaximum recent(Duration::seconds(16), 0);
    CHECK(recent.empty());
    recent.add(Instant{0}, 5);
    recent.add(Instant{500'000'000}, 9);
    CHECK(recent.value() == 9);
    recent.add(Instant{1'500'000'000}, 3);
    recent.turn(Instant{15'900'000'000});
    CHECK(recent.value() == 9);
    recent.turn(Instant{16'000'000'000});
    CHECK(recent.value() == 3);
    recent.turn(Instant{100'000'000'000});
    CHECK(recent.empty());
    // With one outlier of sixteen allowed: only once all sixteen have something to say.
    RecentMaximum patient(Duration::seconds(16), 1);
    for (std::int64_t second = 0; second < 15; ++second)
        patient.add(Instant{second * 1'000'000'000}, second == 3 ? 100 : second);
    CHECK(patient.value() == 100);
    patient.add(Instant{15'000'000'000}, 0);
    CHECK(patient.value() == 14);
}

}  // namespace
}  // namespace wt::prediction
