// SPDX-License-Identifier: MIT
//
// Goal: whatever was published within kept_ticks is found, nothing else is, through every wrap and
// growth. Method: small rings against a plain list of what was put in.
#include "engine/replication/state_log.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace wt::replication::state_log_test {

namespace {

State state_of(std::uint32_t tick, std::uint32_t slot) {
    return {{static_cast<std::uint16_t>(tick), static_cast<std::uint16_t>(slot), 0, 0, 0}};
}

void put_run(StateLog& log, std::uint32_t tick, const std::vector<std::uint16_t>& slots) {
    const auto room = log.open(static_cast<std::uint32_t>(slots.size()), tick);
    for (std::size_t i = 0; i < slots.size(); ++i)
        room[i] = {state_of(tick, slots[i]), slots[i]};
    log.publish(tick, static_cast<std::uint32_t>(slots.size()), tick);
}

}  // namespace

TEST_CASE("runs of changing size are found for 80 ticks, through wraps and growth") {
    StateLog log;
    std::vector<std::vector<std::uint16_t>> put;
    for (std::uint32_t n = 0; n < 400; ++n) {
        // 1 to 37 states, each third slot of a range that wanders.
        std::vector<std::uint16_t> slots;
        for (std::uint32_t i = 0; i <= n * 7 % 37; ++i)
            slots.push_back(static_cast<std::uint16_t>(n % 11 + 3 * i + 1));
        put_run(log, 3 * n, slots);
        put.push_back(slots);
        const std::uint32_t oldest = 3 * n < StateLog::kept_ticks ? 0 : n - 26;  // 78 ticks back.
        for (std::uint32_t m = oldest; m <= n; ++m) {
            StateLog::Cursor run = log.at_tick(3 * m);
            REQUIRE(log.rest_of(run).size() == put[m].size());
            for (const std::uint16_t slot : put[m]) {
                CHECK(log.next(run, slot - 1u) == nullptr);
                const State* const state = log.next(run, slot);
                REQUIRE(state != nullptr);
                REQUIRE(*state == state_of(3 * m, slot));
                REQUIRE(log.find(3 * m, slot) == state);
            }
        }
        if (oldest > 0) CHECK(log.find(3 * oldest - 3, put[oldest - 1].front()) == nullptr);
    }
    // 27 runs of 19 on average, and half as many more: it does not grow with what went through.
    CHECK(log.memory() < 20'000);
}

TEST_CASE("room that was not published is nobody's") {
    StateLog log;
    put_run(log, 10, {1, 2});
    const auto room = log.open(2, 10);
    room[0] = {state_of(13, 1), 1};
    CHECK(log.find(13, 1) == nullptr);
    // Only the first of the two was good.
    log.publish(13, 1, 13);
    CHECK(log.find(13, 1) != nullptr);
    CHECK(log.find(13, 2) == nullptr);
    CHECK(*log.find(10, 2) == state_of(10, 2));
}

TEST_CASE("the state before another is found by tick, not by when it came, and not below a bound") {
    StateLog log;
    const std::uint32_t wrap = 0xffff'fffe;
    put_run(log, wrap, {4, 7});
    put_run(log, wrap + 6, {4});
    // What rested since long ago comes last.
    const auto room = log.open(1, wrap + 6);
    room[0] = {state_of(wrap - 500, 7), 7};
    log.publish(wrap - 500, 1, wrap + 6);
    std::uint32_t at = 0;
    REQUIRE(log.find_before(wrap + 6, wrap - 1'000, 4, at) != nullptr);
    CHECK(at == wrap);
    CHECK(log.find_before(wrap, wrap - 1'000, 4, at) == nullptr);
    REQUIRE(log.find_before(wrap + 9, wrap - 1'000, 7, at) != nullptr);
    CHECK(at == wrap);
    REQUIRE(log.find_before(wrap, wrap - 500, 7, at) != nullptr);
    CHECK(at == wrap - 500);
    CHECK(log.find_before(wrap, wrap - 499, 7, at) == nullptr);
}

TEST_CASE("two messages of one tick are both searched, and a flood drops the oldest") {
    StateLog log;
    put_run(log, 5, {1, 9});
    put_run(log, 5, {3, 4});
    CHECK(log.find(5, 9) != nullptr);
    CHECK(log.find(5, 4) != nullptr);
    // One state a run at one instant: nothing is too old, so the number of runs is the limit.
    for (std::uint32_t n = 0; n < StateLog::runs_max; ++n)
        put_run(log, 6 + n % 2, {static_cast<std::uint16_t>(n)});
    CHECK(log.find(5, 9) == nullptr);
    CHECK(log.find(6 + 1, StateLog::runs_max - 1) != nullptr);
    CHECK(log.find(6, 0) != nullptr);
    put_run(log, 7, {1});
    CHECK(log.find(6, 0) == nullptr);
}

}  // namespace wt::replication::state_log_test
