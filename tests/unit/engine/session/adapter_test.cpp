// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <tuple>
#include <vector>

#include "engine/secure/secure_capabilities.hpp"
#include "tests/unit/engine/session/fake_endpoint.hpp"

namespace wt::session::adapter_test {

namespace {

using namespace wt::test;
using session::AdapterStatus;
using session::EndpointAdapter;
using session::Profile;
using session::Readiness;

}  // namespace

TEST_CASE("what a transport lacks is refused, opted into, or a declared reduced profile") {
    transport::Capabilities caps = secure::secure_capabilities(4);
    Readiness ready = session::judge_capabilities(caps, {});
    CHECK(ready.verdict == EndReason::none);
    CHECK(ready.profile == Profile::full);
    CHECK(ready.message_bytes == 1'076);
    CHECK(ready.authenticated);

    caps.authentication_ready = false;
    CHECK(session::judge_capabilities(caps, {}).verdict == EndReason::refused_capabilities);
    ready = session::judge_capabilities(caps, {.allow_unauthenticated = true});
    CHECK(ready.verdict == EndReason::none);
    CHECK_FALSE(ready.authenticated);

    caps = secure::secure_capabilities(4);
    caps.encryption_ready = false;
    CHECK(session::judge_capabilities(caps, {}).verdict == EndReason::refused_capabilities);

    caps = secure::secure_capabilities(4);
    caps.datagrams = false;
    CHECK(session::judge_capabilities(caps, {}).verdict == EndReason::refused_capabilities);
    ready = session::judge_capabilities(caps, {.allow_reliable_only = true});
    CHECK(ready.verdict == EndReason::none);
    CHECK(ready.profile == Profile::reliable_only);
    CHECK(ready.message_bytes == 1'200);

    caps = secure::secure_capabilities(4);
    caps.largest_reliable[0] = 24;
    CHECK(session::judge_capabilities(caps, {}).verdict == EndReason::refused_capabilities);
    caps.largest_reliable[0] = 500;
    CHECK(session::judge_capabilities(caps, {}).message_bytes == 500);
    CHECK(session::judge_capabilities(caps, {.message_bytes = 400}).message_bytes == 400);
}

TEST_CASE("every answer of an endpoint has its status") {
    FakeEndpoint endpoint;
    EndpointAdapter adapter(endpoint);
    for (const auto& [answer, expected] :
         {std::tuple{transport::SendStatus::ok, AdapterStatus::ok},
          {transport::SendStatus::replaced, AdapterStatus::ok},
          {transport::SendStatus::backlogged, AdapterStatus::would_block},
          {transport::SendStatus::too_large, AdapterStatus::too_large},
          {transport::SendStatus::not_connected, AdapterStatus::closed},
          {transport::SendStatus::unsupported, AdapterStatus::unsupported}}) {
        endpoint.answers[0] = answer;
        CHECK(adapter.send({}, {}, {}) == expected);
    }
    for (const auto& [answer, expected] :
         {std::tuple{transport::ConnectStatus::ok, AdapterStatus::ok},
          {transport::ConnectStatus::busy, AdapterStatus::would_block},
          {transport::ConnectStatus::bad_token, AdapterStatus::invalid},
          {transport::ConnectStatus::unsupported, AdapterStatus::unsupported}}) {
        endpoint.connect_answer = answer;
        CHECK(adapter.open({}, {}) == expected);
    }
    CHECK(adapter.close({}, {}) == AdapterStatus::ok);
    transport::ConnectionLevels levels;
    CHECK(adapter.stats({}, {}, levels) == AdapterStatus::ok);
    endpoint.is_up = false;
    CHECK(adapter.stats({}, {}, levels) == AdapterStatus::closed);
}

TEST_CASE("poll copies a message into the caller's buffer, and takes one event a call") {
    FakeEndpoint endpoint;
    EndpointAdapter adapter(endpoint);
    std::vector<std::uint8_t> bytes = {1, 2, 3};
    endpoint.events.push_back(transport::Received{.bytes = bytes});
    endpoint.events.push_back(transport::Closed{});
    endpoint.events.push_back(transport::Received{.bytes = bytes});
    std::array<std::uint8_t, 3> ingress{};
    transport::Event out;
    REQUIRE(adapter.poll({}, ingress, out) == AdapterStatus::ok);
    bytes.assign(3, 9);  // The backend's buffer is its own again.
    const auto* const received = std::get_if<transport::Received>(&out);
    REQUIRE(received != nullptr);
    CHECK(received->bytes.data() == ingress.data());
    CHECK(ingress == std::array<std::uint8_t, 3>{1, 2, 3});
    REQUIRE(adapter.poll({}, ingress, out) == AdapterStatus::ok);
    CHECK(std::get_if<transport::Closed>(&out) != nullptr);
    CHECK(adapter.poll({}, MutableBytes(ingress).first(2), out) == AdapterStatus::too_large);
    CHECK(std::get_if<transport::Closed>(&out) != nullptr);
    CHECK(adapter.poll({}, ingress, out) == AdapterStatus::empty);
}

TEST_CASE("a session refuses a transport it may not use, at once and by name") {
    session::ServerConfig config = server_config();
    config.allow_unauthenticated = false;
    LuckStream luck(LuckKey::root(3).with("adapter"));
    session::ServerSession server(config, Entropy::from_luck(luck));
    FakeEndpoint endpoint;
    endpoint.caps.authentication_ready = false;
    server.on_event({}, endpoint,
                    transport::Connected{.connection = {.index = 0, .generation = 1}});
    CHECK(server.peer_count() == 0);
    CHECK(endpoint.closes == 1);
    CHECK(server.counters().ended[static_cast<unsigned>(EndReason::refused_capabilities)] == 1);

    ClientConfig terms = client_config();
    terms.allow_unauthenticated = false;
    session::ClientSession client(terms);
    CHECK(client.connect({}, endpoint, {}) == session::ConnectStatus::refused);
    CHECK(client.state() == State::idle);
    endpoint.caps.authentication_ready = true;
    CHECK(client.connect({}, endpoint, {}) == session::ConnectStatus::ok);
}

TEST_CASE("without datagrams both ends may agree on reliable lanes") {
    session::ServerConfig config = server_config();
    config.terms.allow_reliable_only = true;
    FakeEndpoint endpoint;
    endpoint.caps.datagrams = false;
    ClientConfig terms = client_config();
    terms.terms.allow_reliable_only = true;
    session::ClientSession client(terms);
    REQUIRE(client.connect({}, endpoint, {}) == session::ConnectStatus::ok);
    client.on_event({}, endpoint,
                    transport::Connected{.connection = {.index = 0, .generation = 1}});
    client.pump({}, endpoint);
    REQUIRE(endpoint.sent.size() == 1);
    const std::vector<std::uint8_t> hello = endpoint.sent[0].bytes;

    LuckStream luck(LuckKey::root(3).with("adapter"));
    session::ServerSession server(config, Entropy::from_luck(luck));
    FakeEndpoint at_server;
    at_server.caps.datagrams = false;
    const transport::ConnectionId connection{.index = 0, .generation = 1};
    server.on_event({}, at_server, transport::Connected{.connection = connection});
    server.on_event({}, at_server, transport::Received{.connection = connection, .bytes = hello});
    const PeerHandle peer = server.peer_of(connection);
    CHECK(server.state(peer) == State::synchronizing);
    CHECK(server.link(peer)->profile() == Profile::reliable_only);
    const std::array<std::uint8_t, 1> snapshot = {1};
    CHECK(server.send({}, peer, Kind::snapshot, 0, snapshot) == session::SendStatus::ok);
    server.pump({}, at_server);
    CHECK(at_server.sent.back().lane == transport::Lane::gameplay);
    CHECK(at_server.sent.back().delivery == transport::Delivery::reliable_ordered);
}

}  // namespace wt::session::adapter_test
