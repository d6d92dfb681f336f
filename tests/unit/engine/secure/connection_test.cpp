// SPDX-License-Identifier: MIT
//
// Two connections back to back: delivery modes, loss and recovery, limits, closing. The expected
// instants follow from the seed's rules and a pipe of 25 ms each way.
#include <doctest/doctest.h>

#include "tests/unit/engine/secure/connection_pair.hpp"

namespace wt::secure {

using namespace bench;
using transport::CloseReason;
using transport::Delivery;
using transport::Lane;
using transport::Refusal;
using transport::SendStatus;

namespace {
constexpr Duration one_way = Duration::millis(25);
}

TEST_CASE("a reliable message arrives once, after one way, and is acknowledged") {
    Pair pair;
    CHECK(pair.send(pair.client, filled(64)) == SendStatus::ok);
    pair.run_for(Duration::millis(100));
    REQUIRE(pair.server.delivered.size() == 1);
    CHECK(pair.server.delivered[0].at == Instant{} + one_way);
    CHECK(pair.server.delivered[0].bytes == filled(64));
    const transport::Counters& counters = pair.client.connection.counters();
    CHECK(counters.acked == 1);
    CHECK(counters.retransmits == 0);
    CHECK(pair.server.connection.counters().decrypted == 1);
    transport::ConnectionLevels levels;
    pair.client.connection.levels(pair.now, levels);
    CHECK(levels.backlog_bytes == 0);
    CHECK(levels.srtt == one_way * 2);
}

TEST_CASE("record sizes up to 256 KiB arrive whole, one byte more is refused") {
    Pair pair;
    for (const std::size_t size : {0u, 1u, 1'076u, 1'077u, 2'176u, 2'177u, 262'144u}) {
        CHECK(pair.send(pair.client, filled(size), Lane::bulk) == SendStatus::ok);
    }
    CHECK(pair.send(pair.client, filled(262'145), Lane::bulk) == SendStatus::too_large);
    pair.run_for(Duration::seconds(3));
    REQUIRE(pair.server.delivered.size() == 7);
    CHECK(pair.server.delivered[3].bytes == filled(1'077));
    CHECK(pair.server.delivered[6].bytes == filled(262'144));
    // 1,076 bytes are one fragment, 1,077 two: 1 + 1 + 1 + 2 + 2 + 3 + 239.
    CHECK(pair.client.connection.counters().fragments_sent == 249);
}

TEST_CASE("an unreliable record holds 1,076 bytes and never one more") {
    Pair pair;
    CHECK(pair.send(pair.client, filled(1'076), Lane::gameplay, Delivery::unreliable) ==
          SendStatus::ok);
    CHECK(pair.send(pair.client, filled(1'077), Lane::gameplay, Delivery::unreliable) ==
          SendStatus::too_large);
    pair.run_for(one_way);
    REQUIRE(pair.server.delivered.size() == 1);
    CHECK(pair.server.delivered[0].bytes.size() == 1'076);
}

TEST_CASE("a missing fragment holds its own lane and no other") {
    Pair pair;
    bool dropped = false;
    pair.drop_up = [&](const transport::Label& label, ConstBytes) {
        const bool hit = !dropped && label.lane == Lane::state && label.message == 0;
        dropped = dropped || hit;
        return hit;
    };
    CHECK(pair.send(pair.client, filled(10, 1), Lane::state) == SendStatus::ok);
    CHECK(pair.send(pair.client, filled(10, 2), Lane::state) == SendStatus::ok);
    CHECK(pair.send(pair.client, filled(10, 3), Lane::chat) == SendStatus::ok);
    pair.run_for(Duration::millis(100));
    REQUIRE(pair.server.delivered.size() == 1);
    CHECK(pair.server.delivered[0].lane == Lane::chat);
    pair.run_for(Duration::seconds(1));
    REQUIRE(pair.server.delivered.size() == 3);
    // Its timeout was set when it was sent, before any sample: 200 ms, then one way.
    CHECK(pair.server.delivered[1].at == Instant{} + Duration::millis(225));
    CHECK(pair.server.delivered[1].bytes == filled(10, 1));
    CHECK(pair.server.delivered[2].bytes == filled(10, 2));
}

TEST_CASE("fast retransmission after three newer transmissions beats the timeout") {
    ConnectionConfig config;
    config.reliability.fast_retransmit = 3;
    Pair pair(config);
    bool dropped = false;
    pair.drop_up = [&](const transport::Label& label, ConstBytes) {
        const bool hit = !dropped && label.on_lane && label.message == 0;
        dropped = dropped || hit;
        return hit;
    };
    for (std::uint8_t i = 0; i < 4; ++i) {
        CHECK(pair.send(pair.client, filled(10, i)) == SendStatus::ok);
        pair.run_for(Duration::millis(10));
    }
    pair.run_for(Duration::seconds(1));
    REQUIRE(pair.server.delivered.size() == 4);
    // The third newer one leaves at 30 ms and is acknowledged at 80 ms; the repeat takes 25 ms.
    CHECK(pair.server.delivered[0].at == Instant{} + Duration::millis(105));
    CHECK(pair.client.connection.counters().fast_retransmits == 1);
}

TEST_CASE("lost acknowledgements are repaired by the mask of the next one") {
    Pair pair;
    pair.drop_down = [&](const transport::Label& label, ConstBytes) {
        return label.has(transport::Kind::ack) && pair.now < Instant{} + Duration::millis(150);
    };
    for (std::uint8_t i = 0; i < 12; ++i) {
        CHECK(pair.send(pair.client, filled(10, i)) == SendStatus::ok);
        pair.run_for(Duration::millis(15));
    }
    pair.run_for(Duration::seconds(1));
    CHECK(pair.client.connection.counters().retransmits == 0);
    CHECK(pair.client.connection.counters().acked == 12);
}

TEST_CASE("with acknowledgements of the latest transmission only, a slow path never releases") {
    // RTT 2.1 s, over the 2 s cap: every acknowledgement names an older transmission.
    for (const AckMatching matching : {AckMatching::latest, AckMatching::any}) {
        ConnectionConfig config;
        config.reliability.ack_matching = matching;
        config.reliability.rto_backoff = RtoBackoff::per_fragment;
        Pair pair(config, Duration::millis(1'050));
        CHECK(pair.send(pair.client, filled(10)) == SendStatus::ok);
        pair.run_for(Duration::seconds(20));
        CHECK(pair.server.delivered.size() == 1);
        CHECK(pair.client.connection.counters().acked == (matching == AckMatching::any ? 1 : 0));
    }
}

TEST_CASE("a carried backoff lets an RTT above the floor be measured; the letter never does") {
    for (const RtoBackoff backoff : {RtoBackoff::carry, RtoBackoff::per_fragment}) {
        ConnectionConfig config;
        config.reliability.rto_backoff = backoff;
        Pair pair(config, Duration::millis(150));
        for (int i = 0; i < 60; ++i) {
            CHECK(pair.send(pair.client, filled(10)) == SendStatus::ok);
            pair.run_for(Duration::millis(50));
        }
        pair.run_for(Duration::seconds(2));
        const std::uint64_t sent = pair.client.connection.counters().fragments_sent;
        if (backoff == RtoBackoff::per_fragment) {
            CHECK(sent == 120);  // Each of the 60 exactly twice.
        } else {
            CHECK(sent < 75);  // Those of the first 300 ms and a little more.
        }
    }
}

TEST_CASE("sequenced delivery drops what is older, unreliable delivers as it comes") {
    Pair pair;
    for (std::uint8_t i = 0; i < 3; ++i) {
        CHECK(pair.send(pair.client, {i}, Lane::gameplay, Delivery::unreliable_sequenced) ==
              SendStatus::ok);
        CHECK(pair.send(pair.client, {i}, Lane::gameplay, Delivery::unreliable) == SendStatus::ok);
    }
    pair.settle();
    // Turn the flight round: the last comes first.
    std::reverse(pair.server.incoming.begin(), pair.server.incoming.end());
    for (OnPipe& flying : pair.server.incoming)
        flying.arrives = pair.now + one_way;
    pair.run_for(one_way);
    CHECK(pair.server.delivered.size() == 4);  // One sequenced, three unreliable.
    CHECK(pair.server.connection.counters().of(Refusal::not_newer) == 2);
}

TEST_CASE("each lane has a history of its own, and what is newer on one is news on all others") {
    Pair pair;
    // Three on one lane, then one on each other, whose first sequence is that of the first of them.
    for (std::uint8_t i = 0; i < 3; ++i)
        CHECK(pair.send(pair.client, {i}, Lane::gameplay, Delivery::unreliable_sequenced) ==
              SendStatus::ok);
    for (const Lane lane : {Lane::control, Lane::state, Lane::chat, Lane::bulk})
        CHECK(pair.send(pair.client, {9}, lane, Delivery::unreliable_sequenced) == SendStatus::ok);
    pair.run_for(Duration::millis(100));
    CHECK(pair.server.delivered.size() == 7);
    CHECK(pair.server.connection.counters().of(Refusal::not_newer) == 0);
}

TEST_CASE("the unreliable queue holds 512 datagrams and then drops its oldest") {
    Pair pair;
    for (int i = 0; i < 513; ++i) {
        CHECK(pair.send(pair.server,
                        {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)},
                        Lane::gameplay, Delivery::unreliable) == SendStatus::ok);
    }
    pair.run_for(one_way);
    REQUIRE(pair.client.delivered.size() == 512);
    CHECK(pair.client.delivered[0].bytes[0] == 1);
    CHECK(pair.server.connection.counters().unreliable_dropped == 1);
}

TEST_CASE("a latest value is replaced until it is sent, and its age is the first writer's") {
    ConnectionConfig config;
    config.reliability.send_window = 1;  // So that the second value has to wait.
    Pair pair(config);
    const auto put = [&](std::uint8_t value) {
        const std::vector<std::uint8_t> bytes{value};
        return pair.client.connection.send(pair.now, {.lane = Lane::state,
                                                      .delivery = Delivery::reliable_ordered,
                                                      .bytes = bytes,
                                                      .replace_tag = 7,
                                                      .kind = transport::Kind::report,
                                                      .tick = 0});
    };
    CHECK(put(1) == SendStatus::ok);
    pair.settle();
    pair.run_for(Duration::millis(10));
    CHECK(put(2) == SendStatus::ok);
    pair.run_for(Duration::millis(10));
    CHECK(put(3) == SendStatus::replaced);
    pair.run_for(Duration::seconds(1));
    REQUIRE(pair.server.delivered.size() == 2);
    CHECK(pair.server.delivered[0].bytes[0] == 1);
    CHECK(pair.server.delivered[1].bytes[0] == 3);
    CHECK(pair.server.delivered[1].accepted_at == Instant{} + Duration::millis(10));
}

TEST_CASE("after a drain the deadline lies ahead, with latest values waiting on paced lanes") {
    ConnectionConfig config;
    config.reliability.pacing = Pacing::rate;
    config.reliability.pacing_rate = {1'000'000};
    Pair pair(config);
    const std::vector<std::uint8_t> bytes(1'000, 1);
    for (const Lane lane : {Lane::state, Lane::chat, Lane::bulk, Lane::gameplay, Lane::state}) {
        for (std::uint32_t tag = 0; tag < 4; ++tag) {
            CHECK(pair.client.connection.send(pair.now, {.lane = lane,
                                                         .delivery = Delivery::reliable_ordered,
                                                         .bytes = bytes,
                                                         .replace_tag = tag,
                                                         .kind = transport::Kind::report,
                                                         .tick = 0}) != SendStatus::backlogged);
        }
        pair.settle();
        CHECK(pair.client.connection.next_deadline() > pair.now);
    }
    pair.run_for(Duration::seconds(5));
    CHECK(pair.server.delivered.size() >= 16);
    CHECK(pair.server.delivered.size() <= 20);
}

TEST_CASE("the client's channel refuses message 1,025 of one poll and recovers with the next") {
    Pair pair;
    for (int i = 0; i < 1'024; ++i)
        CHECK(pair.send(pair.client, {1}) == SendStatus::ok);
    CHECK(pair.send(pair.client, {1}) == SendStatus::backlogged);
    const std::uint64_t accepted = pair.client.connection.counters().messages_accepted;
    CHECK(accepted == 1'024);
    pair.settle();
    CHECK(pair.send(pair.client, {1}) == SendStatus::ok);
}

TEST_CASE("8 MiB unacknowledged are allowed, one byte more closes as backlogged") {
    Pair pair;
    for (int i = 0; i < 32; ++i) {
        CHECK(pair.send(pair.server, filled(262'144), Lane::bulk) == SendStatus::ok);
    }
    CHECK(pair.server.connection.is_open());
    CHECK(pair.send(pair.server, {1}, Lane::bulk) == SendStatus::ok);
    CHECK_FALSE(pair.server.connection.is_open());
    CHECK(pair.server.connection.close_reason() == CloseReason::backlogged);
    pair.run_for(Duration::millis(100));
    CHECK(pair.client.connection.close_reason() == CloseReason::backlogged);
}

TEST_CASE("16,383 outstanding ids of a lane are allowed, the next closes as backlogged") {
    Pair pair;
    pair.drop_down = [](const transport::Label&, ConstBytes) { return true; };
    for (int i = 0; i < 16'383; ++i) {
        REQUIRE(pair.send(pair.server, {1}, Lane::chat) == SendStatus::ok);
    }
    CHECK(pair.server.connection.is_open());
    CHECK(pair.send(pair.server, {1}, Lane::chat) == SendStatus::ok);
    CHECK(pair.server.connection.close_reason() == CloseReason::backlogged);
}

TEST_CASE("a silent pair keeps itself alive, a dead path times out after exactly 10 s") {
    Pair pair;
    pair.run_for(Duration::seconds(60));
    CHECK(pair.client.connection.is_open());
    // The client speaks at once, before the first interval is over.
    CHECK(pair.client.connection.counters().keepalives_sent == 61);
    const Instant last = pair.client.connection.last_authentic();
    pair.drop_down = [](const transport::Label&, ConstBytes) { return true; };
    pair.client.incoming.clear();
    pair.run_until(last + Duration::seconds(10) - Duration::nanos(1));
    CHECK(pair.client.connection.is_open());
    pair.run_until(last + Duration::seconds(10));
    CHECK(pair.client.connection.is_closed());
    CHECK(pair.client.connection.close_reason() == CloseReason::timed_out);
}

TEST_CASE("a goodbye is repeated, so that losing four copies does not hide it") {
    Pair pair;
    int lost = 0;
    pair.drop_up = [&](const transport::Label& label, ConstBytes) {
        return label.has(transport::Kind::close) && ++lost <= 4;
    };
    pair.client.connection.close(pair.now, CloseReason::application);
    CHECK(pair.send(pair.client, {1}) == SendStatus::not_connected);
    pair.run_for(Duration::seconds(1));
    CHECK(pair.client.connection.is_closed());
    CHECK(pair.server.connection.is_closed());
    CHECK(pair.server.connection.close_reason() == CloseReason::remote);
}

TEST_CASE("replayed, altered, cut and too old datagrams change nothing but counters") {
    Pair pair;
    std::vector<std::vector<std::uint8_t>> seen;
    pair.drop_up = [&](const transport::Label&, ConstBytes bytes) {
        seen.emplace_back(bytes.begin(), bytes.end());
        return false;
    };
    CHECK(pair.send(pair.client, filled(64)) == SendStatus::ok);
    pair.run_for(Duration::millis(100));
    REQUIRE(seen.size() == 1);
    Connection<RealSuite>& server = pair.server.connection;
    const transport::Counters before = server.counters();
    CHECK_FALSE(server.receive(pair.now, seen[0], {}));
    CHECK(server.counters().of(Refusal::packet_replayed) == 1);
    // A fresh number over old bytes: the tag covers number, header and fragment alike.
    for (std::size_t at = 0; at < seen[0].size(); ++at) {
        std::vector<std::uint8_t> altered = seen[0];
        altered[packet_number_offset] = 77;
        altered[at] ^= 0x10;
        CHECK_FALSE(server.receive(pair.now, altered, {}));
    }
    const std::vector<std::uint8_t> cut(seen[0].begin(), seen[0].begin() + 26);
    CHECK_FALSE(server.receive(pair.now, cut, {}));
    CHECK(server.counters().of(Refusal::too_short) == 1);
    CHECK(server.counters().delivered == before.delivered);
    CHECK(server.counters().datagrams_received == before.datagrams_received);
    CHECK(server.last_authentic() < pair.now);
    CHECK(pair.send(pair.client, filled(8)) == SendStatus::ok);
    pair.run_for(Duration::millis(100));
    CHECK(pair.server.delivered.size() == 2);
}

TEST_CASE("a record that was altered behind an honest packet tag is never delivered") {
    Pair pair;
    std::vector<std::uint8_t> seen;
    pair.drop_up = [&](const transport::Label& label, ConstBytes bytes) {
        if (!label.on_lane) return false;
        seen.assign(bytes.begin(), bytes.end());
        return true;
    };
    CHECK(pair.send(pair.client, filled(64), Lane::gameplay, Delivery::unreliable) ==
          SendStatus::ok);
    pair.run_for(Duration::millis(100));
    REQUIRE(seen.size() > packet_overhead);
    const std::size_t tagged = seen.size() - tag_bytes;
    seen[tagged - tag_bytes - 1] ^= 1;  // The last byte of the record's ciphertext.
    Key packet_key;
    packet_key.fill(3);         // Pair's.
    wt::test::forget_nonces();  // The test has the key and is not the client.
    RealSuite::seal_packet(packet_key, load_u64(seen.data() + packet_number_offset),
                           ConstBytes(seen).first(tagged), seen.data() + tagged);
    CHECK(pair.server.connection.receive(pair.now, seen, {}));
    pair.run_for(Duration::millis(100));
    CHECK(pair.server.delivered.empty());
    CHECK(pair.server.connection.counters().of(Refusal::record_bad) == 1);
}

TEST_CASE("a record that comes again in a fresh datagram is opened once") {
    Pair pair;
    std::vector<std::uint8_t> seen;
    pair.drop_up = [&](const transport::Label& label, ConstBytes bytes) {
        if (label.on_lane) seen.assign(bytes.begin(), bytes.end());
        return false;
    };
    CHECK(pair.send(pair.client, filled(64), Lane::gameplay, Delivery::unreliable) ==
          SendStatus::ok);
    pair.run_for(Duration::millis(100));
    REQUIRE(pair.server.delivered.size() == 1);
    REQUIRE(seen.size() > packet_overhead);
    // The packet layer takes it: its number is new and its tag fits. The record's counter is not
    // new.
    const std::uint64_t number = load_u64(seen.data() + packet_number_offset) + 100;
    store_u64(seen.data() + packet_number_offset, number);
    const std::size_t tagged = seen.size() - tag_bytes;
    Key packet_key;
    packet_key.fill(3);         // Pair's.
    wt::test::forget_nonces();  // The test has the key and is not the client.
    RealSuite::seal_packet(packet_key, number, ConstBytes(seen).first(tagged),
                           seen.data() + tagged);
    CHECK(pair.server.connection.receive(pair.now, seen, {}));
    pair.run_for(Duration::millis(100));
    CHECK(pair.server.delivered.size() == 1);
    CHECK(pair.server.connection.counters().of(Refusal::record_replayed) == 1);
}

TEST_CASE("counters near their end close with a reason instead of repeating a nonce") {
    ConnectionConfig config;
    config.initial.packet_number = ~std::uint64_t{0} - 200;
    Pair pair(config);
    for (int i = 0; i < 400; ++i) {
        (void)pair.send(pair.client, {1}, Lane::gameplay, Delivery::unreliable);
        pair.run_for(Duration::millis(1));
    }
    CHECK(pair.client.connection.close_reason() == CloseReason::counters_exhausted);
    pair.run_for(Duration::seconds(1));
    CHECK(pair.server.connection.close_reason() == CloseReason::counters_exhausted);
    // 200 numbers are left, 64 of them for goodbyes; reaching the limit is seen one later.
    CHECK(pair.server.delivered.size() == 200 - 64);
}

TEST_CASE("message ids and transmission sequences wrap without a gap") {
    ConnectionConfig config;
    config.initial.message_id = 65'530;
    config.initial.transmission_sequence = 65'533;
    Pair pair(config);
    int count = 0;
    pair.drop_up = [&](const transport::Label&, ConstBytes) { return ++count % 3 == 0; };
    for (std::uint8_t i = 0; i < 30; ++i) {
        CHECK(pair.send(pair.client, {i}) == SendStatus::ok);
        pair.run_for(Duration::millis(20));
    }
    pair.run_for(Duration::seconds(5));
    REQUIRE(pair.server.delivered.size() == 30);
    for (std::uint8_t i = 0; i < 30; ++i)
        CHECK(pair.server.delivered[i].bytes[0] == i);
    CHECK(pair.server.delivered[6].id == 0);
}

}  // namespace wt::secure
