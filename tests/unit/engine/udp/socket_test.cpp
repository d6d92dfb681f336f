// SPDX-License-Identifier: MIT
//
// Real sockets on loopback; the system chooses the ports.
#include "engine/udp/socket.hpp"

#include <doctest/doctest.h>
#include <poll.h>

#include <array>
#include <vector>

#include "engine/transport/endpoint.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/batch.hpp"

namespace wt::udp {

namespace {

transport::Address address(const char* text) {
    return *parse_address(text);
}

Socket opened(const SocketConfig& config) {
    Result<Socket, OpenError> result = Socket::open(config);
    REQUIRE_MESSAGE(result, (result ? "" : result.error().message));
    return std::move(*result);
}

// Loopback is quick, but it is another thread of the kernel.
void await(const Socket& socket) {
    pollfd watched{.fd = socket.descriptor(), .events = POLLIN, .revents = 0};
    REQUIRE(poll(&watched, 1, 2'000) == 1);
}

void send_one(Socket& socket, ConstBytes bytes, const transport::Address& to) {
    SendBatch batch;
    batch.add_outside(bytes, to);
    socket.send(batch);
}

std::uint64_t errors(const Socket& socket, SocketError error) {
    return socket.counters().send_errors[static_cast<unsigned>(error)];
}

}  // namespace

TEST_CASE("datagrams arrive with their sender's address, on both families") {
    for (const char* const host : {"127.0.0.1:0", "[::1]:0"}) {
        CAPTURE(host);
        Socket a = opened({.bind = address(host)});
        Socket b = opened({.bind = address(host)});
        CHECK(a.local().port != 0);
        CHECK(a.local().ip == address(host).ip);
        const std::array<std::uint8_t, 3> hello{1, 2, 3};
        send_one(a, hello, b.local());
        await(b);
        ReceiveBatch in;
        REQUIRE(b.receive(in) == 1);
        CHECK(in.from(0) == a.local());
        REQUIRE(in.bytes(0).size() == 3);
        CHECK(in.bytes(0)[2] == 3);
        CHECK(b.receive(in) == 0);
        CHECK(in.count() == 0);
        CHECK(a.counters().datagrams_sent == 1);
        CHECK(a.counters().bytes_sent == 3);
        CHECK(b.counters().datagrams_received == 1);
        CHECK(b.counters().bytes_received == 3);
    }
}

TEST_CASE("a socket on [::] hears IPv4 too, and answers it") {
    Socket both = opened({.bind = address("[::]:0")});
    Socket four = opened({.bind = address("127.0.0.1:0")});
    transport::Address to = address("127.0.0.1:0");
    to.port = both.local().port;
    const std::array<std::uint8_t, 1> byte{9};
    send_one(four, byte, to);
    await(both);
    ReceiveBatch in;
    REQUIRE(both.receive(in) == 1);
    CHECK(in.from(0) == four.local());
    send_one(both, byte, in.from(0));
    await(four);
    CHECK(four.receive(in) == 1);
}

TEST_CASE("batches: more than one call's worth, empty datagrams, one byte too many") {
    Socket a = opened({.bind = address("127.0.0.1:0")});
    Socket b = opened({.bind = address("127.0.0.1:0")});
    SendBatch out;
    for (unsigned i = 0; i < batch_datagrams; ++i) {
        REQUIRE(!out.is_full());
        out.room()[0] = static_cast<std::uint8_t>(i);
        out.add(i % 2, b.local());
    }
    CHECK(out.is_full());
    a.send(out);
    CHECK(out.count() == 0);
    CHECK(a.counters().send_calls == 1);
    const std::vector<std::uint8_t> largest(transport::datagram_bytes_max + 1, 7);
    send_one(a, ConstBytes(largest).first(transport::datagram_bytes_max), b.local());
    send_one(a, largest, b.local());
    const std::vector<std::uint8_t> far_too_large(9'000, 7);
    send_one(a, far_too_large, b.local());
    await(b);
    ReceiveBatch in;
    REQUIRE(b.receive(in) == batch_datagrams);
    for (unsigned i = 0; i < batch_datagrams; ++i) {
        CHECK(in.bytes(i).size() == i % 2);
        if (i % 2 == 1) CHECK(in.bytes(i)[0] == i);
    }
    REQUIRE(b.receive(in) == 3);
    CHECK(in.bytes(0).size() == transport::datagram_bytes_max);
    // Both of these show as too long, which is all that an endpoint needs to know.
    CHECK(in.bytes(1).size() == transport::datagram_bytes_max + 1);
    CHECK(in.bytes(2).size() == transport::datagram_bytes_max + 1);
    CHECK(b.counters().truncated == 1);
}

TEST_CASE("what the kernel drops is counted") {
    // The least that the system gives, about 2 KiB, holds one or two of these.
    Socket small = opened({.bind = address("127.0.0.1:0"), .receive_buffer_bytes = 1});
    Socket a = opened({.bind = address("127.0.0.1:0")});
    const std::vector<std::uint8_t> bytes(1'000, 5);
    constexpr std::uint64_t sent = 500;
    for (std::uint64_t i = 0; i < sent; ++i)
        send_one(a, bytes, small.local());
    ReceiveBatch in;
    while (small.receive(in) > 0) {
    }
    // The count comes with the next one that fits.
    send_one(a, bytes, small.local());
    await(small);
    REQUIRE(small.receive(in) == 1);
    const SocketCounters& counters = small.counters();
    CHECK(counters.kernel_drops > 0);
    CHECK(counters.datagrams_received + counters.kernel_drops == sent + 1);
}

TEST_CASE("send errors have names, and what follows is sent all the same") {
    Socket a = opened({.bind = address("127.0.0.1:0")});
    Socket b = opened({.bind = address("127.0.0.1:0")});
    const std::vector<std::uint8_t> huge(70'000, 1);
    const std::array<std::uint8_t, 1> byte{1};
    SendBatch out;
    out.add_outside(byte, b.local());
    out.add_outside(huge, b.local());
    out.add_outside(byte, b.local());
    // The broadcast address is not for sockets that did not ask for it.
    out.add_outside(byte, address("255.255.255.255:9"));
    out.add_outside(byte, b.local());
    a.send(out);
    CHECK(errors(a, SocketError::too_large) == 1);
    CHECK(a.counters().datagrams_sent == 3);
    const std::uint64_t elsewhere =
        errors(a, SocketError::not_permitted) + errors(a, SocketError::unreachable);
    CHECK(elsewhere == 1);
    await(b);
    ReceiveBatch in;
    CHECK(b.receive(in) == 3);
}

TEST_CASE("a connected socket hears that nobody listens") {
    transport::Address nobody;
    {
        const Socket gone = opened({.bind = address("127.0.0.1:0")});
        nobody = gone.local();
    }
    Socket a = opened({.bind = address("127.0.0.1:0"), .peer = nobody});
    const std::array<std::uint8_t, 1> byte{1};
    send_one(a, byte, nobody);
    ReceiveBatch in;
    CHECK(a.receive(in) == 0);
    CHECK(a.counters().receive_errors[static_cast<unsigned>(SocketError::refused)] == 1);
    // A refusal of the last one does not keep the next one from being sent.
    send_one(a, byte, nobody);
    send_one(a, byte, nobody);
    CHECK(a.counters().datagrams_sent == 3);
    CHECK(errors(a, SocketError::refused) == 0);
}

TEST_CASE("ports in use and addresses of other machines") {
    const Socket a = opened({.bind = address("127.0.0.1:0")});
    const auto second = Socket::open({.bind = a.local()});
    REQUIRE(!second);
    CHECK(second.error().what == OpenError::What::in_use);
    CHECK(second.error().message.starts_with(text_of(a.local()) + " is in use"));
    const auto elsewhere = Socket::open({.bind = address("192.0.2.1:0")});
    REQUIRE(!elsewhere);
    CHECK(elsewhere.error().what == OpenError::What::not_here);
    // Moved from, moved to: one owner.
    Socket b = opened({.bind = address("127.0.0.1:0")});
    const transport::Address where = b.local();
    Socket c = std::move(b);
    CHECK(c.local() == where);
    CHECK(!Socket::open({.bind = where}));
}

}  // namespace wt::udp
