// SPDX-License-Identifier: MIT
//
// The portal against a real socket in the server's place.
#include "simulator/realtime/portal.hpp"

#include <doctest/doctest.h>
#include <poll.h>

#include <array>
#include <vector>

#include "engine/udp/address_text.hpp"
#include "simulator/core/host_name.hpp"

namespace wt::sim {

namespace {

struct Bench {
    udp::Socket server{std::move(*udp::Socket::open({.bind = *udp::parse_address("127.0.0.1:0")}))};
    Portal portal{server.local()};
    udp::ReceiveBatch in{};
    std::array<std::uint8_t, transport::datagram_bytes_max> room{};

    void send(const transport::Address& from, std::uint8_t byte) {
        portal.receive({}, from, ConstBytes(&byte, 1), {});
    }
    // What the server got, one datagram at a time.
    transport::Address next(std::uint8_t byte) {
        pollfd watched{.fd = server.descriptor(), .events = POLLIN, .revents = 0};
        REQUIRE(poll(&watched, 1, 2'000) == 1);
        REQUIRE(server.receive(in) == 1);
        REQUIRE(in.bytes(0).size() == 1);
        CHECK(in.bytes(0)[0] == byte);
        return in.from(0);
    }
    void answer(const transport::Address& to, std::size_t bytes) {
        const std::vector<std::uint8_t> content(bytes, 9);
        udp::SendBatch out;
        out.add_outside(content, to);
        server.send(out);
    }
    bool take(transport::Datagram& out) {
        out = {};
        out.room = room;
        return portal.next_datagram({}, out);
    }
};

}  // namespace

TEST_CASE("each bot has a socket of its own, and what comes to it is for that bot") {
    Bench bench;
    const transport::Address one = address_of({"runner", 1}, 0);
    const transport::Address two = address_of({"runner", 2}, 0);
    bench.send(one, 1);
    const transport::Address outside_one = bench.next(1);
    bench.send(two, 2);
    const transport::Address outside_two = bench.next(2);
    CHECK(outside_one != outside_two);
    bench.send(one, 3);
    CHECK(bench.next(3) == outside_one);
    CHECK(bench.portal.socket_count() == 2);

    bench.answer(outside_two, 7);
    bench.answer(outside_one, transport::datagram_bytes_max);
    // One longer than any of ours: not for an endpoint of a world, which has no room for it.
    bench.answer(outside_one, transport::datagram_bytes_max + 1);
    for (int i = 0; i < 100 && bench.portal.sockets().datagrams_received < 3; ++i) {
        (void)poll(nullptr, 0, 10);
        bench.portal.read();
    }
    transport::Datagram out;
    REQUIRE(bench.take(out));
    CHECK(out.to == one);
    CHECK(out.size == transport::datagram_bytes_max);
    REQUIRE(bench.take(out));
    CHECK(out.to == two);
    CHECK(out.size == 7);
    CHECK(!bench.take(out));
}

TEST_CASE("a process that comes back with another port gets another socket") {
    Bench bench;
    bench.send(address_of({"runner", 1}, 0), 1);
    const transport::Address before = bench.next(1);
    bench.send(address_of({"runner", 1}, 1), 2);
    const transport::Address after = bench.next(2);
    CHECK(before != after);
    CHECK(bench.portal.socket_count() == 1);
    // The old one is closed: nobody gets what is sent there.
    bench.answer(before, 1);
    bench.answer(after, 2);
    for (int i = 0; i < 100 && bench.portal.sockets().datagrams_received < 1; ++i) {
        (void)poll(nullptr, 0, 10);
        bench.portal.read();
    }
    transport::Datagram out;
    REQUIRE(bench.take(out));
    CHECK(out.to == address_of({"runner", 1}, 1));
    CHECK(out.size == 2);
    CHECK(!bench.take(out));
    CHECK(bench.portal.sockets().datagrams_sent == 2);
}

TEST_CASE("forged addresses share one socket") {
    Bench bench;
    transport::Address forged;
    forged.ip = {0x20, 0x01, 0x0d, 0xb8, 1};
    forged.port = 5;
    bench.send(forged, 1);
    const transport::Address first = bench.next(1);
    forged.ip[15] = 77;
    forged.port = 6;
    bench.send(forged, 2);
    CHECK(bench.next(2) == first);
    CHECK(bench.portal.socket_count() == 1);
}

}  // namespace wt::sim
