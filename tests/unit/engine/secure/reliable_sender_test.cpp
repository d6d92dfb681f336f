// SPDX-License-Identifier: MIT
//
// What the sender picks and when, without a wire: the receiver's window, the send window, lanes in
// turn, repeats after a timeout or after newer acknowledgements, and both ends of the backlog.
#include "engine/secure/reliable_sender.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace wt::secure::reliable_sender_test {

using transport::Lane;

namespace {

struct Bench {
    explicit Bench(const Reliability& reliability = {}, const InitialCounters& initial = {}) {
        sender.reset(reliability, initial);
    }

    void accept(std::size_t bytes, Lane lane = Lane::state) {
        if (filler.size() < bytes) filler.resize(bytes, 0x5a);
        sender.accept(now, {.lane = lane, .bytes = ConstBytes(filler).first(bytes)});
    }
    // Sends the next fragment; false if there is none now.
    bool send() {
        ReliableSender::Pick pick;
        if (!sender.pick(now, true, counters, pick)) return false;
        if (pick.message->record_counter == 0) sender.sealed(*pick.message, ++records);
        last = {pick.message->lane, pick.message->id, pick.fragment};
        sequence = sender.transmitted(now, pick, counters);
        return true;
    }
    unsigned send_all() {
        unsigned count = 0;
        while (send())
            ++count;
        return count;
    }
    void ack(std::uint16_t number, std::uint32_t mask = 0) {
        sender.on_ack(now, {number, mask}, counters, nullptr);
    }

    struct Sent {
        Lane lane = Lane::control;
        std::uint16_t id = 0;
        std::uint16_t fragment = 0;
    };
    BufferPool pool;
    ReliableSender sender{pool};
    transport::Counters counters;
    Instant now = Instant{} + Duration::seconds(1);
    std::uint64_t records = 0;
    std::uint16_t sequence = 0;
    Sent last{};
    std::vector<std::uint8_t> filler{};
};

}  // namespace

TEST_CASE("a record of 1,100 bytes is one fragment, one of 1,101 two") {
    Bench bench;
    bench.accept(unreliable_plaintext_max);
    CHECK(bench.send_all() == 1);
    bench.accept(unreliable_plaintext_max + 1);
    CHECK(bench.send_all() == 2);
    bench.accept(record_plaintext_max);
    CHECK(bench.send_all() == 239);
    CHECK(bench.last.fragment == 238);
    bench.accept(0);
    CHECK(bench.send_all() == 1);
}

TEST_CASE("no message 1,024 ids ahead of the oldest unacknowledged one is begun") {
    Bench bench;
    for (int i = 0; i < 1'025; ++i)
        bench.accept(1);
    CHECK(bench.send_all() == 1'024);
    CHECK(bench.last.id == 1'023);
    // The second oldest moves nothing, the oldest moves the window by two.
    bench.ack(1);
    CHECK(!bench.send());
    bench.accept(1);
    bench.ack(0);
    CHECK(bench.send_all() == 2);
    CHECK(bench.last.id == 1'025);
}

TEST_CASE("the send window counts fragments in flight") {
    Bench bench({.send_window = 64});
    for (int i = 0; i < 70; ++i)
        bench.accept(1);
    CHECK(bench.send_all() == 64);
    bench.ack(0);
    CHECK(bench.send_all() == 1);
    bench.ack(10, 0b11);  // 10, 9 and 8.
    CHECK(bench.send_all() == 3);
    CHECK(bench.counters.acked == 4);
}

TEST_CASE("lanes take turns, one fragment each") {
    Bench bench;
    bench.accept(5'000, Lane::bulk);
    bench.accept(1, Lane::control);
    bench.accept(1, Lane::chat);
    std::vector<Lane> order;
    while (bench.send())
        order.push_back(bench.last.lane);
    const std::vector<Lane> expected = {Lane::control, Lane::chat, Lane::bulk, Lane::bulk,
                                        Lane::bulk,    Lane::bulk, Lane::bulk};
    CHECK(order == expected);

    // The lower lane has no more than its turn, however much it has to send.
    bench.accept(3'000, Lane::control);
    bench.accept(3'000, Lane::bulk);
    order.clear();
    while (bench.send())
        order.push_back(bench.last.lane);
    CHECK(order == std::vector<Lane>{Lane::control, Lane::bulk, Lane::control, Lane::bulk,
                                     Lane::control, Lane::bulk});
}

TEST_CASE("a fragment comes again at its timeout and not a nanosecond before") {
    Bench bench;
    bench.accept(1);
    CHECK(bench.send_all() == 1);
    const Instant due = bench.now + RtoEstimator::rto_min;
    CHECK(bench.sender.next_deadline(true) == due);
    bench.now = due - Duration{1};
    CHECK(!bench.send());
    bench.now = due;
    CHECK(bench.send());
    CHECK(bench.counters.retransmits == 1);
    // The second wait is twice as long.
    CHECK(bench.sender.next_deadline(true) == due + RtoEstimator::rto_min * 2);
    CHECK(bench.sequence == 1);
}

TEST_CASE("latest: only the newest transmission's acknowledgement counts; any: all of them") {
    for (const AckMatching matching : {AckMatching::latest, AckMatching::any}) {
        Bench bench({.ack_matching = matching});
        bench.accept(1);
        CHECK(bench.send_all() == 1);
        bench.now += RtoEstimator::rto_min;
        CHECK(bench.send_all() == 1);
        bench.ack(0);
        CHECK(bench.counters.acked == (matching == AckMatching::any ? 1 : 0));
        bench.ack(1);
        CHECK(bench.counters.acked == 1);
        // Sent twice: no sample (Karn).
        CHECK(!bench.sender.rto().has_sample());
        // No message; the lane's four places and room for 32 timers.
        CHECK(bench.pool.taken_bytes() == 2 * 512);
    }
}

TEST_CASE("fast retransmission needs three newer acknowledgements, not two") {
    Bench bench({.fast_retransmit = 3});
    for (int i = 0; i < 4; ++i)
        bench.accept(1);
    CHECK(bench.send_all() == 4);
    bench.ack(1);
    bench.ack(2);
    CHECK(!bench.send());
    bench.ack(3);
    CHECK(bench.send());
    CHECK(bench.last.id == 0);
    CHECK(bench.sequence == 4);
    CHECK(bench.counters.fast_retransmits == 1);
    CHECK(!bench.send());
}

TEST_CASE("an acknowledgement of what was never sent is counted and changes nothing") {
    Bench bench({}, {.transmission_sequence = 65'535, .message_id = 65'535});
    bench.accept(1);
    bench.accept(1);
    CHECK(bench.send_all() == 2);
    CHECK(bench.sequence == 0);
    bench.ack(1);
    CHECK(bench.counters.of(transport::Refusal::ack_unknown) == 1);
    CHECK(bench.counters.acked == 0);
    bench.ack(0, 1);
    CHECK(bench.counters.acked == 2);
    bench.ack(0, 1);  // Settled: no news, no refusal.
    CHECK(bench.counters.acked == 2);
    CHECK(bench.counters.of(transport::Refusal::ack_unknown) == 1);
}

TEST_CASE("8 MiB unacknowledged are held, one byte more is too much") {
    Bench bench;
    for (int i = 0; i < 32; ++i)
        bench.accept(record_plaintext_max);
    CHECK(!bench.sender.is_backlogged());
    bench.accept(0);
    CHECK(!bench.sender.is_backlogged());
    bench.accept(1);
    CHECK(bench.sender.is_backlogged());
}

TEST_CASE("16,383 ids on a lane are held, the next is too many") {
    Bench bench;
    for (int i = 0; i < 16'383; ++i)
        bench.accept(0);
    bench.accept(0, Lane::chat);
    CHECK(!bench.sender.is_backlogged());
    bench.accept(0);
    CHECK(bench.sender.is_backlogged());
    bench.sender.reset({}, {});
    CHECK(!bench.sender.is_backlogged());
    CHECK(bench.pool.taken_bytes() == 0);
}

TEST_CASE("without leave to seal only what is sealed already goes on") {
    Bench bench;
    bench.accept(2'000);
    CHECK(bench.send());
    bench.accept(1, Lane::chat);
    ReliableSender::Pick pick;
    REQUIRE(bench.sender.pick(bench.now, false, bench.counters, pick));
    CHECK(pick.message->lane == Lane::state);
    CHECK(pick.fragment == 1);
    static_cast<void>(bench.sender.transmitted(bench.now, pick, bench.counters));
    CHECK(!bench.sender.pick(bench.now, false, bench.counters, pick));
    CHECK(bench.sender.oldest_record_counter() == 1);
    CHECK(bench.sender.unsealed_count() == 1);
}

}  // namespace wt::secure::reliable_sender_test
