// SPDX-License-Identifier: MIT
//
// States, deadlines, reasons, handles and epochs, over loopback and over the encrypted transport.
#include <doctest/doctest.h>

#include <array>
#include <initializer_list>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::lifecycle_test {

namespace {

using namespace wt::test;
using session::ConnectStatus;
using session::SendStatus;
using Type = SessionEvent::Type;

constexpr std::initializer_list<Wire> both_wires = {Wire::loopback, Wire::secure};

std::array<std::uint8_t, 8> input_of(std::uint64_t tick) {
    std::array<std::uint8_t, 8> bytes{};
    store_u32(bytes.data(), static_cast<std::uint32_t>(tick));
    return bytes;
}

}  // namespace

TEST_CASE("a session goes through its states and messages go both ways") {
    for (const Wire wire : both_wires) {
        SessionBench bench(wire);
        auto& client = *bench.clients[0].session;
        CHECK(client.state() == State::idle);
        REQUIRE(bench.connect() == ConnectStatus::ok);
        CHECK(client.state() == State::connecting);
        CHECK(bench.connect() == ConnectStatus::busy);
        bench.ticks(20);
        CHECK(client.state() == State::active);
        CHECK(bench.server->state(bench.peer()) == State::active);
        CHECK(bench.server->player(bench.peer()).value == 100);
        CHECK(bench.link().epoch() == client.link().epoch());
        CHECK(bench.link().epoch() != session::negotiation_epoch);
        CHECK(bench.count(bench.server_events, Type::synchronizing) == 1);
        CHECK(bench.count(bench.server_events, Type::active) == 1);
        CHECK(bench.count(bench.clients[0].events, Type::synchronizing) == 1);
        CHECK(bench.count(bench.clients[0].events, Type::active) == 1);

        const auto input = input_of(bench.tick_number);
        CHECK(client.send(bench.now, Kind::input, 1, input) == SendStatus::ok);
        const std::array<std::uint8_t, 3> spawn = {1, 2, 3};
        CHECK(bench.server->send(bench.now, bench.peer(), Kind::spawn_batch, 7, spawn) ==
              SendStatus::ok);
        CHECK(bench.server->send(bench.now, bench.peer(), Kind::snapshot, 7, spawn) ==
              SendStatus::ok);
        bench.ticks(2);
        REQUIRE(bench.count(bench.server_events, Type::message) == 1);
        const Seen& got = bench.server_events.back();
        CHECK(got.event.kind == Kind::input);
        CHECK(got.event.tick == bench.tick_number - 2);
        CHECK(got.payload.size() == 8);
        CHECK(bench.count(bench.clients[0].events, Type::message) == 2);
        CHECK(bench.link().counters().messages_in >= 2);
    }
}

TEST_CASE("a goodbye of either end is heard, after what was accepted before it") {
    for (const Wire wire : both_wires) {
        SessionBench bench(wire);
        bench.join();
        const PeerHandle peer = bench.peer();
        const std::array<std::uint8_t, 1> last = {9};
        SUBCASE("the client's") {
            CHECK(bench.clients[0].session->send(bench.now, Kind::game_event, 0, last) ==
                  SendStatus::ok);
            CHECK(bench.clients[0].session->close(bench.now, *bench.clients[0].endpoint));
            bench.ticks(5);
            CHECK(bench.closed_at_client() == EndReason::asked);
            CHECK(bench.closed_at_server() == EndReason::remote);
            CHECK(bench.count(bench.server_events, Type::message) == 1);
        }
        SUBCASE("the server's") {
            CHECK(bench.server->send(bench.now, peer, Kind::game_event, 0, last) == SendStatus::ok);
            CHECK(bench.server->close(bench.now, peer, EndReason::server_shutdown));
            CHECK_FALSE(bench.server->close(bench.now, peer));
            CHECK(bench.server->send(bench.now, peer, Kind::game_event, 0, last) ==
                  SendStatus::not_ready);
            bench.ticks(5);
            CHECK(bench.closed_at_server() == EndReason::server_shutdown);
            CHECK(bench.closed_at_client() == EndReason::server_shutdown);
            CHECK(bench.count(bench.clients[0].events, Type::message) == 1);
        }
        CHECK(bench.clients[0].session->state() == State::closed);
        CHECK(bench.server->peer_count() == 0);
        CHECK(bench.server->state(peer) == State::closed);
        CHECK(bench.server->link(peer) == nullptr);
        CHECK_FALSE(bench.server->close(bench.now, peer));
    }
}

TEST_CASE("a reconnect is a fresh session: new handle, new epoch, empty windows") {
    for (const Wire wire : both_wires) {
        SessionBench bench(wire);
        bench.join();
        const PeerHandle first = bench.peer();
        const std::uint64_t old_epoch = bench.link().epoch();
        for (int i = 0; i < 3; ++i) {
            const auto input = input_of(bench.tick_number);
            CHECK(bench.clients[0].session->send(bench.now, Kind::input, 0, input) ==
                  SendStatus::ok);
            bench.tick();
        }
        CHECK(bench.link().window(session::Channel::input).newest() == 2);
        bench.clients[0].session->close(bench.now, *bench.clients[0].endpoint);
        bench.ticks(60);
        bench.join(0, 2);
        CHECK(bench.peer() != first);
        CHECK(bench.link().epoch() != old_epoch);
        CHECK(bench.link().window(session::Channel::input).is_empty());
        CHECK(bench.server->send(bench.now, first, Kind::game_event, 0, {}) ==
              SendStatus::not_ready);

        // A packet of the old epoch on the new connection: counted, and nothing else.
        std::array<std::uint8_t, 64> room{};
        std::size_t size = 0;
        const auto input = input_of(bench.tick_number);
        REQUIRE(session::encode_envelope({.channel = session::Channel::input,
                                          .kind = 32,
                                          .epoch = old_epoch,
                                          .sequence = 3,
                                          .payload = input},
                                         room, size) == session::EnvelopeStatus::ok);
        bench.inject(transport::Lane::gameplay, transport::Delivery::unreliable,
                     ConstBytes(room).first(size));
        CHECK(bench.link().counters().of(Stage::generation) == 1);
        CHECK(bench.link().window(session::Channel::input).is_empty());
        CHECK(bench.link().violations() == 0);
    }
}

TEST_CASE("delayed callbacks of a connection that is gone do nothing") {
    SessionBench bench(Wire::loopback);
    bench.join();
    const transport::ConnectionId connection = bench.link().connection();
    bench.server->close(bench.now, bench.peer());
    bench.ticks(5);
    REQUIRE(bench.server->peer_count() == 0);
    const std::size_t events = bench.server_events.size();
    const std::array<std::uint8_t, 30> bytes{};
    bench.server->on_event(bench.now, *bench.server_endpoint,
                           transport::Received{.connection = connection, .bytes = bytes});
    bench.server->on_event(bench.now, *bench.server_endpoint,
                           transport::Closed{.connection = connection});
    SessionEvent event;
    CHECK_FALSE(bench.server->next_event(event));
    CHECK(bench.server_events.size() == events);
    CHECK(bench.server->counters().stale_connections == 1);
}

TEST_CASE("each state has a deadline and a reason of its own") {
    SUBCASE("nobody answers") {
        SessionBench bench(Wire::secure);
        bench.hold_up = true;
        REQUIRE(bench.connect() == ConnectStatus::ok);
        bench.ticks(60 * 11);
        CHECK(bench.closed_at_client() == EndReason::no_answer);
    }
    SUBCASE("the hello never comes") {
        session::ServerConfig config = server_config();
        config.limits.negotiating_deadline = Duration::seconds(2);
        SessionBench bench(Wire::secure, config);
        REQUIRE(bench.connect() == ConnectStatus::ok);
        while (bench.server->peer_count() == 0) {
            // Everything but the session's own messages.
            bench.carry();
            bench.now += Duration::millis(5);
        }
        const Instant begun = bench.now;
        bench.clients[0].session->forget();
        for (int i = 0; i < 119; ++i)
            bench.tick();
        CHECK(bench.server->peer_count() == 1);
        bench.ticks(70);
        CHECK(bench.closed_at_server() == EndReason::negotiation_timeout);
        CHECK(bench.now - begun > Duration::seconds(2));
    }
    SUBCASE("the client never becomes ready") {
        session::ServerConfig config = server_config();
        config.limits.synchronizing_deadline = Duration::seconds(1);
        ClientConfig terms = client_config();
        terms.ready_by_application = true;
        SessionBench bench(Wire::loopback, config, terms);
        REQUIRE(bench.connect() == ConnectStatus::ok);
        bench.ticks(40);
        CHECK(bench.clients[0].session->state() == State::synchronizing);
        bench.ticks(40);
        CHECK(bench.closed_at_server() == EndReason::synchronizing_timeout);
        CHECK(bench.closed_at_client() == EndReason::synchronizing_timeout);
    }
    SUBCASE("the transport times out") {
        SessionBench bench(Wire::secure);
        bench.join();
        bench.hold_up = true;
        bench.hold_down = true;
        bench.ticks(60 * 12);
        CHECK(bench.closed_at_server() == EndReason::transport_lost);
        CHECK(bench.closed_at_client() == EndReason::transport_lost);
        CHECK(bench.server_events.back().event.transport_reason ==
              transport::CloseReason::timed_out);
    }
    SUBCASE("a goodbye that never gets through ends with the closing deadline") {
        SessionBench bench(Wire::secure);
        bench.join();
        bench.hold_up = true;
        bench.hold_down = true;
        bench.server->close(bench.now, bench.peer());
        bench.ticks(30);
        CHECK(bench.server->peer_count() == 1);
        bench.ticks(40);
        CHECK(bench.server->peer_count() == 0);
        CHECK(bench.closed_at_server() == EndReason::asked);
    }
}

TEST_CASE("ready and go may wait for the applications") {
    session::ServerConfig config = server_config();
    config.activate_by_application = true;
    ClientConfig terms = client_config();
    terms.ready_by_application = true;
    SessionBench bench(Wire::secure, config, terms);
    REQUIRE(bench.connect() == ConnectStatus::ok);
    bench.ticks(20);
    auto& client = *bench.clients[0].session;
    REQUIRE(client.state() == State::synchronizing);
    const std::array<std::uint8_t, 1> spawn = {1};
    CHECK(bench.server->send(bench.now, bench.peer(), Kind::spawn_batch, 0, spawn) ==
          SendStatus::ok);
    CHECK(client.send(bench.now, Kind::input, 0, input_of(1)) == SendStatus::not_ready);
    CHECK(client.ready(bench.now));
    bench.ticks(3);
    CHECK(client.state() == State::synchronizing);
    CHECK(bench.count(bench.clients[0].events, Type::message) == 1);
    CHECK(bench.server->activate(bench.now, bench.peer()));
    CHECK_FALSE(bench.server->activate(bench.now, bench.peer()));
    bench.ticks(3);
    CHECK(client.state() == State::active);
}

TEST_CASE("a player who joins anew ends his older session") {
    SessionBench bench(Wire::secure, server_config(), client_config(), 2);
    bench.join(0, 1);
    const PeerHandle first = bench.peer();
    REQUIRE(bench.connect_with(1, ticket_of(100, 9)) == ConnectStatus::ok);
    bench.ticks(30);
    CHECK(bench.clients[1].session->state() == State::active);
    CHECK(bench.clients[0].session->state() == State::closed);
    CHECK(bench.closed_at_client(0) == EndReason::superseded);
    CHECK(bench.server->state(first) == State::closed);
    CHECK(bench.server->peer_count() == 1);
}

TEST_CASE("a restarted server knows nobody, and gives epochs nobody has seen") {
    SessionBench bench(Wire::loopback);
    bench.join();
    const PeerHandle peer = bench.peer();
    const std::uint64_t epoch = bench.link().epoch();
    bench.server->reset(bench.now);
    bench.server_endpoint->restart(bench.now);
    CHECK(bench.server->peer_count() == 0);
    CHECK(bench.server->state(peer) == State::closed);
    bench.ticks(60 * 11);
    CHECK(bench.closed_at_client() == EndReason::transport_lost);
    bench.join(0, 2);
    CHECK((bench.link().epoch() >> 32) != (epoch >> 32));
}

TEST_CASE("one peer more than allowed is refused by name") {
    session::ServerConfig config = server_config();
    config.limits.peers_max = 1;
    SessionBench bench(Wire::secure, config, client_config(), 2);
    bench.join(0);
    REQUIRE(bench.connect(1, 2) == ConnectStatus::ok);
    bench.ticks(20);
    CHECK(bench.clients[1].session->state() == State::closed);
    CHECK(bench.server->counters().ended[static_cast<unsigned>(EndReason::refused_full)] == 1);
    CHECK(bench.server->peer_count() == 1);
    CHECK(bench.clients[0].session->state() == State::active);
}

}  // namespace wt::session::lifecycle_test
