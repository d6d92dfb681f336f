// SPDX-License-Identifier: MIT
//
// A client over an endpoint without a wire: what the transport may say at the wrong time, and what
// a server may not talk it into.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <vector>

#include "tests/unit/engine/session/fake_endpoint.hpp"

namespace wt::session::client_session_test {

namespace {

using namespace wt::test;
using session::SendStatus;
using transport::Lane;

constexpr transport::ConnectionId connection{.index = 1, .generation = 3};

struct FakeClient {
    explicit FakeClient(const ClientConfig& config = client_config()) : client(config) {
        REQUIRE(client.connect(now, endpoint, {}) == session::ConnectStatus::ok);
    }

    void connected() {
        client.on_event(now, endpoint, transport::Connected{.connection = connection});
        client.pump(now, endpoint);
    }
    void put(Kind kind, std::uint64_t epoch, std::uint32_t sequence, ConstBytes payload,
             transport::ConnectionId from = connection) {
        std::array<std::uint8_t, 1'200> room{};
        std::size_t size = 0;
        REQUIRE(session::encode_envelope({.kind = static_cast<std::uint16_t>(kind),
                                          .epoch = epoch,
                                          .sequence = sequence,
                                          .payload = payload},
                                         room, size) == session::EnvelopeStatus::ok);
        client.on_event(
            now, endpoint,
            transport::Received{
                .connection = from, .lane = Lane::control, .bytes = ConstBytes(room).first(size)});
    }
    void welcome(std::uint16_t message_bytes = 1'076) {
        const session::Welcome terms{.epoch = 77, .tick = 5, .message_bytes = message_bytes};
        std::array<std::uint8_t, session::welcome_bytes> bytes{};
        std::size_t size = 0;
        REQUIRE(session::write_welcome(terms, bytes, size));
        put(Kind::welcome, session::negotiation_epoch, 0, bytes);
    }
    void activate() {
        connected();
        welcome();
        const std::array<std::uint8_t, 4> tick = {9, 0, 0, 0};
        put(Kind::go, 77, 0, tick);
        REQUIRE(client.state() == State::active);
        client.pump(now, endpoint);
        endpoint.sent.clear();
    }

    Instant now{1'000'000'000};
    FakeEndpoint endpoint;
    session::ClientSession client;
};

}  // namespace

TEST_CASE("the last connection's end is no answer to a new attempt") {
    FakeClient fake;
    fake.client.on_event(fake.now, fake.endpoint,
                         transport::Closed{.connection = connection, .was_connected = true});
    CHECK(fake.client.state() == State::connecting);
    fake.client.on_event(fake.now, fake.endpoint,
                         transport::Closed{.reason = transport::CloseReason::refused_full});
    CHECK(fake.client.state() == State::closed);
    CHECK(fake.client.reason() == EndReason::no_answer);
}

TEST_CASE("messages and ends of another connection are counted or nothing") {
    FakeClient fake;
    fake.activate();
    const transport::ConnectionId other{.index = 1, .generation = 2};
    const std::array<std::uint8_t, 1> bytes = {1};
    const std::uint32_t before = fake.client.link().counters().messages_in;
    fake.put(Kind::game_event, 77, 1, bytes, other);
    CHECK(fake.client.stale_connections() == 1);
    CHECK(fake.client.link().counters().messages_in == before);
    fake.client.on_event(fake.now, fake.endpoint, transport::Closed{.connection = other});
    CHECK(fake.client.state() == State::active);
    fake.put(Kind::game_event, 77, 1, bytes);
    fake.client.accept();
    CHECK(fake.client.link().counters().messages_in == before + 1);
}

TEST_CASE("a second welcome, a second go and a server's input change nothing") {
    FakeClient fake;
    fake.activate();
    const std::uint64_t epoch = fake.client.link().epoch();
    const session::Welcome terms{.epoch = 99, .message_bytes = 1'000};
    std::array<std::uint8_t, session::welcome_bytes> bytes{};
    std::size_t size = 0;
    REQUIRE(session::write_welcome(terms, bytes, size));
    fake.put(Kind::welcome, 77, 1, bytes);
    CHECK(fake.client.link().epoch() == epoch);
    CHECK(fake.client.link().message_bytes() == 1'076);
    CHECK(fake.client.link().counters().of(Stage::authority) == 1);
    fake.put(Kind::hello, 77, 1, bytes);
    CHECK(fake.client.link().counters().of(Stage::authority) == 2);
    const std::array<std::uint8_t, 4> tick{};
    fake.put(Kind::go, 77, 1, tick);
    CHECK(fake.client.state() == State::active);
    session::SessionEvent event;
    unsigned actives = 0;
    while (fake.client.next_event(event))
        actives += event.type == SessionEvent::Type::active ? 1 : 0;
    CHECK(actives == 1);
}

TEST_CASE("a server may not raise the bound above the client's") {
    for (const std::uint16_t bound : {std::uint16_t{1'076}, std::uint16_t{1'077}}) {
        FakeClient fake;
        fake.connected();
        fake.welcome(bound);
        CHECK(fake.client.state() == (bound == 1'076 ? State::synchronizing : State::closing));
    }
}

TEST_CASE("an input that waits longer than its deadline is dropped, and Control is kept") {
    ClientConfig config = client_config();
    config.limits.input_deadline = Duration::millis(32);
    FakeClient fake(config);
    fake.activate();
    fake.endpoint.answers.fill(transport::SendStatus::backlogged);
    const std::array<std::uint8_t, 8> bytes{};
    CHECK(fake.client.send(fake.now, Kind::input, 0, bytes) == SendStatus::ok);
    CHECK(fake.client.send(fake.now, Kind::game_event, 0, bytes) == SendStatus::ok);
    fake.now += Duration::millis(32);
    fake.client.begin_tick(fake.now, fake.endpoint, 1);
    CHECK(fake.client.link().queue().pending(session::Channel::input) == 1);
    fake.now += Duration::nanos(1);
    fake.client.begin_tick(fake.now, fake.endpoint, 2);
    CHECK(fake.client.link().queue().pending(session::Channel::input) == 0);
    CHECK(fake.client.link().queue().pending(session::Channel::control) == 1);
    CHECK(fake.client.link().counters().expired == 1);
}

TEST_CASE("the transport's own rejoin begins a fresh session") {
    FakeClient fake;
    fake.activate();
    fake.client.on_event(fake.now, fake.endpoint,
                         transport::Closed{.connection = connection,
                                           .reason = transport::CloseReason::superseded,
                                           .was_connected = true});
    CHECK(fake.client.state() == State::closed);
    fake.client.on_event(fake.now, fake.endpoint,
                         transport::Connected{.connection = {.index = 1, .generation = 4}});
    CHECK(fake.client.state() == State::negotiating);
    CHECK(fake.client.link().epoch() == session::negotiation_epoch);
}

TEST_CASE("a go that never comes ends with the synchronizing deadline") {
    ClientConfig config = client_config();
    config.limits.synchronizing_deadline = Duration::seconds(1);
    FakeClient fake(config);
    fake.connected();
    fake.welcome();
    fake.now += Duration::millis(999);
    fake.client.begin_tick(fake.now, fake.endpoint, 1);
    CHECK(fake.client.state() == State::synchronizing);
    fake.now += Duration::millis(1);
    fake.client.begin_tick(fake.now, fake.endpoint, 2);
    CHECK(fake.client.state() == State::closing);
    CHECK(fake.client.reason() == EndReason::synchronizing_timeout);
    fake.client.pump(fake.now, fake.endpoint);
    CHECK(fake.client.state() == State::closed);
}

}  // namespace wt::session::client_session_test
