// SPDX-License-Identifier: MIT
//
// A server and a client behind an address translator that can give the client a new mapping at any
// time. What goes to an old mapping is lost, as is everything that nobody is behind; all that the
// server says is kept by address.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "tests/support/handshake_bench.hpp"

namespace wt::secure::bench {

using wt::test::address_of;
using wt::test::Bench;
using wt::test::Flying;

class MovingBench : public Bench {
public:
    using Bench::Bench;

    // The client is heard from `address` from now on, and only there.
    void rebind(const transport::Address& address) { client.address = address; }

    // One step of both ends, by the translator's rules.
    void exchange() {
        if (is_talking && now >= next_words_) say_something();
        for (const Flying& one : client_step()) {
            bytes_from[key_of(client.address)] += one.bytes.size();
            if (tap) tap(one);
            if (!path_up) continue;
            server.receive(now, client.address, one);
        }
        deliver(server_step());
        wait(tick);
    }
    void exchange_for(Duration duration) {
        const Instant end = now + duration;
        while (now < end)
            exchange();
    }
    // Until the server says Moved, or `limit` is over; how long it took.
    Duration exchange_until_moved(Duration limit) {
        const Instant begin = now;
        const std::size_t before = server.moved.size();
        while (server.moved.size() == before && now - begin < limit)
            exchange();
        return now - begin;
    }
    void deliver(const std::vector<Flying>& all) {
        for (const Flying& one : all) {
            bytes_to[key_of(one.to)] += one.bytes.size();
            if (one.kind() == WireKind::path_challenge) ++challenges_to[key_of(one.to)];
            if (one.to == client.address) client.receive(now, server.address, one);
        }
    }
    // A message each way gets across.
    bool talks() {
        const std::size_t at_server = server.got.size();
        const std::size_t at_client = client.got.size();
        if (send(client, client_id()) != transport::SendStatus::ok) return false;
        if (send(server, server_id()) != transport::SendStatus::ok) return false;
        for (int i = 0; i < 3; ++i)
            exchange();
        return server.got.size() > at_server && client.got.size() > at_client;
    }

    using Key = std::pair<std::uint8_t, std::uint16_t>;
    static Key key_of(const transport::Address& address) { return {address.ip[15], address.port}; }

    std::map<Key, std::uint64_t> bytes_from{};
    std::map<Key, std::uint64_t> bytes_to{};
    std::map<Key, std::uint64_t> challenges_to{};
    // Sees what the client says before the server does.
    std::function<void(const Flying&)> tap{};
    bool is_talking = false;  // The client says something 60 times a second.
    bool path_up = true;      // From the client to the server.

private:
    transport::SendStatus send(wt::test::Host& host, transport::ConnectionId to) {
        static constexpr std::array<std::uint8_t, 3> words = {1, 2, 3};
        return host.endpoint->send(now, to,
                                   {.lane = transport::Lane::chat,
                                    .delivery = transport::Delivery::reliable_ordered,
                                    .bytes = words});
    }
    void say_something() {
        static constexpr std::array<std::uint8_t, 18> words = {7};
        // The next one 16.7 ms after this one was due: on a grid of 5 ms, 15 or 20 ms apart.
        if (now - next_words_ > Duration::seconds(1)) next_words_ = now;
        next_words_ += Duration::nanos(16'666'667);
        static_cast<void>(client.endpoint->send(now, client_id(),
                                                {.lane = transport::Lane::gameplay,
                                                 .delivery = transport::Delivery::unreliable,
                                                 .bytes = words}));
    }

    Instant next_words_{};
};

}  // namespace wt::secure::bench
