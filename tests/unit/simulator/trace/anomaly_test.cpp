// SPDX-License-Identifier: MIT
//
// What the server's tick records give away: each limit with its neighbour, and one anomaly a row of
// ticks.
#include "simulator/trace/anomaly_finder.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

namespace {

constexpr std::uint32_t period_us = 16'666;

struct Ticks {
    AnomalyFinder finder{3, period_us};
    Anomaly found{};

    bool tick(std::uint16_t refused, std::uint32_t work_us) {
        Record record;
        record.type = static_cast<std::uint8_t>(Type::tick);
        record.size = refused;
        record.age = work_us;
        return finder.look(record, found);
    }
};

}  // namespace

TEST_CASE("eight refusals in one tick are an anomaly, seven are weather; said once a row") {
    Ticks ticks;
    CHECK_FALSE(ticks.tick(7, 0));
    REQUIRE(ticks.tick(8, 0));
    CHECK(ticks.found.anomaly == static_cast<std::uint16_t>(AnomalyKind::refused));
    CHECK(ticks.found.value == 8);
    CHECK_FALSE(ticks.tick(900, 0));
    CHECK_FALSE(ticks.tick(0, 0));
    CHECK(ticks.tick(9, 0));
}

TEST_CASE("a refused ticket is an anomaly, once a second for each peer") {
    Ticks ticks;
    const auto refuse = [&](std::int64_t at_ms, std::uint16_t peer) {
        Record record;
        record.time = at_ms * ms;
        record.peer = peer;
        record.type = static_cast<std::uint8_t>(Type::ticket_refused);
        return ticks.finder.look(record, ticks.found);
    };
    REQUIRE(refuse(5, 1));
    CHECK(ticks.found.anomaly == static_cast<std::uint16_t>(AnomalyKind::ticket_refused));
    CHECK(ticks.found.time == 5 * ms);
    CHECK(ticks.found.peer == 1);
    CHECK_FALSE(refuse(1'004, 1));
    CHECK(refuse(1'004, 2));
    CHECK(refuse(1'005, 1));
}

TEST_CASE("declared work that is longer than a tick overruns it; said once a row") {
    Ticks ticks;
    CHECK_FALSE(ticks.tick(0, period_us));
    REQUIRE(ticks.tick(0, period_us + 1));
    CHECK(ticks.found.anomaly == static_cast<std::uint16_t>(AnomalyKind::tick_overrun));
    CHECK(ticks.found.value == period_us + 1);
    CHECK_FALSE(ticks.tick(0, 90'000));
    CHECK_FALSE(ticks.tick(0, 5));
    CHECK(ticks.tick(0, 20'000));
}

}  // namespace wt::trace
