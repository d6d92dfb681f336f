// SPDX-License-Identifier: MIT
//
// Two connections of the real suite over a pipe in virtual time, for tests of what happens between
// them. The pipe delays, and drops what a predicate says; nothing here is random.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "engine/secure/connection.inl"
#include "engine/secure/real_suite.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::secure::bench {

struct OnPipe {
    Instant arrives{};
    std::vector<std::uint8_t> bytes;
    transport::Label label{};
};

struct Delivered {
    Instant at{};
    transport::Lane lane{};
    std::uint16_t id = 0;
    std::vector<std::uint8_t> bytes;
    Instant accepted_at{};
};

// One end: its connection, what it received, what is on its way to it.
struct End {
    BufferPool pool;
    Connection<RealSuite> connection{pool};
    std::deque<OnPipe> incoming;
    std::vector<Delivered> delivered;
};

class Pair {
public:
    using Drop = std::function<bool(const transport::Label&, ConstBytes)>;

    explicit Pair(ConnectionConfig config = {}, Duration one_way = Duration::millis(25))
        : one_way_(one_way) {
        wt::test::forget_nonces();  // Every pair has these keys.
        SessionKeys a;
        a.record_out.fill(1);
        a.record_in.fill(2);
        a.packet_out.fill(3);
        a.packet_in.fill(4);
        const SessionKeys b{a.record_in, a.record_out, a.packet_in, a.packet_out};
        client.connection.open(now, a, config, {1, 1}, {}, true);
        server.connection.open(now, b, config, {1, 1}, {}, false);
        client.connection.observe(true);
        server.connection.observe(true);
    }

    transport::SendStatus send(
        End& from, std::vector<std::uint8_t> bytes, transport::Lane lane = transport::Lane::state,
        transport::Delivery delivery = transport::Delivery::reliable_ordered) {
        return from.connection.send(now, {.lane = lane,
                                          .delivery = delivery,
                                          .bytes = bytes,
                                          .replace_tag = {},
                                          .kind = transport::Kind::report,
                                          .tick = 0});
    }

    // Lets the world run until `end`, at every instant at which something can happen.
    void run_until(Instant end) {
        for (;;) {
            settle();
            const Instant next = next_event();
            if (next > end) break;
            now = std::max(next, now);
        }
        now = end;
    }
    void run_for(Duration time) { run_until(now + time); }

    // Delivers what is due, lets both ends act, drains them.
    void settle() {
        step(client, server, drop_up);
        step(server, client, drop_down);
        step(client, server, drop_up);
    }

    Instant now{};
    End client;
    End server;
    Drop drop_up = [](const transport::Label&, ConstBytes) { return false; };
    Drop drop_down = [](const transport::Label&, ConstBytes) { return false; };
    std::uint64_t carried = 0;

private:
    void step(End& self, End& other, const Drop& drop) {
        while (!self.incoming.empty() && self.incoming.front().arrives <= now) {
            const OnPipe flying = std::move(self.incoming.front());
            self.incoming.pop_front();
            self.connection.receive(now, flying.bytes, flying.label);
            drain_messages(self);
        }
        self.connection.advance(now);
        std::vector<std::uint8_t> room(transport::datagram_bytes_max);
        transport::Datagram out;
        out.room = room;
        while (self.connection.next_datagram(now, out)) {
            ++carried;
            if (drop(out.label, {room.data(), out.size})) continue;
            other.incoming.push_back({now + one_way_,
                                      {room.begin(), room.begin() + static_cast<long>(out.size)},
                                      out.label});
        }
    }
    void drain_messages(End& self) {
        transport::Received message;
        while (self.connection.next_message(message)) {
            self.delivered.push_back({now,
                                      message.lane,
                                      message.id,
                                      {message.bytes.begin(), message.bytes.end()},
                                      message.accepted_at});
        }
    }
    Instant next_event() const {
        Instant next = Instant::never();
        for (const End* end : {&client, &server}) {
            if (!end->incoming.empty()) next = std::min(next, end->incoming.front().arrives);
            next = std::min(next, end->connection.next_deadline());
        }
        return next;
    }

    Duration one_way_;
};

inline std::vector<std::uint8_t> filled(std::size_t count, std::uint8_t seed = 1) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251 + seed);
    }
    return bytes;
}

}  // namespace wt::secure::bench
