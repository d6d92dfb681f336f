// SPDX-License-Identifier: MIT
//
// Model n1 against figures worked out by hand from its generator: state x 1664525 + 1013904223.
// From seed 1 the draws are 1015568748, 1586005467, 2165703038, 3027450565, 217083232, 1587069247.
#include "simulator/link/n1_model.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim {

TEST_CASE("three draws a packet in the order loss, jitter, duplicate") {
    N1Model link;
    REQUIRE(link.reset({.delay_us = 100, .jitter_us = 999}));
    // 1586005467 % 1000 = 467; the next packet's jitter is the fifth draw: 217083232 % 1000 = 232.
    CHECK(link.send(0).due_us == 567);
    CHECK(link.send(0).due_us == 332);
    std::uint64_t order = 9;
    CHECK_FALSE(link.deliver(331, order));
    CHECK(link.deliver(332, order));
    CHECK(order == 1);
    CHECK(link.deliver(600, order));
    CHECK(order == 0);
    CHECK(link.counters().accepted == 2);
    CHECK(link.counters().delivered == 2);
}

TEST_CASE("a dropped packet takes one draw") {
    N1Model link;
    // Draws one and two are 8748 and 5467 of 10,000: the first packet is dropped at 8,749 and the
    // second at 5,468.
    REQUIRE(link.reset({.delay_us = 0, .jitter_us = 999, .loss_per_ten_thousand = 8'749}));
    CHECK(link.send(0).status == N1Status::dropped);
    CHECK(link.send(0).status == N1Status::dropped);
    REQUIRE(link.reset({.delay_us = 0, .jitter_us = 999, .loss_per_ten_thousand = 8'748}));
    const N1Outcome kept = link.send(0);
    CHECK(kept.status == N1Status::accepted);
    CHECK(kept.due_us == 467);
}

TEST_CASE("duplicates share their due time, follow in order and need two places") {
    N1Model link;
    REQUIRE(link.reset({.delay_us = 5, .duplicate_per_ten_thousand = 10'000}));
    for (int i = 0; i < 16; ++i)
        CHECK(link.send(0).copies == 2);
    CHECK(link.in_flight() == N1Model::capacity);
    CHECK(link.send(0).status == N1Status::full);
    CHECK(link.counters().rejected_full == 1);
    std::uint64_t order = 0;
    REQUIRE(link.deliver(5, order));
    CHECK(order == 0);
    // One place is not enough for a packet and its duplicate.
    CHECK(link.send(5).status == N1Status::full);
    CHECK(link.counters().accepted == 16);
    CHECK(link.counters().duplicated == 16);
    for (std::uint64_t next = 1; next < 32; ++next) {
        REQUIRE(link.deliver(5, order));
        CHECK(order == next);
    }
}

TEST_CASE("refusals take their draws back; full and empty links move on in time all the same") {
    N1Model full;
    N1Model fresh;
    REQUIRE(full.reset({.delay_us = 1'000, .jitter_us = 999}));
    REQUIRE(fresh.reset({.delay_us = 1'000, .jitter_us = 999}));
    for (std::uint32_t i = 0; i < N1Model::capacity; ++i) {
        CHECK(full.send(0).status == N1Status::accepted);
        CHECK(fresh.send(0).status == N1Status::accepted);
    }
    CHECK(full.send(50).status == N1Status::full);
    CHECK(full.send(49).status == N1Status::invalid_argument);
    CHECK(full.send(50).status == N1Status::full);
    std::uint64_t order = 0;
    CHECK_FALSE(full.deliver(49, order));
    N1Model empty;
    REQUIRE(empty.reset({}));
    CHECK_FALSE(empty.deliver(20, order));
    CHECK(empty.send(19).status == N1Status::invalid_argument);
    CHECK(empty.send(20).status == N1Status::accepted);
    REQUIRE(full.deliver(5'000, order));
    REQUIRE(fresh.deliver(5'000, order));
    CHECK(full.send(6'000).due_us == fresh.send(6'000).due_us);

    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    N1Model late;
    REQUIRE(late.reset({.delay_us = 10}));
    CHECK(late.send(most - 9).status == N1Status::time_overflow);
    CHECK(late.send(most - 10).status == N1Status::accepted);
    CHECK(late.send(0).status == N1Status::invalid_argument);
    N1Model worn;
    REQUIRE(worn.reset({}, 1, most));
    CHECK(worn.send(0).status == N1Status::sequence_exhausted);
    REQUIRE(worn.reset({}, 1, most - 1));
    CHECK(worn.send(0).status == N1Status::accepted);
}

TEST_CASE("reset refuses what it cannot mean and changes nothing then") {
    N1Model link;
    REQUIRE(link.reset({.delay_us = 7}));
    (void)link.send(0);
    CHECK_FALSE(link.reset({.loss_per_ten_thousand = 10'001}));
    CHECK_FALSE(link.reset({.duplicate_per_ten_thousand = 10'001}));
    CHECK_FALSE(
        link.reset({.delay_us = std::numeric_limits<std::uint64_t>::max(), .jitter_us = 1}));
    CHECK(link.config().delay_us == 7);
    CHECK(link.in_flight() == 1);
    CHECK(link.reset({.loss_per_ten_thousand = 10'000}));
    CHECK(link.in_flight() == 0);
    CHECK(link.send(0).status == N1Status::dropped);
}

TEST_CASE("a link direction with model n1 has its capacity and keeps no order") {
    LinkDirection link(LuckKey::root(1),
                       {{Instant{}, compile(N1Config{.delay_us = 10'000, .jitter_us = 5'000})}});
    std::uint32_t accepted = 0;
    for (int i = 0; i < 40; ++i) {
        const Fate fate = link.send({123}, 10, transport::WeatherTag::lane_0);
        if (fate.cause == DropCause::none) {
            ++accepted;
            CHECK(fate.arrival[0] >= Instant{123} + Duration::millis(10));
            CHECK(fate.arrival[0] <= Instant{123} + Duration::millis(15));
        } else {
            CHECK(fate.cause == DropCause::queue);
        }
    }
    CHECK(accepted == 32);
    CHECK(link.send(at_us(20'000), 10, transport::WeatherTag::lane_0).cause == DropCause::none);
}

}  // namespace wt::sim
