// SPDX-License-Identifier: MIT
//
// What leaves, in which order, inside which budgets, and what happens to what does not leave.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "tests/unit/engine/session/fake_server.hpp"

namespace wt::session::pump_test {

namespace {

using namespace wt::test;
using session::SendStatus;
using transport::Lane;

std::vector<Lane> lanes_of(const FakeEndpoint& endpoint) {
    std::vector<Lane> lanes;
    for (const FakeEndpoint::Sent& sent : endpoint.sent)
        lanes.push_back(sent.lane);
    return lanes;
}

}  // namespace

TEST_CASE("channels ride on their lanes, with their delivery and label") {
    FakeServer server;
    CHECK(server.send(Kind::spawn_batch, 10) == SendStatus::ok);
    CHECK(server.send(Kind::snapshot, 20) == SendStatus::ok);
    server.pump();
    REQUIRE(server.endpoint.sent.size() == 2);
    CHECK(server.endpoint.sent[0].lane == Lane::control);
    CHECK(server.endpoint.sent[0].delivery == transport::Delivery::reliable_ordered);
    CHECK(server.endpoint.sent[0].kind == transport::Kind::spawn);
    CHECK(server.endpoint.sent[1].lane == Lane::gameplay);
    CHECK(server.endpoint.sent[1].delivery == transport::Delivery::unreliable_sequenced);
    CHECK(server.endpoint.sent[1].kind == transport::Kind::snapshot);
    CHECK(server.endpoint.sent[1].bytes.size() == 44);
}

TEST_CASE("send refuses what is not the server's to send, by name") {
    FakeServer server;
    CHECK(server.send(Kind::input, 8) == SendStatus::not_allowed);
    CHECK(server.send(static_cast<Kind>(200), 8) == SendStatus::not_allowed);
    // The session says these itself.
    for (const Kind kind : {Kind::welcome, Kind::go, Kind::refuse, Kind::bye, Kind::bulk_cancel})
        CHECK(server.send(kind, 1) == SendStatus::not_allowed);
    CHECK(server.send(Kind::snapshot, 1'052) == SendStatus::ok);
    CHECK(server.send(Kind::snapshot, 1'053) == SendStatus::too_large);
    CHECK(server.send(Kind::desync_checksum, 64) == SendStatus::ok);
    CHECK(server.send(Kind::desync_checksum, 65) == SendStatus::too_large);
    PeerHandle stale = server.peer;
    ++stale.generation;
    CHECK(server.sessions.send(server.now, stale, Kind::snapshot, 0, {}) == SendStatus::not_ready);
    for (int i = 1; i < 8; ++i)
        CHECK(server.send(Kind::game_event, 1) == SendStatus::ok);
    CHECK(server.send(Kind::game_event, 1) == SendStatus::backlogged);
}

TEST_CASE("refused sends use up no sequence") {
    FakeServer server;
    for (int i = 0; i < 8; ++i)
        CHECK(server.send(Kind::game_event, 1) == SendStatus::ok);
    CHECK(server.send(Kind::game_event, 1) == SendStatus::backlogged);
    server.pump();
    CHECK(server.send(Kind::game_event, 1) == SendStatus::ok);
    server.tick();
    server.pump();
    std::uint32_t expected = 0;
    for (const FakeEndpoint::Sent& sent : server.endpoint.sent) {
        session::Envelope envelope;
        REQUIRE(session::decode_envelope(sent.bytes, envelope) == session::EnvelopeStatus::ok);
        if (expected == 0) expected = envelope.sequence;
        CHECK(envelope.sequence == expected);
        ++expected;
    }
    CHECK(server.endpoint.sent.size() == 9);
}

TEST_CASE("the byte budget of a tick: what fits exactly leaves, one byte more waits") {
    session::ServerConfig config = server_config();
    config.limits.egress_bytes_per_tick = 1'200;
    config.limits.bulk_record_bytes = 512;
    for (const std::size_t second : {100u, 101u}) {
        FakeServer server(config);
        server.tick();
        CHECK(server.send(Kind::spawn_batch, 1'052) == SendStatus::ok);  // 1,076 with its head.
        CHECK(server.send(Kind::spawn_batch, second) == SendStatus::ok);
        server.pump();
        CHECK(server.endpoint.sent.size() == (second == 100 ? 2 : 1));
        server.pump();  // The same tick: nothing more.
        CHECK(server.endpoint.sent.size() == (second == 100 ? 2 : 1));
        server.tick();
        server.pump();
        CHECK(server.endpoint.sent.size() == 2);
    }
}

TEST_CASE("a lane that would block keeps its messages in order and the others go on") {
    FakeServer server;
    server.endpoint.answers[static_cast<unsigned>(Lane::control)] =
        transport::SendStatus::backlogged;
    CHECK(server.send(Kind::spawn_batch, 1) == SendStatus::ok);
    CHECK(server.send(Kind::owner, 2) == SendStatus::ok);
    CHECK(server.send(Kind::snapshot, 3) == SendStatus::ok);
    server.pump();
    CHECK(lanes_of(server.endpoint) == std::vector<Lane>{Lane::gameplay});
    CHECK(server.sessions.link(server.peer)->counters().would_block == 1);
    CHECK(server.sessions.link(server.peer)->queue().pending(session::Channel::control) == 2);
    CHECK(server.sessions.queue_age(server.now + Duration::millis(5), server.peer,
                                    session::Channel::control) == Duration::millis(5));
    server.endpoint.answers[static_cast<unsigned>(Lane::control)] = transport::SendStatus::ok;
    server.pump();
    REQUIRE(server.endpoint.sent.size() == 3);
    CHECK(server.endpoint.sent[1].bytes.size() == 25);
    CHECK(server.endpoint.sent[2].bytes.size() == 26);
    CHECK(server.sessions.queue_age(server.now, server.peer, session::Channel::control) ==
          Duration{});
}

TEST_CASE("a go that finds Control full is said as soon as a place comes free") {
    FakeServer server(server_config(), false);
    server.endpoint.answers[static_cast<unsigned>(Lane::control)] =
        transport::SendStatus::backlogged;
    while (server.send(Kind::spawn_batch, 1) == SendStatus::ok) {
    }
    server.put(Kind::ready, 0, {});
    server.pump();
    CHECK(server.sessions.state(server.peer) == State::synchronizing);
    server.endpoint.answers[static_cast<unsigned>(Lane::control)] = transport::SendStatus::ok;
    server.pump();
    CHECK(server.sessions.state(server.peer) == State::active);
    CHECK(server.endpoint.sent.size() == 9);
}

TEST_CASE("Control that waits longer than its deadline ends the session by name") {
    session::ServerConfig config = server_config();
    config.limits.control_deadline = Duration::millis(160);
    FakeServer server(config);
    server.endpoint.answers[static_cast<unsigned>(Lane::control)] =
        transport::SendStatus::backlogged;
    CHECK(server.send(Kind::spawn_batch, 1) == SendStatus::ok);
    for (int i = 0; i < 10; ++i) {  // 160 ms: exactly the deadline.
        server.tick();
        server.pump();
    }
    CHECK(server.sessions.state(server.peer) == State::active);
    server.tick();
    CHECK(server.sessions.state(server.peer) == State::closed);
    CHECK(server.closed() == EndReason::control_overload);
    CHECK(server.endpoint.closes == 1);
}

TEST_CASE("a snapshot that waits longer than its deadline is dropped and counted") {
    session::ServerConfig config = server_config();
    config.limits.snapshot_deadline = Duration::millis(32);
    FakeServer server(config);
    server.endpoint.answers[static_cast<unsigned>(Lane::gameplay)] =
        transport::SendStatus::backlogged;
    CHECK(server.send(Kind::snapshot, 1) == SendStatus::ok);
    server.tick();
    server.tick();
    CHECK(server.sessions.link(server.peer)->queue().pending(session::Channel::snapshot) == 1);
    server.tick();
    CHECK(server.sessions.link(server.peer)->queue().pending(session::Channel::snapshot) == 0);
    CHECK(server.sessions.link(server.peer)->counters().expired == 1);
    CHECK(server.sessions.state(server.peer) == State::active);
}

TEST_CASE("reliable bytes in flight stop Bulk first, then Control, and never Snapshot") {
    session::ServerConfig config = server_config();
    config.limits.bulk_bytes_in_flight = 1'000;
    config.limits.reliable_bytes_in_flight = 5'000;
    const std::vector<std::uint8_t> source(100, 1);
    for (const std::uint64_t backlog : {999u, 1'000u, 4'999u, 5'000u}) {
        FakeServer server(config);
        server.endpoint.levels.backlog_bytes = backlog;
        CHECK(server.sessions.start_bulk(server.peer, 1, source) == session::BulkStatus::ok);
        server.tick();
        CHECK(server.send(Kind::spawn_batch, 1) == SendStatus::ok);
        CHECK(server.send(Kind::snapshot, 1) == SendStatus::ok);
        server.pump();
        std::size_t control = 0;
        std::size_t bulk = 0;
        std::size_t gameplay = 0;
        for (const Lane lane : lanes_of(server.endpoint)) {
            control += lane == Lane::control ? 1 : 0;
            bulk += lane == Lane::bulk ? 1 : 0;
            gameplay += lane == Lane::gameplay ? 1 : 0;
        }
        CHECK(gameplay == 1);
        CHECK(control == (backlog < 5'000 ? 1 : 0));
        CHECK(bulk == (backlog < 1'000 ? 1 : 0));
    }
}

TEST_CASE("Control's age beside a full Bulk lane is at most a tick above that beside none") {
    // A budget that Bulk alone would use up, and a spawn every tick.
    const auto worst_age = [](bool with_bulk) {
        session::ServerConfig config = server_config();
        config.limits.egress_bytes_per_tick = 2'048;
        config.limits.bulk_record_bytes = 2'000;
        config.limits.bulk_bytes_per_tick = 4'000;
        FakeServer server(config);
        const std::vector<std::uint8_t> source(1'000'000, 1);
        if (with_bulk) {
            CHECK(server.sessions.start_bulk(server.peer, 1, source) == session::BulkStatus::ok);
        }
        Duration worst{};
        for (int i = 0; i < 200; ++i) {
            server.tick();
            worst = std::max(worst, server.sessions.queue_age(server.now, server.peer,
                                                              session::Channel::control));
            CHECK(server.send(Kind::spawn_batch, 1'000) == SendStatus::ok);
            server.pump();
        }
        return worst;
    };
    CHECK(worst_age(true) <= worst_age(false) + Duration::millis(16));
}

TEST_CASE("peers take turns in being first") {
    session::ServerConfig config = server_config();
    FakeServer server(config);
    const transport::ConnectionId second{.index = 3, .generation = 1};
    server.sessions.on_event(server.now, server.endpoint,
                             transport::Connected{.connection = second, .player = {10}});
    std::vector<std::uint32_t> first;
    for (int i = 0; i < 4; ++i) {
        server.tick();
        bool is_first = true;
        server.sessions.for_each_peer([&](PeerHandle peer) {
            if (is_first) first.push_back(peer.index);
            is_first = false;
        });
    }
    CHECK(first[0] != first[1]);
    CHECK(first[0] == first[2]);
    CHECK(first[1] == first[3]);
}

TEST_CASE("an idle peer's session is small, and a crowd's store is not per peer") {
    static_assert(sizeof(session::SessionLink) <= 640);
    session::ServerConfig config = server_config();
    config.limits.peers_max = 2'000;
    FakeServer server(config);
    for (std::uint32_t i = 0; i < 1'999; ++i) {
        server.sessions.on_event(
            server.now, server.endpoint,
            transport::Connected{.connection = {.index = 10 + i, .generation = 1},
                                 .player = {100 + i}});
    }
    CHECK(server.sessions.peer_count() == 2'000);
    CHECK(server.sessions.owned_bytes() / 2'000 < 1'024);
}

}  // namespace wt::session::pump_test
