// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/session/server_tick.hpp"
#include "tests/unit/engine/session/fake_server.hpp"

namespace wt::session::server_tick_test {

namespace {

using namespace wt::test;

// Writes down what it is asked, in order.
struct Diary {
    session::ServerSession& sessions;
    std::vector<std::string> entries{};
    bool accepts = true;

    bool on_message(Instant, const SessionEvent&) {
        entries.emplace_back("message");
        return accepts;
    }
    void on_session(Instant, const SessionEvent& event) {
        entries.emplace_back(event.type == SessionEvent::Type::closed ? "closed" : "session");
    }
    void simulate(Instant, std::uint64_t) { entries.emplace_back("simulate"); }
    void gather(Instant, std::uint64_t) { entries.emplace_back("gather"); }
    void encode(Instant now, std::uint64_t tick, PeerHandle peer) {
        entries.emplace_back("encode");
        const std::array<std::uint8_t, 1> snapshot = {1};
        CHECK(sessions.send(now, peer, Kind::snapshot, static_cast<std::uint32_t>(tick),
                            snapshot) == session::SendStatus::ok);
    }
};

transport::Received input_at(const FakeServer& server, std::vector<std::uint8_t>& room,
                             std::uint32_t sequence) {
    std::array<std::uint8_t, 8> payload{};
    store_u32(payload.data(), static_cast<std::uint32_t>(server.number));
    room.resize(100);
    std::size_t size = 0;
    REQUIRE(session::encode_envelope({.channel = session::Channel::input,
                                      .kind = 32,
                                      .epoch = server.sessions.link(server.peer)->epoch(),
                                      .sequence = sequence,
                                      .payload = payload},
                                     room, size) == session::EnvelopeStatus::ok);
    return {.connection = server.connection,
            .lane = transport::Lane::gameplay,
            .delivery = transport::Delivery::unreliable,
            .bytes = ConstBytes(room).first(size)};
}

}  // namespace

TEST_CASE("a tick polls, checks, simulates, gathers and encodes, in this order") {
    FakeServer server;
    Diary diary{server.sessions};
    session::ServerTick tick(server.sessions, diary);
    std::vector<std::uint8_t> room;
    server.endpoint.events.emplace_back(input_at(server, room, 0));
    tick.run(server.now, server.endpoint, ++server.number);
    CHECK(diary.entries == std::vector<std::string>{"message", "simulate", "gather", "encode"});
    CHECK(server.endpoint.sent.size() == 1);
    CHECK_FALSE(server.sessions.link(server.peer)->window(session::Channel::input).is_empty());
}

TEST_CASE("the game's no leaves the window where it was") {
    FakeServer server;
    server.tick();
    Diary diary{server.sessions};
    diary.accepts = false;
    session::ServerTick tick(server.sessions, diary);
    std::vector<std::uint8_t> room;
    CHECK(tick.on_event(server.now, server.endpoint, input_at(server, room, 0)));
    CHECK(server.sessions.link(server.peer)->window(session::Channel::input).is_empty());
    CHECK(server.sessions.link(server.peer)->counters().of(Stage::payload) == 1);
    CHECK_FALSE(tick.on_event(server.now, server.endpoint,
                              transport::Received{.lane = transport::Lane::chat}));
}

TEST_CASE("what the ingress budget leaves in the endpoint is the next tick's") {
    session::ServerConfig config = server_config();
    config.limits.ingress_messages_per_tick = 2;
    FakeServer server(config);
    Diary diary{server.sessions};
    session::ServerTick tick(server.sessions, diary);
    std::array<std::vector<std::uint8_t>, 3> rooms;
    for (std::uint32_t i = 0; i < 3; ++i)
        server.endpoint.events.emplace_back(input_at(server, rooms[i], i));
    tick.run(server.now, server.endpoint, ++server.number);
    CHECK(server.endpoint.events.size() == 1);
    tick.run(server.now, server.endpoint, ++server.number);
    CHECK(server.endpoint.events.empty());
    CHECK(server.sessions.link(server.peer)->counters().of(Stage::rate) == 0);
    CHECK(server.sessions.link(server.peer)->window(session::Channel::input).newest() == 2);
}

}  // namespace wt::session::server_tick_test
