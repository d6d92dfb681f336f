// SPDX-License-Identifier: MIT
//
// Goal: a session in steady use allocates nothing. Method: this executable's operator new counts;
// 8 clients and a server talk over loopback endpoints through a driver that owns no memory of its
// own, and after 120 ticks of getting used to it, 600 ticks must count nothing.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <vector>

#include "engine/transport/loopback.hpp"
#include "tests/support/counted_news.hpp"
#include "tests/unit/engine/session/session_fixture.hpp"

namespace {

using namespace wt;
using namespace wt::test;

constexpr std::size_t client_count = 8;

transport::Address address_numbered(std::size_t number) {
    transport::Address address;
    address.ip[15] = static_cast<std::uint8_t>(number + 1);
    address.port = 4'000;
    return address;
}

struct Table {
    Table()
        : luck(LuckKey::root(1).with("table")),
          endpoint(transport::make_loopback_server({})),
          server(config(), Entropy::from_luck(luck)) {
        for (std::size_t i = 0; i < client_count; ++i) {
            endpoints.push_back(transport::make_loopback_client({}));
            clients.push_back(std::make_unique<session::ClientSession>(client_config()));
            const session::IssuedTicket ticket = ticket_of(i + 1, static_cast<std::uint8_t>(i + 1));
            CHECK(clients[i]->connect(now, *endpoints[i],
                                      {.server = address_numbered(client_count),
                                       .session = ticket.session,
                                       .token = ticket.bytes}) == session::ConnectStatus::ok);
        }
    }
    static session::ServerConfig config() {
        session::ServerConfig out = server_config();
        out.limits.bulk_bytes_per_tick = 1'000;
        out.limits.bulk_record_bytes = 600;
        return out;
    }

    void tick() {
        ++number;
        server.begin_tick(now, *endpoint, number);
        std::array<std::uint8_t, 900> bytes{};
        store_u32(bytes.data(), static_cast<std::uint32_t>(number));
        const ConstBytes all(bytes);
        server.for_each_peer([&](PeerHandle peer) {
            if (server.state(peer) != State::active) return;
            static_cast<void>(server.send(now, peer, Kind::game_event, 0, all.first(60)));
            static_cast<void>(server.send(now, peer, Kind::snapshot, 0, all, {0, 2}));
            static_cast<void>(server.send(now, peer, Kind::snapshot, 0, all.first(300), {1, 2}));
            static_cast<void>(server.start_bulk(peer, 1, source));
        });
        server.pump(now, *endpoint);
        for (std::size_t i = 0; i < client_count; ++i) {
            clients[i]->begin_tick(now, *endpoints[i], number);
            static_cast<void>(clients[i]->send(now, Kind::input, 0, all.first(48)));
            clients[i]->pump(now, *endpoints[i]);
        }
        for (int round = 0; round < 2; ++round)
            carry();
        now += Duration::nanos(16'666'667);
    }

    void carry() {
        transport::Datagram datagram;
        datagram.room = room;
        for (std::size_t i = 0; i < client_count; ++i) {
            endpoints[i]->advance(now);
            while (endpoints[i]->next_datagram(now, datagram)) {
                endpoint->receive(now, address_numbered(i), ConstBytes(room).first(datagram.size),
                                  {});
                datagram.room = room;
            }
        }
        drain(*endpoint, server);
        endpoint->advance(now);
        while (endpoint->next_datagram(now, datagram)) {
            endpoints[datagram.to.ip[15] - 1u]->receive(now, address_numbered(client_count),
                                                        ConstBytes(room).first(datagram.size), {});
            datagram.room = room;
        }
        for (std::size_t i = 0; i < client_count; ++i)
            drain(*endpoints[i], *clients[i]);
    }

    template <class Session>
    void drain(transport::Endpoint& from, Session& into) {
        transport::Event event;
        SessionEvent out;
        while (from.next_event(event)) {
            into.on_event(now, from, event);
            while (into.next_event(out)) {
                if (out.type == SessionEvent::Type::message) into.accept();
                ++events;
            }
        }
        while (into.next_event(out))
            ++events;
    }

    Instant now{1'000'000'000};
    std::uint64_t number = 500;
    std::uint64_t events = 0;
    std::array<std::uint8_t, transport::datagram_bytes_max> room{};
    std::vector<std::uint8_t> source = std::vector<std::uint8_t>(5'000, 1);
    LuckStream luck;
    std::unique_ptr<transport::Endpoint> endpoint;
    session::ServerSession server;
    std::vector<std::unique_ptr<transport::Endpoint>> endpoints{};
    std::vector<std::unique_ptr<session::ClientSession>> clients{};
};

}  // namespace

TEST_CASE("600 ticks of eight busy sessions allocate nothing") {
    Table table;
    for (int i = 0; i < 120; ++i)
        table.tick();
    for (const auto& client : table.clients)
        REQUIRE(client->state() == State::active);
    const std::uint64_t events = table.events;
    const std::uint64_t before = test::news;
    for (int i = 0; i < 600; ++i)
        table.tick();
    CHECK(test::news == before);
    // Both channels down with two batches each, input up, bulk: they really talked.
    CHECK(table.events - events > 600 * client_count * 4);
}
