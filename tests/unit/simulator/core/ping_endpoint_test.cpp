// SPDX-License-Identifier: MIT
//
// The test protocol's body, and one check that it works by itself: a fixture that lies would make
// every other test of this folder worthless.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "tests/unit/simulator/core/ping_endpoint.hpp"

namespace wt::sim {

using transport::CloseReason;
using transport::Kind;

PingEndpoint::Connection* PingEndpoint::find(const transport::Address& peer) {
    for (Connection& each : connections_) {
        if (each.is_live && each.peer == peer) return &each;
    }
    return nullptr;
}

PingEndpoint::Connection& PingEndpoint::open(Instant now, const transport::Address& peer) {
    auto free = std::find_if(connections_.begin(), connections_.end(),
                             [](const Connection& each) { return !each.is_live; });
    if (free == connections_.end()) {
        connections_.push_back({});
        free = connections_.end() - 1;
    }
    const std::uint32_t generation = free->generation + 1;
    *free = {.peer = peer,
             .is_live = true,
             .is_connected = is_server_,
             .generation = generation,
             .last_heard = now,
             .next_send = is_server_ ? now + keepalive : now};
    return *free;
}

transport::ConnectionId PingEndpoint::id_of(const Connection& connection) const {
    const std::ptrdiff_t index = &connection - connections_.data();
    return {static_cast<std::uint32_t>(index), connection.generation};
}

void PingEndpoint::push(const transport::Address& to, Type type, ConstBytes body,
                        transport::Label label) {
    Outgoing out{.to = to, .label = label};
    out.bytes[0] = static_cast<std::uint8_t>(type);
    if (!body.empty()) std::memcpy(out.bytes + 1, body.data(), body.size());
    out.size = static_cast<std::uint8_t>(1 + body.size());
    outgoing_.push_back(out);
}

void PingEndpoint::receive(Instant now, const transport::Address& from, ConstBytes datagram,
                           const transport::Label& label) {
    if (datagram.empty() || datagram[0] < 1 || datagram[0] > 5) {
        ++malformed;
        return;
    }
    ++counters_.datagrams_received;
    Connection* connection = find(from);
    const Type type = static_cast<Type>(datagram[0]);
    if (type == Type::hello && is_server_) {
        if (connection == nullptr) {
            connection = &open(now, from);
            events_.push_back(
                transport::Connected{.connection = id_of(*connection), .address = from});
        }
        transport::Label welcome;
        welcome.add(Kind::accept);
        push(from, Type::welcome, {}, welcome);
    }
    if (connection == nullptr) return;
    connection->last_heard = now;
    if (type == Type::welcome && !connection->is_connected) {
        connection->is_connected = true;
        connection->next_send = now + keepalive;
        events_.push_back(transport::Connected{.connection = id_of(*connection), .address = from});
    }
    if (type == Type::goodbye) shut(*connection, CloseReason::remote);
    if (type == Type::message) {
        received_.assign(datagram.begin() + 1, datagram.end());
        events_.push_back(transport::Received{.connection = id_of(*connection),
                                              .lane = label.lane,
                                              .delivery = transport::Delivery::unreliable,
                                              .bytes = received_,
                                              .id = label.message,
                                              .accepted_at = label.accepted_at});
    }
}

void PingEndpoint::shut(Connection& connection, CloseReason reason) {
    events_.push_back(transport::Closed{.connection = id_of(connection),
                                        .reason = reason,
                                        .was_connected = connection.is_connected});
    connection.is_live = false;
}

void PingEndpoint::advance(Instant now) {
    for (Connection& each : connections_) {
        if (!each.is_live) continue;
        if (now - each.last_heard >= timeout) {
            shut(each, each.is_connected ? CloseReason::timed_out : CloseReason::no_answer);
            continue;
        }
        if (each.next_send > now) continue;
        transport::Label label;
        label.add(each.is_connected ? Kind::keepalive : Kind::handshake);
        push(each.peer, each.is_connected ? Type::keepalive : Type::hello, {}, label);
        each.next_send = now + (each.is_connected ? keepalive : retry);
    }
}

transport::ConnectStatus PingEndpoint::connect(Instant now,
                                               const transport::ConnectRequest& request) {
    if (is_server_) return transport::ConnectStatus::unsupported;
    if (find(request.server) != nullptr) return transport::ConnectStatus::busy;
    open(now, request.server);
    return transport::ConnectStatus::ok;
}

transport::SendStatus PingEndpoint::send(Instant now, transport::ConnectionId to,
                                         const transport::Message& message) {
    if (to.index >= connections_.size()) return transport::SendStatus::not_connected;
    const Connection& connection = connections_[to.index];
    if (!connection.is_connected || !connection.is_live || id_of(connection) != to) {
        return transport::SendStatus::not_connected;
    }
    transport::Label label{
        .accepted_at = now, .tick = message.tick, .lane = message.lane, .on_lane = true};
    label.add(message.kind);
    push(connection.peer, Type::message, message.bytes, label);
    return transport::SendStatus::ok;
}

bool PingEndpoint::close(Instant, transport::ConnectionId id, CloseReason reason) {
    if (id.index >= connections_.size() || !connections_[id.index].is_live) return false;
    transport::Label label;
    label.add(Kind::close);
    for (int copy = 0; copy < 3; ++copy)
        push(connections_[id.index].peer, Type::goodbye, {}, label);
    shut(connections_[id.index], reason);
    return true;
}

void PingEndpoint::restart(Instant) {
    for (Connection& each : connections_)
        each.is_live = false;
    outgoing_.clear();
    events_.clear();
}

bool PingEndpoint::next_datagram(Instant, transport::Datagram& out) {
    if (outgoing_.empty()) return false;
    const Outgoing& first = outgoing_.front();
    std::memcpy(out.room.data(), first.bytes, first.size);
    out.size = first.size;
    out.to = first.to;
    out.label = first.label;
    outgoing_.pop_front();
    ++counters_.datagrams_sent;
    return true;
}

bool PingEndpoint::next_event(transport::Event& out) {
    if (events_.empty()) return false;
    out = events_.front();
    events_.pop_front();
    return true;
}

Instant PingEndpoint::next_deadline() const {
    if (!outgoing_.empty()) return {};
    Instant next = Instant::never();
    for (const Connection& each : connections_) {
        if (each.is_live) next = std::min({next, each.next_send, each.last_heard + timeout});
    }
    return next;
}

bool PingEndpoint::levels_of(Instant now, transport::ConnectionId id,
                             transport::ConnectionLevels& out) const {
    if (id.index >= connections_.size()) return false;
    const Connection& connection = connections_[id.index];
    if (!connection.is_live || connection.generation != id.generation) return false;
    out.silence_max = now - connection.last_heard;
    return true;
}

std::uint32_t PingEndpoint::connection_count() const {
    return static_cast<std::uint32_t>(
        std::count_if(connections_.begin(), connections_.end(),
                      [](const Connection& each) { return each.is_live; }));
}

TEST_CASE("the test protocol connects, talks, times out") {
    PingEndpoint server(true);
    PingEndpoint client(false);
    const transport::Address client_at{.ip = {1}, .port = 1};
    const transport::Address server_at{.ip = {2}, .port = 2};
    const auto carry = [](PingEndpoint& from, PingEndpoint& to, transport::Address source) {
        std::uint8_t room[300];
        transport::Datagram datagram{.room = room};
        unsigned count = 0;
        for (; from.next_datagram({}, datagram); ++count)
            to.receive({}, source, ConstBytes(room, datagram.size), datagram.label);
        return count;
    };
    CHECK(client.connect({}, {.server = server_at}) == transport::ConnectStatus::ok);
    CHECK(client.connect({}, {.server = server_at}) == transport::ConnectStatus::busy);
    client.advance({});
    CHECK(carry(client, server, client_at) == 1);
    CHECK(carry(server, client, server_at) == 1);
    transport::Event event;
    REQUIRE(client.next_event(event));
    const auto* connected = std::get_if<transport::Connected>(&event);
    REQUIRE(connected != nullptr);
    REQUIRE(server.next_event(event));
    const std::uint8_t body[3] = {7, 8, 9};
    CHECK(client.send({}, connected->connection, {.bytes = body}) == transport::SendStatus::ok);
    CHECK(carry(client, server, client_at) == 1);
    REQUIRE(server.next_event(event));
    const auto* received = std::get_if<transport::Received>(&event);
    REQUIRE(received != nullptr);
    CHECK(received->bytes.size() == 3);
    CHECK(client.next_deadline() == Instant{} + PingEndpoint::keepalive);
    client.advance(Instant{} + PingEndpoint::timeout);
    REQUIRE(client.next_event(event));
    CHECK(std::get<transport::Closed>(event).reason == CloseReason::timed_out);
    CHECK(client.next_deadline() == Instant::never());
}

}  // namespace wt::sim
