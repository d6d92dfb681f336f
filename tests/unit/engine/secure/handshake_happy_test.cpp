// SPDX-License-Identifier: MIT
//
// A join that works, datagram by datagram: kinds, sizes, labels, events, and messages both ways.
#include <doctest/doctest.h>

#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;
using transport::Kind;

TEST_CASE("a session-bound join, datagram by datagram") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);

    const std::vector<Flying> request = bench.client_step();
    REQUIRE(request.size() == 1);
    CHECK(request[0].kind() == WireKind::request);
    CHECK(request[0].bytes.size() == request_bytes);
    CHECK(request[0].label.has(Kind::handshake));
    CHECK(request[0].to == bench.server.address);

    bench.to_server(request);
    const std::vector<Flying> challenge = bench.server_step();
    REQUIRE(challenge.size() == 1);
    CHECK(challenge[0].kind() == WireKind::challenge);
    CHECK(challenge[0].bytes.size() == challenge_bytes);
    CHECK(challenge[0].label.has(Kind::challenge));
    CHECK(bench.server.endpoint->pending_count() == 0);

    bench.to_client(challenge);
    const std::vector<Flying> join = bench.client_step();
    REQUIRE(join.size() == 1);
    CHECK(join[0].kind() == WireKind::join);
    CHECK(join[0].bytes.size() == request_bytes);
    CHECK(join[0].label.has(Kind::join));

    bench.to_server(join);
    CHECK(bench.server_step().empty());
    REQUIRE(bench.server.asked.size() == 1);
    CHECK(bench.server.asked[0].address == bench.client.address);
    CHECK(bench.server.asked[0].session == test::session_of_tests);
    CHECK(bench.server.asked[0].token ==
          std::vector<std::uint8_t>(test::token_of_tests.begin(), test::token_of_tests.end()));
    CHECK(bench.server.endpoint->pending_count() == 1);
    CHECK(bench.server.endpoint->connection_count() == 0);

    CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) ==
          transport::AnswerStatus::ok);
    const std::vector<Flying> accept = bench.server_step();
    REQUIRE(accept.size() == 1);
    CHECK(accept[0].kind() == WireKind::accept);
    CHECK(accept[0].bytes.size() == accept_bytes);
    CHECK(accept[0].label.has(Kind::accept));
    // The server's application hears of it only when the client has shown that it holds the keys.
    CHECK(bench.server.connected.empty());
    CHECK(bench.server.endpoint->pending_count() == 1);

    bench.to_client(accept);
    const std::vector<Flying> first = bench.client_step();
    REQUIRE(first.size() == 1);
    CHECK(first[0].kind() == WireKind::keepalive);
    REQUIRE(bench.client.connected.size() == 1);
    CHECK(bench.client.connected[0].player == test::player_of_tests);
    CHECK(bench.client.connected[0].tick_rate == 60);
    CHECK(bench.client.connected[0].session_bound);

    bench.to_server(first);
    bench.server_step();
    REQUIRE(bench.server.connected.size() == 1);
    CHECK(bench.server.connected[0].player == test::player_of_tests);
    CHECK(bench.server.connected[0].address == bench.client.address);
    CHECK(bench.server.connected[0].session_bound);
    CHECK(bench.server.endpoint->pending_count() == 0);
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(bench.client.endpoint->connection_count() == 1);
    CHECK(bench.talks());
}

TEST_CASE("nothing is refused and nothing is closed by a join that works") {
    Bench bench;
    bench.connect();
    bench.exchange_for(Duration::seconds(15));
    for (unsigned i = 0; i < transport::refusal_count; ++i) {
        const auto refusal = static_cast<transport::Refusal>(i);
        CAPTURE(transport::name_of(refusal));
        CHECK(bench.server.refused(refusal) == 0);
        CHECK(bench.client.refused(refusal) == 0);
    }
    CHECK(bench.client.closed.empty());
    CHECK(bench.server.closed.empty());
    CHECK(bench.server.asked.size() == 1);
}

TEST_CASE("an unbound join works where both sides are configured for it, and says so") {
    Bench bench({.allow_unbound = true}, {.allow_unbound = true});
    bench.ask({.server = bench.server.address, .session = {}, .token = {}, .keys = {}});
    CHECK(bench.answer({.attempt = bench.server.asked[0].attempt,
                        .admitted = true,
                        .player = {7},
                        .session_bound = false,
                        .keys = {}}) == transport::AnswerStatus::ok);
    bench.exchange();
    bench.exchange();
    REQUIRE(bench.client.connected.size() == 1);
    CHECK_FALSE(bench.client.connected[0].session_bound);
    REQUIRE(bench.server.connected.size() == 1);
    CHECK_FALSE(bench.server.connected[0].session_bound);
    CHECK(bench.talks());
}

TEST_CASE("both ends count what went over the wire alike") {
    Bench bench;
    bench.connect();
    REQUIRE(bench.talks());
    // One last step each, so that nothing is under way.
    bench.exchange();
    const transport::Counters& client = bench.client.endpoint->counters();
    const transport::Counters& server = bench.server.endpoint->counters();
    CHECK(client.datagrams_sent == server.datagrams_received);
    CHECK(server.datagrams_sent == client.datagrams_received);
    CHECK(client.bytes_sent == server.bytes_received);
    CHECK(server.bytes_sent == client.bytes_received);
    CHECK(client.sealed == server.opened);
    CHECK(server.sealed == client.opened);
}

TEST_CASE("a goodbye reaches the other end and frees both") {
    Bench bench;
    bench.connect();
    // Who comes to its place next is somebody else.
    transport::ConnectionId next = bench.client_id();
    ++next.generation;
    CHECK_FALSE(bench.client.endpoint->close(bench.now, next, transport::CloseReason::application));
    CHECK(bench.client.endpoint->close(bench.now, bench.client_id(),
                                       transport::CloseReason::application));
    CHECK_FALSE(bench.client.endpoint->close(bench.now, {.index = 0, .generation = 99},
                                             transport::CloseReason::application));
    bench.exchange_for(Duration::seconds(1));
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == transport::CloseReason::remote);
    CHECK(bench.server.closed[0].was_connected);
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == transport::CloseReason::application);
    CHECK(bench.server.endpoint->connection_count() == 0);
    // Ids are stale now, at both ends.
    CHECK(bench.server.endpoint->counters_of(bench.server_id()) == nullptr);
    CHECK(bench.client.endpoint->send(bench.now, bench.client_id(), {}) ==
          transport::SendStatus::not_connected);
    // And the same client may come again.
    bench.connect();
    CHECK(bench.server.connected[1].connection != bench.server.connected[0].connection);
    CHECK(bench.talks());
}

TEST_CASE("a client has one connection at a time, a server does not connect") {
    Bench bench;
    CHECK(bench.server.endpoint->connect(bench.now, {}) == transport::ConnectStatus::unsupported);
    const std::array<std::uint8_t, transport::token_bytes_max + 1> long_token{};
    CHECK(bench.client.endpoint->connect(
              bench.now,
              {.server = bench.server.address, .session = {}, .token = long_token, .keys = {}}) ==
          transport::ConnectStatus::bad_token);
    CHECK(bench.client.endpoint->pending_count() == 0);
    CHECK(bench.client.endpoint->connect(bench.now, {.server = bench.server.address,
                                                     .session = {},
                                                     .token = ConstBytes(long_token).first(256),
                                                     .keys = {}}) == transport::ConnectStatus::ok);
    CHECK(bench.client.endpoint->connect(bench.now, {}) == transport::ConnectStatus::busy);
    bench.exchange();
    bench.exchange();
    REQUIRE(bench.server.asked.size() == 1);
    CHECK(bench.server.asked[0].token.size() == 256);
}

}  // namespace wt::secure
