// SPDX-License-Identifier: MIT
//
// A server that has forgotten its clients, a path that only was silent, and forgers in between: the
// old session ends when, and only when, a new one is proven.
#include <doctest/doctest.h>

#include "engine/secure/handshake.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;
using transport::CloseReason;
using transport::Refusal;

namespace {

// Serves the client alone, its datagrams lost, until it probes; returns the probe.
Flying probe_of(Bench& bench) {
    for (;;) {
        for (const Flying& one : bench.client_step()) {
            if (one.kind() == WireKind::request) return one;
        }
        REQUIRE(bench.client.endpoint->next_deadline() != Instant::never());
        bench.now = bench.client.endpoint->next_deadline();
    }
}

}  // namespace

TEST_CASE("a restarted server is found again after three silent intervals") {
    Bench bench;
    bench.connect();
    bench.exchange_for(Duration::seconds(2));
    const Instant killed = bench.now;
    bench.server.endpoint->restart(bench.now);
    CHECK(bench.server.endpoint->connection_count() == 0);
    CHECK(bench.server.endpoint->counters_of(bench.server_id()) == nullptr);

    const Instant limit = killed + Duration::seconds(4);
    while (bench.server.asked.size() < 2 && bench.now < limit)
        bench.exchange();
    REQUIRE(bench.server.asked.size() == 2);
    CHECK(bench.now - killed > Duration::seconds(2));
    // The old session is still the client's session.
    CHECK(bench.client.closed.empty());
    CHECK(bench.client.endpoint->connection_count() == 1);
    CHECK(bench.client.endpoint->pending_count() == 1);

    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange();
    bench.exchange();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::superseded);
    CHECK(bench.client.closed[0].was_connected);
    CHECK(bench.client.closed[0].connection == bench.client.connected[0].connection);
    REQUIRE(bench.client.connected.size() == 2);
    CHECK(bench.client.connected[1].connection != bench.client.connected[0].connection);
    REQUIRE(bench.server.connected.size() == 2);
    // A killed process has no last words.
    CHECK(bench.server.closed.empty());
    CHECK(bench.talks());
    CHECK(bench.client.endpoint->pending_count() == 0);
}

TEST_CASE("a path that only was silent ends its probe, and the session goes on") {
    Bench bench;
    bench.connect();
    const Flying probe = probe_of(bench);
    CHECK(bench.client.endpoint->pending_count() == 1);
    // A server that still holds the session does not challenge.
    bench.to_server({probe});
    CHECK(bench.server.refused(Refusal::unexpected) == 1);
    for (const Flying& one : bench.server_step())
        CHECK(is_session_kind(static_cast<std::uint8_t>(one.kind())));
    bench.wait(Bench::tick);
    bench.exchange_for(Duration::seconds(2));
    CHECK(bench.client.endpoint->pending_count() == 0);
    CHECK(bench.client.connected.size() == 1);
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.client.closed.empty());
    CHECK(bench.talks());
}

TEST_CASE("the probe begins after exactly three keepalive intervals") {
    Bench bench;
    bench.connect();
    const Instant last = [&] {
        transport::ConnectionLevels levels;
        REQUIRE(bench.client.endpoint->levels_of(bench.now, bench.client_id(), levels));
        return levels.last_authentic;
    }();
    probe_of(bench);
    CHECK(bench.now - last == Duration::seconds(3));
}

TEST_CASE("a forged challenge costs a probe one attempt and never the session") {
    Bench bench;
    bench.connect();
    const Flying probe = probe_of(bench);
    Flying forged{.to = bench.client.address, .label = {}, .bytes = {}};
    forged.bytes.resize(challenge_bytes);
    write_challenge({.attempt = read_request(probe.bytes)->attempt, .cookie = {9}},
                    std::span<std::uint8_t, challenge_bytes>(forged.bytes));
    bench.to_client({forged});
    // The join with the forged cookie goes to a server that knows the session: silence.
    bench.exchange_for(Duration::millis(20));
    CHECK(bench.server.refused(Refusal::bad_cookie) == 0);
    CHECK(bench.server.asked.size() == 1);
    bench.exchange_for(Duration::seconds(2));
    CHECK(bench.client.closed.empty());
    CHECK(bench.talks());
}

TEST_CASE("a forged reject ends a probe's attempt, not the session, and the next one follows") {
    Bench bench({}, {.attempt_timeout = Duration::seconds(2)});
    bench.connect();
    const Flying probe = probe_of(bench);
    Flying forged{.to = bench.client.address, .label = {}, .bytes = {}};
    forged.bytes.resize(reject_bytes);
    write_reject(
        {.attempt = read_request(probe.bytes)->attempt, .reason = CloseReason::refused_full},
        std::span<std::uint8_t, reject_bytes>(forged.bytes));
    bench.to_client({forged});
    bench.client_step();
    CHECK(bench.client.closed.empty());
    CHECK(bench.client.endpoint->pending_count() == 0);
    const Instant before = bench.now;
    const Flying next = probe_of(bench);
    CHECK(bench.now - before == Duration::seconds(2));
    CHECK(read_request(next.bytes)->attempt != read_request(probe.bytes)->attempt);
    CHECK(read_request(next.bytes)->client_key != read_request(probe.bytes)->client_key);
    CHECK(read_request(next.bytes)->previous == read_request(probe.bytes)->previous);
}

TEST_CASE("a probe that nobody answers is followed by the next one at once") {
    Bench bench({}, {.attempt_timeout = Duration::seconds(2)});
    bench.connect();
    const Flying first = probe_of(bench);
    const Instant begun = bench.now;
    Flying next = first;
    while (read_request(next.bytes)->attempt == read_request(first.bytes)->attempt) {
        bench.now = bench.client.endpoint->next_deadline();
        next = probe_of(bench);
    }
    CHECK(bench.now - begun == Duration::seconds(2));
    CHECK(bench.client.closed.empty());
}

TEST_CASE("a session that times out takes its probe with it") {
    Bench bench;
    bench.connect();
    while (bench.client.closed.empty()) {
        bench.client_step();
        if (bench.client.closed.empty()) bench.now = bench.client.endpoint->next_deadline();
    }
    CHECK(bench.client.closed[0].reason == CloseReason::timed_out);
    CHECK(bench.client.closed[0].was_connected);
    CHECK(bench.client.endpoint->pending_count() == 0);
    CHECK(bench.client.endpoint->next_deadline() == Instant::never());
}

TEST_CASE("a client in the middle of its join survives the server's restart") {
    Bench bench;
    bench.ask();
    const auto old_attempt = bench.server.asked[0].attempt;
    bench.server.endpoint->restart(bench.now);
    CHECK(bench.server.endpoint->pending_count() == 0);
    CHECK(bench.answer(test::bound_answer(old_attempt)) == transport::AnswerStatus::stale);
    // Its cookie is of another life: challenged anew, and on.
    bench.exchange_for(Duration::millis(300));
    CHECK(bench.server.refused(Refusal::bad_cookie) == 1);
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange();
    bench.exchange();
    CHECK(bench.talks());
}

TEST_CASE("a client hears of its new session before it hears that the old one has ended") {
    Bench bench;
    bench.connect();
    bench.server.endpoint->restart(bench.now);
    for (int i = 0; i < 1'000 && bench.server.asked.size() < 2; ++i)
        bench.exchange();
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    bench.to_client(bench.server_step());
    transport::Event event;
    REQUIRE(bench.client.endpoint->next_event(event));
    CHECK(std::holds_alternative<transport::Connected>(event));
    REQUIRE(bench.client.endpoint->next_event(event));
    REQUIRE(std::holds_alternative<transport::Closed>(event));
    CHECK(std::get<transport::Closed>(event).reason == CloseReason::superseded);
    CHECK_FALSE(bench.client.endpoint->next_event(event));
}

TEST_CASE("a restarted client forgets its session and may join anew at its old address") {
    Bench bench;
    bench.connect();
    bench.client.endpoint->restart(bench.now);
    CHECK(bench.client.endpoint->connection_count() == 0);
    CHECK(bench.client.endpoint->next_deadline() == Instant::never());
    CHECK(bench.client_step().empty());
    bench.connect();
    CHECK(bench.client.closed.empty());
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == CloseReason::superseded);
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(bench.talks());
}

TEST_CASE("counters outlive connections and restarts") {
    Bench bench;
    bench.connect();
    REQUIRE(bench.talks());
    const std::uint64_t before = bench.server.endpoint->counters().delivered;
    CHECK(before == 1);
    bench.server.endpoint->restart(bench.now);
    CHECK(bench.server.endpoint->counters().delivered == before);
}

}  // namespace wt::secure
