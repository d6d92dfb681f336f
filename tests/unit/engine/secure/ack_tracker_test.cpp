// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>

#include "engine/secure/ack_tracker.hpp"

namespace wt::secure {

namespace {

// Every sequence that the due acknowledgements name, and how many there were.
std::set<std::uint16_t> named(AckTracker& tracker, unsigned& count) {
    std::set<std::uint16_t> all;
    Ack ack;
    count = 0;
    while (tracker.next(ack)) {
        ++count;
        all.insert(ack.sequence);
        for (unsigned n = 0; n < 32; ++n) {
            if ((ack.mask >> n & 1) != 0) {
                all.insert(static_cast<std::uint16_t>(ack.sequence - 1 - n));
            }
        }
    }
    return all;
}

}  // namespace

TEST_CASE("one acknowledgement names a sequence and what came in the 32 before it") {
    AckTracker tracker;
    CHECK_FALSE(tracker.is_due());
    for (const std::uint16_t n : {std::uint16_t{10}, std::uint16_t{11}, std::uint16_t{13}})
        tracker.add(n);
    Ack ack;
    REQUIRE(tracker.next(ack));
    CHECK(ack.sequence == 13);
    CHECK(ack.mask == 0b110);  // 12 is missing, 11 and 10 are there.
    CHECK_FALSE(tracker.next(ack));
    // The next one names the earlier ones again: it repairs a lost acknowledgement.
    tracker.add(14);
    REQUIRE(tracker.next(ack));
    CHECK(ack.sequence == 14);
    CHECK(ack.mask == 0b1101);
}

TEST_CASE("33 sequences in a row fit one acknowledgement, 34 take two") {
    for (const unsigned width : {33u, 34u}) {
        AckTracker tracker;
        for (unsigned n = 0; n < width; ++n)
            tracker.add(static_cast<std::uint16_t>(500 + n));
        unsigned count = 0;
        CHECK(named(tracker, count).size() == width);
        CHECK(count == (width == 33 ? 1 : 2));
    }
}

TEST_CASE("wide bursts with gaps are named whole, across the wrap") {
    AckTracker tracker;
    std::set<std::uint16_t> received;
    for (unsigned n = 0; n < 4'000; ++n) {
        const std::uint16_t sequence = static_cast<std::uint16_t>(64'000 + n);
        if (n % 7 == 3) continue;
        tracker.add(sequence);
        received.insert(sequence);
    }
    unsigned count = 0;
    CHECK(named(tracker, count) == received);
    CHECK(count <= 4'000 / 33 + 2);
}

TEST_CASE("out of order and repeated sequences are acknowledged again") {
    AckTracker tracker;
    tracker.add(100);
    unsigned count = 0;
    (void)named(tracker, count);
    tracker.add(90);
    Ack ack;
    REQUIRE(tracker.next(ack));
    CHECK(ack.sequence == 90);
    CHECK(ack.mask == 0);
    tracker.add(100);
    REQUIRE(tracker.next(ack));
    CHECK(ack.sequence == 100);
    CHECK(ack.mask == 1u << 9);
}

TEST_CASE("a sequence older than the memory is acknowledged alone") {
    AckTracker tracker;
    tracker.add(5'000);
    tracker.add(5'000 - 4'095);
    tracker.add(5'000 - 4'096);
    unsigned count = 0;
    CHECK(named(tracker, count) == std::set<std::uint16_t>{5'000, 905, 904});
    CHECK(count == 3);
}

}  // namespace wt::secure
