// SPDX-License-Identifier: MIT
//
// A server session with one Active peer over a fake endpoint.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "tests/unit/engine/session/fake_endpoint.hpp"

namespace wt::test {

class FakeServer {
public:
    explicit FakeServer(const session::ServerConfig& config = server_config(), bool joins = true)
        : luck_(LuckKey::root(3).with("fake")), sessions(config, Entropy::from_luck(luck_)) {
        sessions.on_event(now, endpoint,
                          transport::Connected{.connection = connection, .player = {9}});
        session::Hello hello{.message_bytes = 1'076};
        hello.terms = client_config().terms;
        std::array<std::uint8_t, session::hello_bytes_max> bytes{};
        std::size_t size = 0;
        CHECK(session::write_hello(hello, bytes, size));
        put(Kind::hello, 0, ConstBytes(bytes).first(size));
        if (joins) put(Kind::ready, 0, {});
        session::SessionEvent event;
        while (sessions.next_event(event))
            peer = event.peer;
        CHECK(sessions.state(peer) == (joins ? State::active : State::synchronizing));
        sessions.pump(now, endpoint);
        endpoint.sent.clear();
    }

    // A control message of the client.
    void put(Kind kind, std::uint32_t sequence, ConstBytes payload) {
        const PeerHandle handle = sessions.peer_of(connection);
        const std::uint64_t epoch = sessions.link(handle)->epoch();
        std::array<std::uint8_t, 1'200> room{};
        std::size_t size = 0;
        CHECK(session::encode_envelope({.kind = static_cast<std::uint16_t>(kind),
                                        .epoch = epoch,
                                        .sequence = sequence,
                                        .payload = payload},
                                       room, size) == session::EnvelopeStatus::ok);
        sessions.on_event(now, endpoint,
                          transport::Received{.connection = connection,
                                              .lane = transport::Lane::control,
                                              .bytes = ConstBytes(room).first(size)});
    }
    void tick() {
        now += Duration::millis(16);
        sessions.begin_tick(now, endpoint, ++number);
    }
    void pump() { sessions.pump(now, endpoint); }
    session::SendStatus send(Kind kind, std::size_t bytes) {
        const std::vector<std::uint8_t> payload(bytes, 1);
        return sessions.send(now, peer, kind, 0, payload);
    }
    EndReason closed() {
        session::SessionEvent event;
        EndReason reason = EndReason::none;
        while (sessions.next_event(event)) {
            if (event.type == SessionEvent::Type::closed) reason = event.reason;
        }
        return reason;
    }

private:
    LuckStream luck_;

public:
    Instant now{1'000'000'000};
    std::uint64_t number = 100;
    transport::ConnectionId connection{.index = 2, .generation = 4};
    FakeEndpoint endpoint;
    session::ServerSession sessions;
    PeerHandle peer{};
};

}  // namespace wt::test
