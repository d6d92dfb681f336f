// SPDX-License-Identifier: MIT
//
// A server session and a client session over two endpoints on a perfect wire, a tick of 60 Hz at a
// time. Datagrams can be held back; session events are kept with their payloads copied.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

#include "engine/secure/endpoints.hpp"
#include "engine/transport/loopback.hpp"
#include "tests/support/endpoint_pair.hpp"
#include "tests/unit/engine/session/session_fixture.hpp"

namespace wt::test {

class SessionBench {
public:
    static constexpr std::uint64_t first_tick = 1'000;

    explicit SessionBench(Wire wire, const session::ServerConfig& server_terms = server_config(),
                          const ClientConfig& client_terms = client_config(),
                          std::size_t client_count = 1)
        : wire_(wire), luck_(LuckKey::root(7).with("entropy")), server_address_(address_of(1)) {
        server_endpoint = make(true);
        server = std::make_unique<session::ServerSession>(server_terms, Entropy::from_luck(luck_));
        for (std::size_t i = 0; i < client_count; ++i)
            add_client(client_terms);
    }

    struct Client {
        std::unique_ptr<transport::Endpoint> endpoint;
        std::unique_ptr<session::ClientSession> session;
        transport::Address address{};
        std::vector<Seen> events{};
    };

    void add_client(const ClientConfig& config) {
        Client client;
        client.endpoint = make(false);
        client.session = std::make_unique<session::ClientSession>(config);
        client.address = address_of(static_cast<std::uint8_t>(10 + clients.size()));
        clients.push_back(std::move(client));
    }

    session::ConnectStatus connect(std::size_t which = 0, std::uint8_t nonce = 1) {
        const session::IssuedTicket ticket = ticket_of(100 + which, nonce);
        return connect_with(which, ticket);
    }
    session::ConnectStatus connect_with(std::size_t which, const session::IssuedTicket& ticket) {
        return clients[which].session->connect(now, *clients[which].endpoint,
                                               {.server = server_address_,
                                                .session = ticket.session,
                                                .token = ticket.bytes,
                                                .keys = ticket.keys});
    }

    // One tick of everybody.
    void tick() {
        ++tick_number;
        server->begin_tick(now, *server_endpoint, tick_number);
        for (Client& client : clients)
            client.session->begin_tick(now, *client.endpoint, tick_number);
        if (on_tick) on_tick();
        server->pump(now, *server_endpoint);
        for (Client& client : clients)
            client.session->pump(now, *client.endpoint);
        // Twice: what was answered in this tick arrives in it too.
        for (int i = 0; i < 2; ++i)
            carry();
        now += Duration::nanos(16'666'667);
    }
    void ticks(int count) {
        for (int i = 0; i < count; ++i)
            tick();
    }
    void join(std::size_t which = 0, std::uint8_t nonce = 1) {
        REQUIRE(connect(which, nonce) == session::ConnectStatus::ok);
        for (int i = 0; i < 30 && clients[which].session->state() != State::active; ++i)
            tick();
        REQUIRE(clients[which].session->state() == State::active);
    }
    [[nodiscard]] PeerHandle peer() const {
        for (auto it = server_events.rbegin(); it != server_events.rend(); ++it) {
            if (it->event.type == SessionEvent::Type::synchronizing) return it->event.peer;
        }
        return {};
    }
    [[nodiscard]] const session::SessionLink& link() const {
        const session::SessionLink* const found = server->link(peer());
        REQUIRE(found != nullptr);
        return *found;
    }
    [[nodiscard]] std::size_t count(const std::vector<Seen>& events,
                                    SessionEvent::Type type) const {
        std::size_t found = 0;
        for (const Seen& each : events)
            found += each.event.type == type ? 1 : 0;
        return found;
    }
    [[nodiscard]] EndReason closed_at_server() const { return closed_in(server_events); }
    [[nodiscard]] EndReason closed_at_client(std::size_t which = 0) const {
        return closed_in(clients[which].events);
    }

    // Bytes as if they came over the peer's connection.
    void inject(transport::Lane lane, transport::Delivery delivery, ConstBytes bytes) {
        transport::Received received{
            .connection = link().connection(), .lane = lane, .delivery = delivery, .bytes = bytes};
        server->on_event(now, *server_endpoint, received);
        drain_server();
    }

    void carry() {
        for (Client& client : clients) {
            for (const Flying& flying : drain(*client.endpoint)) {
                if (weather) {
                    weather(client.address, flying);
                } else if (!hold_up) {
                    server_endpoint->receive(now, client.address, flying.bytes, {});
                }
            }
        }
        server_events_of_endpoint();
        for (const Flying& flying : drain(*server_endpoint)) {
            for (Client& client : clients) {
                if (client.address != flying.to || hold_down) continue;
                if (weather) {
                    weather(server_address_, flying);
                } else {
                    client.endpoint->receive(now, server_address_, flying.bytes, {});
                }
            }
        }
        for (Client& client : clients)
            client_events_of_endpoint(client);
    }

    Instant now{1'000'000'000};
    std::uint64_t tick_number = first_tick;
    bool hold_up = false;    // Datagrams to the server vanish.
    bool hold_down = false;  // Datagrams to the clients vanish.
    std::unique_ptr<transport::Endpoint> server_endpoint;
    std::unique_ptr<session::ServerSession> server;
    std::vector<Client> clients{};
    std::vector<Seen> server_events{};
    std::function<void()> on_tick{};
    // Takes every datagram instead of the perfect wire; `deliver` brings it to its end.
    std::function<void(const transport::Address& from, const Flying&)> weather{};

    void deliver(const transport::Address& from, const Flying& flying) {
        if (flying.to == server_address_) {
            server_endpoint->receive(now, from, flying.bytes, {});
            return;
        }
        for (Client& client : clients) {
            if (client.address == flying.to) client.endpoint->receive(now, from, flying.bytes, {});
        }
    }

private:
    [[nodiscard]] std::unique_ptr<transport::Endpoint> make(bool is_server) {
        if (wire_ == Wire::loopback) {
            return is_server ? transport::make_loopback_server({})
                             : transport::make_loopback_client({});
        }
        lucks_.push_back(
            std::make_unique<LuckStream>(LuckKey::root(lucks_.size() + 1).with("endpoint")));
        const Entropy entropy = Entropy::from_luck(*lucks_.back());
        return is_server ? secure::make_server({}, entropy) : secure::make_client({}, entropy);
    }

    std::vector<Flying> drain(transport::Endpoint& endpoint) {
        endpoint.advance(now);
        std::vector<Flying> out;
        std::array<std::uint8_t, transport::datagram_bytes_max> room{};
        transport::Datagram datagram;
        datagram.room = room;
        while (endpoint.next_datagram(now, datagram)) {
            out.push_back({.to = datagram.to,
                           .label = datagram.label,
                           .bytes = {room.begin(),
                                     room.begin() + static_cast<std::ptrdiff_t>(datagram.size)}});
            datagram.room = room;
        }
        return out;
    }
    void server_events_of_endpoint() {
        transport::Event event;
        while (server_endpoint->next_event(event)) {
            server->on_event(now, *server_endpoint, event);
            drain_server();
        }
        drain_server();
    }
    void drain_server() {
        SessionEvent event;
        while (server->next_event(event)) {
            server_events.push_back(copied(event));
            if (event.type != SessionEvent::Type::message) continue;
            const bool is_bad = !event.payload.empty() && event.payload.back() == 0xbd;
            CHECK((is_bad ? server->refuse() : server->accept()));
        }
    }
    void client_events_of_endpoint(Client& client) {
        const auto keep = [&] {
            SessionEvent event;
            while (client.session->next_event(event))
                client.events.push_back(copied(event));
        };
        transport::Event event;
        while (client.endpoint->next_event(event)) {
            client.session->on_event(now, *client.endpoint, event);
            keep();
        }
        keep();
    }
    static Seen copied(const SessionEvent& event) {
        return {.event = event,
                .payload = {event.payload.begin(), event.payload.end()},
                .bulk = {event.bulk.bytes.begin(), event.bulk.bytes.end()}};
    }
    static EndReason closed_in(const std::vector<Seen>& events) {
        for (auto it = events.rbegin(); it != events.rend(); ++it) {
            if (it->event.type == SessionEvent::Type::closed) return it->event.reason;
        }
        return EndReason::none;
    }

    Wire wire_;
    LuckStream luck_;
    std::vector<std::unique_ptr<LuckStream>> lucks_{};
    transport::Address server_address_;
};

}  // namespace wt::test
