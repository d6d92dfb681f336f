// SPDX-License-Identifier: MIT
//
// The bytes of every session datagram against tests/golden/session.txt, which another
// implementation of the cipher made from the tables of engine/secure/README.md: what a connection
// writes, and that its other end reads exactly those bytes.
#include <doctest/doctest.h>

#include "engine/secure/connection.inl"
#include "engine/secure/real_suite.hpp"
#include "tests/support/golden_text.hpp"
#include "tests/support/hex.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::secure::session_golden_test {

namespace {

const std::map<std::string, std::string>& golden() {
    static const std::map<std::string, std::string> entries =
        wt::test::read_golden(WT_TEST_DATA "/golden/session.txt");
    return entries;
}

std::vector<std::uint8_t> golden_bytes(const std::string& name) {
    REQUIRE(golden().count(name) == 1);
    return wt::test::from_hex(golden().at(name));
}

Key counting_key(std::uint8_t first) {
    Key key{};
    for (std::size_t i = 0; i < key.size(); ++i)
        key[i] = static_cast<std::uint8_t>(first + i);
    return key;
}

std::vector<std::uint8_t> counting(unsigned first, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::uint8_t>(first + i);
    return bytes;
}

// One end whose outgoing keys are the vectors' (`writes`), or whose incoming ones are.
struct End {
    explicit End(bool writes) : End(writes, writes) {}
    End(bool writes, bool is_client) {
        wt::test::forget_nonces();  // The vectors' keys, in every end.
        SessionKeys keys;
        (writes ? keys.record_out : keys.record_in) = counting_key(0x00);
        (writes ? keys.packet_out : keys.packet_in) = counting_key(0x40);
        (writes ? keys.record_in : keys.record_out).fill(0xee);
        (writes ? keys.packet_in : keys.packet_out).fill(0xdd);
        connection.open(now, keys, {}, {1, 1}, {}, is_client);
    }

    std::vector<std::uint8_t> next() {
        std::vector<std::uint8_t> room(transport::datagram_bytes_max);
        transport::Datagram out;
        out.room = room;
        REQUIRE(connection.next_datagram(now, out));
        room.resize(out.size);
        return room;
    }
    void send(transport::Lane lane, transport::Delivery how,
              const std::vector<std::uint8_t>& what) {
        REQUIRE(connection.send(now, {.lane = lane, .delivery = how, .bytes = what}) ==
                transport::SendStatus::ok);
    }

    BufferPool pool;
    Connection<RealSuite> connection{pool};
    Instant now{1'000'000'000};
};

// A reliable fragment to acknowledge: sequence 97, 99, 100 of the other direction.
std::vector<std::uint8_t> incoming(std::uint16_t sequence) {
    std::vector<std::uint8_t> bytes(packet_overhead + reliable_header_bytes + 4);
    write_frame(bytes.data(), WireKind::reliable);
    store_u64(bytes.data() + packet_number_offset, sequence);
    std::uint8_t* const at = bytes.data() + session_header_bytes;
    store_u16(at, sequence);
    at[2] = 0;
    store_u16(at + 3, 0);
    at[5] = static_cast<std::uint8_t>(sequence - 97);
    at[6] = 9;
    const std::size_t tagged = bytes.size() - tag_bytes;
    Key key{};
    key.fill(0xdd);
    RealSuite::seal_packet(key, sequence, ConstBytes(bytes).first(tagged), bytes.data() + tagged);
    return bytes;
}

}  // namespace

TEST_CASE("session datagrams have their golden bytes") {
    using transport::Delivery;
    using transport::Lane;
    End end(true);
    CHECK(end.next() == golden_bytes("keepalive"));
    end.send(Lane::gameplay, Delivery::unreliable, counting(0xa0, 80));
    CHECK(end.next() == golden_bytes("unreliable"));
    end.send(Lane::gameplay, Delivery::unreliable_sequenced, {});
    end.send(Lane::gameplay, Delivery::unreliable_sequenced, counting(1, 5));
    CHECK(end.next() == golden_bytes("sequenced_first"));
    CHECK(end.next() == golden_bytes("sequenced_second"));
    end.send(Lane::state, Delivery::reliable_ordered, counting(0x10, 64));
    CHECK(end.next() == golden_bytes("reliable"));
    end.send(Lane::bulk, Delivery::reliable_ordered, counting(7, 1'077));
    CHECK(end.next() == golden_bytes("fragment_0"));
    CHECK(end.next() == golden_bytes("fragment_1"));
    for (const std::uint16_t sequence : {std::uint16_t{97}, std::uint16_t{99}, std::uint16_t{100}})
        REQUIRE(end.connection.receive(end.now, incoming(sequence), {}));
    CHECK(end.next() == golden_bytes("ack"));
    end.connection.close(end.now, transport::CloseReason::application);
    CHECK(end.next() == golden_bytes("close"));
}

TEST_CASE("the other end reads the golden bytes") {
    End end(false);
    const auto receive = [&](const char* name) {
        return end.connection.receive(end.now, golden_bytes(name), {});
    };
    const auto message = [&](transport::Received& out) {
        REQUIRE(end.connection.next_message(out));
        return std::vector<std::uint8_t>(out.bytes.begin(), out.bytes.end());
    };
    transport::Received out;
    CHECK(receive("keepalive"));
    CHECK(receive("unreliable"));
    CHECK(message(out) == counting(0xa0, 80));
    CHECK(out.lane == transport::Lane::gameplay);
    CHECK(out.delivery == transport::Delivery::unreliable);
    CHECK(receive("sequenced_first"));
    CHECK(message(out).empty());
    CHECK(receive("sequenced_second"));
    CHECK(message(out) == counting(1, 5));
    CHECK(out.id == 2);
    CHECK(receive("reliable"));
    CHECK(message(out) == counting(0x10, 64));
    CHECK(out.lane == transport::Lane::state);
    CHECK(receive("fragment_1"));
    CHECK(!end.connection.next_message(out));
    CHECK(receive("fragment_0"));
    CHECK(message(out) == counting(7, 1'077));
    CHECK(out.lane == transport::Lane::bulk);
    CHECK(receive("ack"));
    CHECK(receive("close"));
    CHECK(end.connection.is_closed());
    CHECK(end.connection.close_reason() == transport::CloseReason::remote);
    for (const std::uint64_t refused : end.connection.counters().refused)
        CHECK(refused <= 1);  // The acknowledgement names what was never sent.
    CHECK(end.connection.counters().of(transport::Refusal::ack_unknown) == 1);
}

// A datagram of the other direction without a payload.
std::vector<std::uint8_t> empty_packet(WireKind kind, std::uint64_t number) {
    std::vector<std::uint8_t> bytes(packet_overhead);
    write_frame(bytes.data(), kind);
    store_u64(bytes.data() + packet_number_offset, number);
    Key key{};
    key.fill(0xdd);
    RealSuite::seal_packet(key, number, ConstBytes(bytes).first(session_header_bytes),
                           bytes.data() + session_header_bytes);
    return bytes;
}

TEST_CASE("challenge and response of a new path have their golden bytes") {
    const transport::Address there{.ip = {1}, .port = 2};
    bool proven = false;
    End server(true, false);
    REQUIRE(server.connection.receive_elsewhere(server.now, there,
                                                empty_packet(WireKind::keepalive, 5), {}, proven));
    CHECK_FALSE(proven);
    CHECK(server.next() == golden_bytes("path_challenge"));
    End client(true, true);
    REQUIRE(
        client.connection.receive(client.now, empty_packet(WireKind::path_challenge, 0x4d), {}));
    CHECK(client.next() == golden_bytes("path_response"));

    // And the other ends read them. Number 0x4d was never sent here, so that it proves nothing.
    End challenged(false, true);
    REQUIRE(challenged.connection.receive(challenged.now, golden_bytes("path_challenge"), {}));
    CHECK(challenged.next().size() == golden_bytes("path_response").size());
    End answered(false, false);
    REQUIRE(answered.connection.receive_elsewhere(answered.now, there,
                                                  golden_bytes("path_response"), {}, proven));
    CHECK_FALSE(proven);
    for (const End* end : {&challenged, &answered}) {
        for (const std::uint64_t refused : end->connection.counters().refused)
            CHECK(refused == 0);
    }
}

TEST_CASE("neither end takes what only the other one may say of a path") {
    End client(true, true);
    REQUIRE(client.connection.receive(client.now, empty_packet(WireKind::path_response, 3), {}));
    CHECK(client.connection.counters().of(transport::Refusal::malformed) == 1);
    End server(true, false);
    REQUIRE(server.connection.receive(server.now, empty_packet(WireKind::path_challenge, 3), {}));
    CHECK(server.connection.counters().of(transport::Refusal::unexpected) == 1);
    End reader(false, true);
    REQUIRE(reader.connection.receive(reader.now, golden_bytes("path_response"), {}));
    CHECK(reader.connection.counters().of(transport::Refusal::unexpected) == 1);
}

TEST_CASE("the sizes on the wire that gates reckon with") {
    constexpr std::size_t headers = 28;                         // IPv4 and UDP.
    CHECK(golden_bytes("unreliable").size() + headers == 160);  // An input of 80 bytes.
    CHECK(golden_bytes("reliable").size() + headers == 150);    // A report of 64 bytes.
    CHECK(golden_bytes("fragment_0").size() + headers == 1'162);
    CHECK(golden_bytes("ack").size() + headers == 61);
    CHECK(golden_bytes("keepalive").size() + headers == 55);
    CHECK(golden_bytes("close").size() + headers == 56);
}

}  // namespace wt::secure::session_golden_test
