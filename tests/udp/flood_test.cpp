// SPDX-License-Identifier: MIT
//
// 100,000 malformed datagrams a second beside honest bots: they stay, and the server's memory does.
// Junk of all sizes, headers with junk behind them, requests with one bit turned over.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <vector>

#include "engine/base/rng.hpp"
#include "engine/secure/handshake.hpp"
#include "engine/transport/endpoint.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/batch.hpp"
#include "engine/udp/clock.hpp"
#include "engine/udp/socket.hpp"
#include "engine/udp/waiter.hpp"
#include "tests/udp/program.hpp"

namespace wt::udp_test {

namespace {

constexpr std::uint64_t rate = 100'000;

class Flooder {
public:
    explicit Flooder(const transport::Address& target)
        : target_(target),
          socket_(std::move(*udp::Socket::open({.bind = *udp::parse_address("127.0.0.1:0")}))) {}

    // What is due of a second's share after `elapsed`.
    void send_until(Duration elapsed) {
        const std::uint64_t due = static_cast<std::uint64_t>(elapsed.ns) / 1'000 * rate / 1'000'000;
        for (; made_ < due; ++made_) {
            if (batch_.is_full()) socket_.send(batch_);
            batch_.add(make(batch_.room()), target_);
        }
        socket_.send(batch_);
    }
    [[nodiscard]] std::uint64_t made() const { return made_; }
    [[nodiscard]] std::uint64_t sent() const { return socket_.counters().datagrams_sent; }

private:
    void fill(MutableBytes bytes) {
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(luck_.next() >> 56);
    }

    std::size_t make(MutableBytes room) {
        const std::uint64_t kind = luck_.next() % 4;
        // 0 to 255 B, and now and then anything up to the largest.
        const std::uint64_t most = luck_.next() % 16 == 0 ? room.size() : 255;
        const std::size_t size = static_cast<std::size_t>(luck_.next() % (most + 1));
        if (kind == 0) {
            fill(room.first(size));
            return size;
        }
        if (kind == 1) {
            // One datagram in four has a header that leads to each of the parsers.
            fill(room.first(size));
            static constexpr std::array<std::uint8_t, 11> kinds{1,  2,  3,  4,  5, 16,
                                                                17, 18, 19, 20, 21};
            const std::array<std::uint8_t, 3> header{0xa7, 0x01,
                                                     kinds[luck_.next() % kinds.size()]};
            std::copy_n(header.begin(), std::min<std::size_t>(size, 3), room.begin());
            return size;
        }
        secure::Request request;
        request.protocol_version = 1;
        request.attempt = luck_.next() | 1;
        fill(request.client_key);
        const auto wire = kind == 2 ? secure::WireKind::request : secure::WireKind::join;
        secure::write_request(request, wire, room.first<secure::request_bytes>());
        const std::uint64_t bit = luck_.next() % (secure::request_bytes * 8);
        room[bit / 8] = static_cast<std::uint8_t>(room[bit / 8] ^ 1u << bit % 8);
        return secure::request_bytes;
    }

    transport::Address target_;
    udp::Socket socket_;
    udp::SendBatch batch_{};
    LuckStream luck_{LuckKey::root(1).with("flood")};
    std::uint64_t made_ = 0;
};

void flood(unsigned bots, Duration length) {
    const Folder folder;
    const std::string file = folder.write(
        "t.toml",
        "[scenario]\nphases = [\"join 2s\", \"play " +
            std::to_string(length.ns / 1'000'000'000 + 2) +
            "s\"]\n[links.default]\none_way_delay = \"20ms\"\n[bots.fighter]\ncount = " +
            std::to_string(bots) +
            "\n[gates]\neveryone_in = \"peers.active min == 100% in play\"\n"
            "stay = \"peers.disconnects total == 0\"\n"
            "refused = \"server.refusals total > " +
            std::to_string(static_cast<std::uint64_t>(length.ns) / 1'000'000'000 * rate / 2) +
            "\"\n");
    Program server(folder, "server", {"serve", file, "--listen", "127.0.0.1:0"});
    const std::string address = server.address();
    Program clients(folder, "bots", {"bots", file, "--connect", address});
    REQUIRE(clients.await("in real time"));
    // Everybody is in, and the server has taken what memory it wants.
    pause_for(Duration::millis(3'500));
    const std::uint64_t before = server.resident_kib();
    REQUIRE(before > 0);
    Flooder flooder(*udp::parse_address(address));
    const udp::Clock clock;
    const Instant start = clock.now();
    udp::Waiter waiter;
    std::uint64_t most = before;
    while (clock.now() - start < length) {
        flooder.send_until(clock.now() - start);
        most = std::max(most, server.resident_kib());
        waiter.wait(clock, udp::next_quantum(clock.now(), Duration::millis(5)));
    }
    flooder.send_until(length);
    CHECK(flooder.made() == static_cast<std::uint64_t>(length.ns) / 1'000'000'000 * rate);
    CHECK(flooder.sent() == flooder.made());
    const int bots_code = clients.wait();
    CHECK_MESSAGE(bots_code == 0, clients.out(), clients.error());
    const int server_code = server.wait();
    CHECK_MESSAGE(server_code == 0, server.out(), server.error());
    MESSAGE("flood: " << flooder.sent() << " sent, resident " << before << " KiB before, " << most
                      << " KiB at most\n"
                      << server.out().substr(server.out().find("sockets")));
    // Figures of a longer run take some; 4 KiB a thousand datagrams would be a leak of 4 B each.
    CHECK(most - before <= 4'096);
}

}  // namespace

TEST_CASE("four bots, two seconds of junk" * doctest::test_suite("short")) {
    flood(4, Duration::seconds(2));
}

TEST_CASE("sixteen bots, ten seconds of junk" * doctest::test_suite("long")) {
    flood(16, Duration::seconds(10));
}

}  // namespace wt::udp_test
