// SPDX-License-Identifier: MIT
//
// Goal: a peer gets each tick's input in once, in time, within its budget (F43). Method: messages
// by hand and floods, against counts that the rule gives.
#include <doctest/doctest.h>

#include "engine/prediction/server_inputs.hpp"

namespace wt::prediction::server_inputs_test {
namespace {

constexpr Frequency rate{60};

InputMessage message(std::uint32_t newest, std::uint8_t count, std::uint32_t command) {
    InputMessage out{.newest_tick = newest, .count = count};
    for (std::uint32_t i = 0; i < count; ++i)
        out.commands[i] = command + (newest - i);
    return out;
}

InputCut cut(Tick next) {
    return {.next = next, .at = rate.tick(next)};
}

TEST_CASE("an input is taken once, at its tick, and repeats are duplicates") {
    ServerInputs inputs({.repeat_mask = 0xff, .neutral = 9});
    InputReport report = inputs.on_message(rate.tick(98), message(102, 3, 1'000), cut(100));
    CHECK(report.arrival_count == 3);
    CHECK(report.arrivals[0].tick == 100);
    CHECK(report.arrivals[0].margin == rate.tick(100) - rate.tick(98));
    report = inputs.on_message(rate.tick(98), message(102, 3, 1'000), cut(100));
    CHECK(report.arrival_count == 0);
    CHECK(inputs.counters().duplicates == 3);
    report = inputs.on_message(rate.tick(98), message(102, 1, 5'000), cut(100));
    CHECK(inputs.counters().conflicts == 1);
    TakenInput taken = inputs.take(100);
    CHECK(taken.was_real);
    CHECK(taken.command == 1'100);
    (void)inputs.take(101);
    taken = inputs.take(102);
    CHECK(taken.command == 1'102);
    taken = inputs.take(103);
    CHECK_FALSE(taken.was_real);
    CHECK(taken.command == (1'102 & 0xff));
    CHECK(inputs.counters().ticks == 4);
    CHECK(inputs.counters().missed == 1);
}

TEST_CASE("age and future are bounded, and a refusal changes only its counter") {
    const ServerInputsConfig config{.age_max = 32, .future_max = 60};
    ServerInputs inputs(config);
    CHECK(inputs.judge(1'060, 1'000) == InputVerdict::ok);
    CHECK(inputs.judge(1'061, 1'000) == InputVerdict::too_far);
    CHECK(inputs.judge(968, 1'000) == InputVerdict::ok);
    CHECK(inputs.judge(967, 1'000) == InputVerdict::too_old);
    CHECK(inputs.judge(1'000 + 0x8000'0000u, 1'000) == InputVerdict::too_old);
    CHECK(inputs.on_message({}, message(1'061, 1, 0), cut(1'000)).verdict == InputVerdict::too_far);
    CHECK(inputs.on_message({}, message(967, 1, 0), cut(1'000)).verdict == InputVerdict::too_old);
    CHECK(inputs.counters().too_far == 1);
    CHECK(inputs.counters().too_old == 1);
    CHECK(inputs.counters().accepted == 0);
    CHECK_FALSE(inputs.has_input());
    CHECK_FALSE(inputs.feedback({}, 999).has_echo);
    CHECK_FALSE(inputs.take(1'000).was_real);
}

TEST_CASE("a late input is told once with a negative margin and not simulated") {
    ServerInputs inputs({});
    (void)inputs.on_message(rate.tick(99), message(100, 1, 0), cut(100));
    (void)inputs.take(100);
    (void)inputs.take(101);
    (void)inputs.feedback(rate.tick(101), 101);
    const Instant late = rate.tick(101) + Duration::millis(5);
    InputReport report = inputs.on_message(late, message(101, 1, 0), cut(102));
    REQUIRE(report.arrival_count == 1);
    const std::int64_t off = report.arrivals[0].margin.ns + 5'000'000;
    CHECK(off >= -2);
    CHECK(off <= 2);
    report = inputs.on_message(late, message(101, 2, 0), cut(102));
    CHECK(report.arrival_count == 0);
    CHECK(inputs.counters().late == 1);
    const Feedback feedback = inputs.feedback(late, 102);
    REQUIRE(feedback.has_margin);
    CHECK(feedback.margin == -5);  // 5 ms of 16.7 in sixteenths, rounded down: -4.8.
    CHECK(feedback.margin_tick == -1);
    CHECK(feedback.input_tick == 100);
    CHECK_FALSE(inputs.feedback(late, 102).has_margin);
}

TEST_CASE("after hold_max ticks without input a player stands still") {
    ServerInputs inputs({.hold_max = 2, .neutral = 77});
    (void)inputs.on_message({}, message(5, 1, 100), cut(5));
    CHECK(inputs.take(5).command == 105);
    CHECK(inputs.take(6).command == 105);
    CHECK(inputs.take(7).command == 105);
    CHECK(inputs.take(8).command == 77);
}

TEST_CASE("the echo carries the newest clock and how long it lay here") {
    ServerInputs inputs({});
    InputMessage first = message(11, 1, 0);
    first.client_clock_us = 1'000;
    InputMessage older = message(10, 1, 0);
    older.client_clock_us = 500;
    (void)inputs.on_message(Instant{0}, first, cut(10));
    (void)inputs.on_message(Instant{1'000'000}, older, cut(10));
    Feedback feedback = inputs.feedback(Instant{32'000'000}, 10);
    REQUIRE(feedback.has_echo);
    CHECK(feedback.echo_us == 1'000);
    CHECK(feedback.hold_16us == 2'000);
    CHECK(inputs.feedback(Instant{65'535 * 16'000ll}, 10).has_echo);
    CHECK_FALSE(inputs.feedback(Instant{65'536 * 16'000ll}, 10).has_echo);
}

// F43: floods of every kind. Accepted ticks never exceed elapsed ticks plus the clamp.
TEST_CASE("no flood gets more ticks in than time went by, plus the clamp") {
    for (const std::uint32_t clamp : {1u, 8u, 60u}) {
        ServerInputs inputs({.future_max = 60, .clamp = clamp});
        Tick next = 500;
        for (std::uint32_t elapsed = 0; elapsed < 300; ++elapsed, ++next) {
            // Ten messages a tick, over the whole horizon, eight commands each; a choke of 100
            // ticks.
            const bool is_choked = elapsed >= 100 && elapsed < 200;
            for (std::uint32_t i = 0; i < 10 && !is_choked; ++i) {
                const std::uint32_t newest = static_cast<std::uint32_t>(next) + i * 6 + 6;
                (void)inputs.on_message(rate.tick(next), message(newest, 8, i), cut(next));
            }
            CHECK(inputs.counters().accepted <= elapsed + clamp);
            (void)inputs.take(next);
        }
        CHECK(inputs.counters().over_budget + inputs.counters().conflicts > 1'000);
        // And a flooder still gets its honest share.
        CHECK(inputs.counters().accepted >= 190);
    }
}

TEST_CASE("F43: without a clamp a burst after a silence gets in whole") {
    ServerInputs inputs({.future_max = 60, .clamp = 1'000});
    Tick next = 500;
    for (std::uint32_t elapsed = 0; elapsed < 50; ++elapsed, ++next) {
        for (std::uint32_t i = 0; i < 10; ++i) {
            const std::uint32_t newest = static_cast<std::uint32_t>(next) + i * 6 + 6;
            (void)inputs.on_message(rate.tick(next), message(newest, 8, i), cut(next));
        }
        (void)inputs.take(next);
    }
    constexpr std::uint32_t clamp = 8;
    CHECK(inputs.counters().accepted > 50 + clamp);
}

TEST_CASE("numbers wrap under the inputs' feet") {
    ServerInputs inputs({});
    const Tick start = 0xffff'fff0;
    for (Tick next = start; next < start + 64; ++next) {
        InputMessage sent = message(static_cast<std::uint32_t>(next + 2), 1, 0);
        sent.commands[0] = static_cast<std::uint32_t>(next + 2);
        (void)inputs.on_message(rate.tick(next), sent, cut(next));
        const TakenInput taken = inputs.take(next);
        CHECK(taken.was_real == (next >= start + 2));
        if (taken.was_real) CHECK(taken.command == static_cast<std::uint32_t>(next));
    }
    CHECK(inputs.feedback(rate.tick(start + 63), start + 63).input_tick == 47);
}

}  // namespace
}  // namespace wt::prediction::server_inputs_test
