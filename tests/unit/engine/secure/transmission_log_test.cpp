// SPDX-License-Identifier: MIT
//
// From a wire sequence back to a transmission, across the wrap of 16 bits and up to the span at
// which the sender stalls; and deadlines in a total order.
#include "engine/secure/transmission_log.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "engine/secure/timer_heap.hpp"

namespace wt::secure {

TEST_CASE("an empty log knows no sequence") {
    TransmissionLog log;
    log.reset(100);
    std::uint64_t number = 77;
    for (const unsigned sequence : {0u, 99u, 100u, 101u, 65'535u})
        CHECK(!log.find(static_cast<std::uint16_t>(sequence), number));
    CHECK(number == 77);
    CHECK(log.span() == 0);
}

TEST_CASE("sequences are found across their wrap, and their neighbours are not") {
    TransmissionLog log;
    log.reset(65'534);
    for (std::uint16_t i = 0; i < 5; ++i) {
        const std::uint64_t number = log.add({.message = i});
        CHECK(log.sequence_of(number) == static_cast<std::uint16_t>(65'534 + i));
    }
    std::uint64_t number = 0;
    REQUIRE(log.find(65'534, number));
    CHECK(log.at(number).message == 0);
    REQUIRE(log.find(2, number));
    CHECK(log.at(number).message == 4);
    CHECK(!log.find(65'533, number));
    CHECK(!log.find(3, number));
    log.drop_before(number);
    CHECK(!log.find(1, number));
    CHECK(log.find(2, number));
    CHECK(log.span() == 1);
    // Dropping what is gone already changes nothing.
    log.drop_before(1);
    CHECK(log.span() == 1);
}

TEST_CASE("at the full span the oldest and the newest are told apart") {
    TransmissionLog log;
    log.reset(1'000);
    for (std::uint64_t i = 0; i < TransmissionLog::span_max; ++i)
        static_cast<void>(log.add({.message = static_cast<std::uint16_t>(i)}));
    CHECK(log.span() == TransmissionLog::span_max);
    std::uint64_t number = 0;
    REQUIRE(log.find(1'000, number));
    CHECK(number == log.oldest());
    CHECK(log.at(number).message == 0);
    REQUIRE(log.find(static_cast<std::uint16_t>(1'000 + 32'767), number));
    CHECK(number == log.next() - 1);
    CHECK(!log.find(999, number));
    CHECK(!log.find(static_cast<std::uint16_t>(1'000 + 32'768), number));
}

TEST_CASE("a log that starts again has forgotten everything") {
    TransmissionLog log;
    log.reset(0);
    static_cast<void>(log.add({.message = 3}));
    log.reset(0);
    std::uint64_t number = 0;
    CHECK(!log.find(0, number));
    CHECK(log.add({.message = 4}) == 1);
    CHECK(log.find(0, number));
    CHECK(log.at(number).message == 4);
}

TEST_CASE("deadlines come earliest first, ties by number, whatever the order of entry") {
    const std::vector<TimerHeap::Entry> entries = {
        {Instant{5}, 3}, {Instant{5}, 1}, {Instant{2}, 9}, {Instant{7}, 0}, {Instant{5}, 2}};
    const std::vector<std::uint64_t> expected = {9, 1, 2, 3, 0};
    for (std::size_t turn = 0; turn < entries.size(); ++turn) {
        BufferPool pool;
        TimerHeap heap(pool);
        CHECK(heap.empty());
        for (std::size_t i = 0; i < entries.size(); ++i)
            heap.add(entries[(turn + i) % entries.size()]);
        for (const std::uint64_t number : expected) {
            CHECK(heap.top().number == number);
            heap.pop();
        }
        CHECK(heap.empty());
    }
}

}  // namespace wt::secure
