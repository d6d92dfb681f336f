// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "engine/session/send_queue.hpp"

namespace wt::session::send_queue_test {

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes message(Channel channel, std::uint32_t sequence, std::size_t payload_bytes = 0) {
    const Bytes payload(payload_bytes, static_cast<std::uint8_t>(sequence));
    Bytes bytes(envelope_header_bytes + payload_bytes);
    std::size_t size = 0;
    REQUIRE(
        encode_envelope(
            {.channel = channel, .kind = 5, .epoch = 1, .sequence = sequence, .payload = payload},
            bytes, size) == EnvelopeStatus::ok);
    return bytes;
}

struct Bench {
    EnqueueStatus put(Channel channel, std::uint32_t sequence, std::size_t payload_bytes = 0,
                      BatchPlace batch = {}) {
        const Bytes bytes = message(channel, sequence, payload_bytes);
        return queue.enqueue(store, {.message = bytes, .now = now, .tick = tick, .batch = batch});
    }
    DequeueStatus take(std::size_t budget = 1'200) {
        const Bytes before = room;
        std::size_t size = 0;
        const DequeueStatus status = queue.dequeue(store, budget, room, size);
        if (status != DequeueStatus::ok) {
            CHECK(room == before);
            return status;
        }
        CHECK(size <= budget);
        REQUIRE(decode_envelope(ConstBytes(room).first(size), got) == EnvelopeStatus::ok);
        return status;
    }

    QueueStore store;
    SendQueue queue;
    Instant now{};
    std::uint32_t tick = 0;
    Bytes room = Bytes(1'200);
    Envelope got{};
};

}  // namespace

TEST_CASE("a fresh queue with a message a channel gives them in the channels' order") {
    Bench bench;
    for (const Channel channel :
         {Channel::bulk, Channel::snapshot, Channel::input, Channel::control})
        CHECK(bench.put(channel, 1) == EnqueueStatus::ok);
    for (unsigned expected = 0; expected < channel_count; ++expected) {
        REQUIRE(bench.take() == DequeueStatus::ok);
        CHECK(static_cast<unsigned>(bench.got.channel) == expected);
    }
    CHECK(bench.take() == DequeueStatus::empty);
    CHECK(bench.queue.empty());
    CHECK(bench.store.used() == 0);
}

TEST_CASE("turns begin behind the channel served last") {
    Bench bench;
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(bench.put(Channel::control, i) == EnqueueStatus::ok);
        CHECK(bench.put(Channel::bulk, i) == EnqueueStatus::ok);
    }
    std::vector<Channel> order;
    while (bench.take() == DequeueStatus::ok)
        order.push_back(bench.got.channel);
    CHECK(order == std::vector<Channel>{Channel::control, Channel::bulk, Channel::control,
                                        Channel::bulk, Channel::control, Channel::bulk});
    // Bulk was served last; Control is next although Input comes sooner after nothing.
    CHECK(bench.put(Channel::bulk, 9) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::input, 9) == EnqueueStatus::ok);
    REQUIRE(bench.take() == DequeueStatus::ok);
    CHECK(bench.got.channel == Channel::input);
}

TEST_CASE("eight messages fit a channel, the ninth is refused and changes nothing") {
    for (const Channel channel : {Channel::control, Channel::input, Channel::bulk}) {
        Bench bench;
        for (std::uint32_t i = 0; i < 8; ++i)
            CHECK(bench.put(channel, i) == EnqueueStatus::ok);
        CHECK(bench.put(channel, 8) == EnqueueStatus::full);
        CHECK(bench.queue.pending(channel) == 8);
        CHECK(bench.queue.enqueued() == 8);
        CHECK(bench.store.used() == 8);
        // The other channels have their own places.
        CHECK(bench.put(Channel::snapshot, 1) == EnqueueStatus::ok);
    }
}

TEST_CASE("a channel keeps its order while its places come round") {
    Bench bench;
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    for (int round = 0; round < 50; ++round) {
        while (bench.put(Channel::control, in, in % 300) == EnqueueStatus::ok)
            ++in;
        for (int i = 0; i < 1 + round % 8; ++i) {
            REQUIRE(bench.take() == DequeueStatus::ok);
            CHECK(bench.got.sequence == out);
            CHECK(bench.got.payload.size() == out % 300);
            ++out;
        }
    }
    CHECK(out > 100);
}

TEST_CASE("a newer snapshot replaces the one that waits") {
    Bench bench;
    CHECK(bench.put(Channel::snapshot, 1, 900) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::snapshot, 2, 10) == EnqueueStatus::replaced_snapshot);
    CHECK(bench.queue.pending(Channel::snapshot) == 1);
    CHECK(bench.queue.enqueued() == 2);
    CHECK(bench.queue.replaced_snapshots() == 1);
    REQUIRE(bench.take() == DequeueStatus::ok);
    CHECK(bench.got.sequence == 2);
    CHECK(bench.take() == DequeueStatus::empty);
    CHECK(bench.put(Channel::snapshot, 3) == EnqueueStatus::ok);
}

TEST_CASE("a set of batches stays together and is replaced as one") {
    Bench bench;
    bench.tick = 7;
    CHECK(bench.put(Channel::snapshot, 1, 5, {.index = 0, .count = 3}) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::snapshot, 2, 5, {.index = 1, .count = 3}) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::snapshot, 3, 5, {.index = 2, .count = 3}) == EnqueueStatus::ok);
    CHECK(bench.queue.pending(Channel::snapshot) == 3);
    SUBCASE("all leave in order") {
        for (std::uint32_t i = 1; i <= 3; ++i) {
            REQUIRE(bench.take() == DequeueStatus::ok);
            CHECK(bench.got.sequence == i);
        }
    }
    SUBCASE("what is left goes when the next set begins") {
        REQUIRE(bench.take() == DequeueStatus::ok);
        bench.tick = 10;
        CHECK(bench.put(Channel::snapshot, 4, 5, {.index = 0, .count = 2}) ==
              EnqueueStatus::replaced_snapshot);
        CHECK(bench.put(Channel::snapshot, 5, 5, {.index = 1, .count = 2}) == EnqueueStatus::ok);
        REQUIRE(bench.take() == DequeueStatus::ok);
        CHECK(bench.got.sequence == 4);
        REQUIRE(bench.take() == DequeueStatus::ok);
        CHECK(bench.got.sequence == 5);
    }
    CHECK(bench.take() == DequeueStatus::empty);
    CHECK(bench.store.used() == 0);
}

TEST_CASE("batches that do not continue the set are refused") {
    Bench bench;
    bench.tick = 7;
    CHECK(bench.put(Channel::snapshot, 1, 5, {.index = 1, .count = 2}) ==
          EnqueueStatus::out_of_place);
    CHECK(bench.put(Channel::snapshot, 1, 5, {.index = 0, .count = 0}) ==
          EnqueueStatus::out_of_place);
    CHECK(bench.put(Channel::snapshot, 1, 5, {.index = 0, .count = 17}) ==
          EnqueueStatus::out_of_place);
    CHECK(bench.put(Channel::snapshot, 1, 5, {.index = 0, .count = 16}) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::snapshot, 2, 5, {.index = 2, .count = 16}) ==
          EnqueueStatus::out_of_place);
    CHECK(bench.put(Channel::snapshot, 2, 5, {.index = 1, .count = 15}) ==
          EnqueueStatus::out_of_place);
    bench.tick = 8;
    CHECK(bench.put(Channel::snapshot, 2, 5, {.index = 1, .count = 16}) ==
          EnqueueStatus::out_of_place);
    CHECK(bench.queue.pending(Channel::snapshot) == 1);
    CHECK(bench.queue.enqueued() == 1);
}

TEST_CASE("a head above the byte budget is passed over, and stays") {
    Bench bench;
    CHECK(bench.put(Channel::control, 1, 100) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::input, 2, 10) == EnqueueStatus::ok);
    CHECK(bench.take(123) == DequeueStatus::ok);
    CHECK(bench.got.channel == Channel::input);
    CHECK(bench.take(123) == DequeueStatus::budget_too_small);
    CHECK(bench.take(0) == DequeueStatus::budget_too_small);
    CHECK(bench.queue.pending(Channel::control) == 1);
    CHECK(bench.take(124) == DequeueStatus::ok);
    CHECK(bench.got.sequence == 1);
    CHECK(bench.take(0) == DequeueStatus::empty);
}

TEST_CASE("a short target keeps the message and the turn") {
    Bench bench;
    CHECK(bench.put(Channel::control, 1, 10) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::input, 2, 10) == EnqueueStatus::ok);
    std::array<std::uint8_t, 33> small{};
    std::size_t size = 99;
    CHECK(bench.queue.dequeue(bench.store, 1'200, small, size) == DequeueStatus::buffer_too_small);
    CHECK(size == 99);
    REQUIRE(bench.take() == DequeueStatus::ok);
    CHECK(bench.got.channel == Channel::control);
}

TEST_CASE("enqueue runs the decoder and owns a copy") {
    Bench bench;
    Bytes bytes = message(Channel::control, 4, 3);
    bytes[22] = 1;
    CHECK(bench.queue.enqueue(bench.store, {.message = bytes}) == EnqueueStatus::invalid_message);
    CHECK(bench.queue.enqueue(bench.store, {.message = ConstBytes(bytes).first(20)}) ==
          EnqueueStatus::invalid_message);
    CHECK(bench.queue.empty());
    CHECK(bench.queue.enqueued() == 0);
    bytes[22] = 0;
    CHECK(bench.queue.enqueue(bench.store, {.message = bytes}) == EnqueueStatus::ok);
    bytes.assign(bytes.size(), 0xff);
    REQUIRE(bench.take() == DequeueStatus::ok);
    CHECK(bench.got.sequence == 4);
    CHECK(bench.got.payload[2] == 4);
}

TEST_CASE("weights give turns, and a short channel gives its turn away") {
    Bench bench;
    for (std::uint32_t i = 0; i < 8; ++i) {
        CHECK(bench.put(Channel::control, i) == EnqueueStatus::ok);
        CHECK(bench.put(Channel::bulk, i) == EnqueueStatus::ok);
    }
    CHECK(bench.put(Channel::input, 0) == EnqueueStatus::ok);
    constexpr LaneWeights weights;
    std::vector<unsigned> order;
    Channel channel = Channel::control;
    while (bench.queue.choose(bench.store, weights, {.byte_budget = 1'200}, channel) ==
           DequeueStatus::ok) {
        order.push_back(static_cast<unsigned>(channel));
        bench.queue.pop(bench.store, weights, channel);
    }
    CHECK(order == std::vector<unsigned>{0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3});
}

TEST_CASE("bulk from outside takes Bulk's turns") {
    Bench bench;
    for (std::uint32_t i = 0; i < 6; ++i)
        CHECK(bench.put(Channel::control, i) == EnqueueStatus::ok);
    constexpr LaneWeights weights;
    std::vector<unsigned> order;
    Channel channel = Channel::control;
    while (order.size() < 9 &&
           bench.queue.choose(bench.store, weights, {.byte_budget = 1'200, .bulk_bytes = 1'000},
                              channel) == DequeueStatus::ok) {
        order.push_back(static_cast<unsigned>(channel));
        if (channel == Channel::bulk) {
            bench.queue.pass(weights, channel);
        } else {
            bench.queue.pop(bench.store, weights, channel);
        }
    }
    CHECK(order == std::vector<unsigned>{0, 0, 0, 0, 3, 0, 0, 3, 3});
    CHECK(bench.queue.choose(bench.store, weights, {.byte_budget = 999, .bulk_bytes = 1'000},
                             channel) == DequeueStatus::budget_too_small);
}

TEST_CASE("blocked channels are left alone, and alone they are nothing") {
    Bench bench;
    CHECK(bench.put(Channel::control, 1) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::snapshot, 2) == EnqueueStatus::ok);
    constexpr LaneWeights weights;
    Channel channel = Channel::bulk;
    CHECK(bench.queue.choose(bench.store, weights, {.byte_budget = 1'200, .blocked = 1}, channel) ==
          DequeueStatus::ok);
    CHECK(channel == Channel::snapshot);
    CHECK(bench.queue.choose(bench.store, weights, {.byte_budget = 1'200, .blocked = 15},
                             channel) == DequeueStatus::empty);
}

TEST_CASE("old lossy messages are dropped, and a replacement inherits the waiting") {
    Bench bench;
    bench.now = Instant{100};
    CHECK(bench.put(Channel::snapshot, 1) == EnqueueStatus::ok);
    CHECK(bench.put(Channel::input, 1) == EnqueueStatus::ok);
    bench.now = Instant{200};
    CHECK(bench.put(Channel::snapshot, 2) == EnqueueStatus::replaced_snapshot);
    CHECK(bench.put(Channel::input, 2) == EnqueueStatus::ok);
    CHECK(bench.queue.waiting_since(bench.store, Channel::snapshot) == Instant{100});
    CHECK(bench.queue.waiting_since(bench.store, Channel::control) == Instant::never());
    // Only what was accepted before the instant goes.
    CHECK(bench.queue.drop_older(bench.store, Channel::input, Instant{100}) == 0);
    CHECK(bench.queue.drop_older(bench.store, Channel::input, Instant{101}) == 1);
    CHECK(bench.queue.drop_older(bench.store, Channel::snapshot, Instant{200}) == 0);
    CHECK(bench.queue.drop_older(bench.store, Channel::snapshot, Instant{201}) == 1);
    REQUIRE(bench.take() == DequeueStatus::ok);
    CHECK(bench.got.sequence == 2);
}

TEST_CASE("an idle queue owns nothing, and a busy store settles") {
    static_assert(sizeof(SendQueue) <= 96);
    QueueStore store;
    std::vector<SendQueue> queues(2'000);
    CHECK(store.owned_bytes() == 0);
    const Bytes bytes = message(Channel::input, 1, 40);
    for (int round = 0; round < 3; ++round) {
        const std::uint64_t owned = store.owned_bytes();
        for (SendQueue& queue : queues)
            CHECK(queue.enqueue(store, {.message = bytes}) == EnqueueStatus::ok);
        for (SendQueue& queue : queues)
            queue.clear(store);
        CHECK(store.used() == 0);
        if (round > 0) CHECK(store.owned_bytes() == owned);
    }
}

}  // namespace wt::session::send_queue_test
