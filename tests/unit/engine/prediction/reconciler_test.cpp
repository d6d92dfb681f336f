// SPDX-License-Identifier: MIT
//
// Goal: what is shown of the own player is the server's word plus the commands after it, events
// happen once, and the picture follows smoothly. Method: a game that adds numbers.
#include <doctest/doctest.h>

#include "engine/prediction/event_ledger.hpp"
#include "engine/prediction/reconciler.hpp"
#include "engine/prediction/smoothing.hpp"

namespace wt::prediction {
namespace {

// The wire shows tens only.
struct Adding {
    using State = std::int64_t;
    using Command = std::int32_t;

    [[nodiscard]] State step(const State& state, const Command& command, Tick) const {
        return state + command;
    }
    [[nodiscard]] bool same(const State& a, const State& b) const { return a / 10 == b / 10; }
    [[nodiscard]] bool same_exactly(const State& a, const State& b) const { return a == b; }
};

Reconciler<Adding> ten_ticks() {
    Reconciler<Adding> own;
    own.start(100, 1'000);
    for (Tick tick = 101; tick <= 110; ++tick)
        CHECK(own.predict(tick, 10));
    return own;
}

TEST_CASE("a matching truth changes nothing that is shown") {
    Reconciler<Adding> own = ten_ticks();
    std::int64_t predicted = 0;
    CHECK(own.confirm(104, 1'040, predicted) == Confirmation::matched);
    CHECK(predicted == 1'040);
    CHECK(own.state() == 1'100);
    CHECK(own.counters().replayed == 0);
    CHECK(own.confirmed() == 104);
    CHECK(own.at(103) == nullptr);
    CHECK(*own.at(104) == 1'040);
    CHECK(own.at(111) == nullptr);
}

TEST_CASE("another truth is adopted and the commands after it are played again") {
    Reconciler<Adding> own = ten_ticks();
    std::int64_t predicted = 0;
    CHECK(own.confirm(104, 940, predicted) == Confirmation::corrected);
    CHECK(predicted == 1'040);
    CHECK(own.state() == 1'000);
    CHECK(own.counters().replayed == 6);
    // The next truth agrees with what was played again.
    CHECK(own.confirm(107, 970, predicted) == Confirmation::matched);
    // Equal on the wire, not equal: adopted without a correction.
    CHECK(own.confirm(108, 985, predicted) == Confirmation::matched);
    CHECK(own.state() == 1'005);
    CHECK(own.counters().corrected == 1);
}

TEST_CASE("stale and future truths change nothing") {
    Reconciler<Adding> own = ten_ticks();
    std::int64_t predicted = 7;
    CHECK(own.confirm(104, 1'040, predicted) == Confirmation::matched);
    predicted = 7;
    CHECK(own.confirm(104, 0, predicted) == Confirmation::stale);
    CHECK(own.confirm(101, 0, predicted) == Confirmation::stale);
    CHECK(own.confirm(111, 0, predicted) == Confirmation::ahead);
    CHECK(predicted == 7);
    CHECK(own.state() == 1'100);
    CHECK(own.confirmed() == 104);
    CHECK(own.newest() == 110);
}

TEST_CASE("prediction needs the next tick and room in its history") {
    Reconciler<Adding> own;
    CHECK_FALSE(own.predict(1, 1));
    std::int64_t predicted = 0;
    CHECK(own.confirm(50, 0, predicted) == Confirmation::rebased);
    CHECK_FALSE(own.predict(50, 1));
    CHECK_FALSE(own.predict(52, 1));
    Tick tick = 50;
    while (own.predict(tick + 1, 1))
        ++tick;
    CHECK(tick == 50 + Reconciler<Adding>::history - 1);
    CHECK(own.state() == Reconciler<Adding>::history - 1);
    CHECK(own.confirm(51, 1, predicted) == Confirmation::matched);
    CHECK(own.predict(tick + 1, 1));
}

TEST_CASE("an event happens once, however often it is played") {
    EventLedger ledger;
    const EventId shot{.tick = 10, .source = 1, .kind = 2};
    CHECK(ledger.predict(shot));
    CHECK_FALSE(ledger.predict(shot));
    CHECK_FALSE(ledger.confirm(shot));
    CHECK(ledger.confirm({.tick = 10, .source = 1, .kind = 3}));
    CHECK_FALSE(ledger.predict({.tick = 10, .source = 1, .kind = 3}));
    EventId retracted;
    CHECK_FALSE(ledger.next_retracted(10, retracted));
    const EventId wrong{.tick = 12, .source = 1, .kind = 2};
    CHECK(ledger.predict(wrong));
    CHECK_FALSE(ledger.next_retracted(11, retracted));
    REQUIRE(ledger.next_retracted(12, retracted));
    CHECK(retracted == wrong);
    CHECK_FALSE(ledger.next_retracted(12, retracted));
    CHECK(ledger.counters().retracted == 1);
}

TEST_CASE("a ledger that is full forgets the oldest and never shows them again") {
    EventLedger ledger;
    for (Tick tick = 1; tick <= EventLedger::capacity; ++tick)
        CHECK(ledger.confirm({.tick = tick}));
    CHECK(ledger.confirm({.tick = 1'000}));
    CHECK_FALSE(ledger.confirm({.tick = 1}));
    CHECK(ledger.counters().too_old == 1);
    CHECK_FALSE(ledger.confirm({.tick = 2}));
    CHECK(ledger.counters().suppressed == 1);
    CHECK(ledger.predict({.tick = 1'001}));
    CHECK(ledger.counters().forgotten == 0);
}

TEST_CASE("the picture follows a correction and a jump is shown at once") {
    Smoothing smoothing({.half_life = Duration::millis(50), .snap = 1'000});
    smoothing.on_correction({.x = 800, .y = -400});
    CHECK(smoothing.offset().x == -800);
    smoothing.advance(Duration::millis(25));
    CHECK(smoothing.offset().x == -600);
    smoothing.advance(Duration::millis(25));
    // Twice a quarter off is a little more than half: the line lies above the curve only within.
    CHECK(smoothing.offset().x == -450);
    smoothing.advance(Duration::millis(100));
    CHECK(smoothing.offset().x == -112);
    CHECK(smoothing.offset().y == 56);
    smoothing.advance(Duration::seconds(10));
    CHECK(smoothing.offset().x == 0);
    smoothing.on_correction({.x = 1'000, .y = 0});
    CHECK(smoothing.offset().x == -1'000);
    smoothing.on_correction({.x = 1, .y = 0});
    CHECK(smoothing.offset().x == 0);
}

}  // namespace
}  // namespace wt::prediction
