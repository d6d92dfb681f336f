// SPDX-License-Identifier: MIT
//
// Lossy traffic on both sides: 512 datagrams wait to go out, the oldest gives way; 512 messages
// wait to be taken, and the one handed out holds until the next call.
#include "engine/secure/unreliable_queue.hpp"

#include <doctest/doctest.h>

#include <array>

#include "engine/secure/inbox.hpp"

namespace wt::secure {

namespace {

void add(UnreliableQueue& queue, transport::Counters& counters, std::uint16_t value) {
    std::array<std::uint8_t, 2> bytes{};
    store_u16(bytes.data(), value);
    queue.add(Instant{value},
              {.lane = transport::Lane::gameplay,
               .delivery = transport::Delivery::unreliable,
               .bytes = bytes},
              counters);
}

}  // namespace

TEST_CASE("512 wait; the 513th pushes out the oldest, and it is counted") {
    BufferPool pool;
    UnreliableQueue queue(pool);
    transport::Counters counters;
    for (std::uint16_t i = 0; i < UnreliableQueue::datagrams_max; ++i)
        add(queue, counters, i);
    CHECK(queue.size() == 512);
    CHECK(counters.unreliable_dropped == 0);
    CHECK(load_u16(queue.front().body.data) == 0);
    const std::uint64_t taken = pool.taken_bytes();
    add(queue, counters, 512);
    CHECK(queue.size() == 512);
    CHECK(counters.unreliable_dropped == 1);
    CHECK(load_u16(queue.front().view().data()) == 1);
    CHECK(pool.taken_bytes() == taken);
    transport::ConnectionLevels levels;
    queue.levels(Instant{1'001}, levels);
    CHECK(levels.backlog_bytes == 2 * 512);
    CHECK(levels.queue_age[static_cast<unsigned>(transport::Lane::gameplay)] == Duration{1'000});
    queue.pop();
    levels = {};
    queue.levels(Instant{1'001}, levels);
    CHECK(levels.backlog_bytes == 2 * 511);
    queue.clear();
    CHECK(queue.empty());
    CHECK(pool.taken_bytes() == 0);
}

TEST_CASE("a message of no bytes waits like any other") {
    BufferPool pool;
    UnreliableQueue queue(pool);
    transport::Counters counters;
    queue.add(Instant{}, {.delivery = transport::Delivery::unreliable}, counters);
    REQUIRE(queue.size() == 1);
    CHECK(queue.front().view().empty());
}

TEST_CASE("the inbox hands out in order and keeps the last one until asked again") {
    BufferPool pool;
    Inbox inbox(pool);
    for (std::uint32_t i = 0; i < Inbox::messages_max; ++i) {
        CHECK(!inbox.is_full());
        Inbox::Entry& entry = inbox.add();
        entry.body = pool.take(1);
        entry.body.data[0] = static_cast<std::uint8_t>(i);
        entry.bytes = 1;
        entry.sequence = static_cast<std::uint16_t>(i);
    }
    CHECK(inbox.is_full());
    const std::uint64_t each = pool.taken_bytes() / Inbox::messages_max;
    const Inbox::Entry* first = inbox.next();
    REQUIRE(first != nullptr);
    CHECK(first->sequence == 0);
    CHECK(first->body.data[0] == 0);
    // Room for a new one, while the first is still in the caller's hands.
    CHECK(!inbox.is_full());
    CHECK(pool.taken_bytes() == each * Inbox::messages_max);
    CHECK(inbox.next()->sequence == 1);
    CHECK(pool.taken_bytes() == each * (Inbox::messages_max - 1));
    inbox.clear();
    CHECK(inbox.next() == nullptr);
    CHECK(pool.taken_bytes() == 0);
}

}  // namespace wt::secure
