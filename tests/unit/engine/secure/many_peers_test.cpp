// SPDX-License-Identifier: MIT
//
// Many clients on one server: all of them get in at one instant, none is always served last, idle
// ones cost no call, and a steady exchange allocates nothing, also in a second life.
#include <doctest/doctest.h>

#include <set>

#include "engine/base/check.hpp"
#include "tests/support/counted_news.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::secure::many_peers_test {

namespace {

constexpr std::uint32_t client_count = 100;

// A wire without allocations: what an endpoint emits goes straight into the others.
class Crowd {
public:
    Crowd()
        : server_(1, test::address_of(1), [](Entropy entropy) {
              return make_server({.peers_max = client_count,
                                  .pending_max = client_count,
                                  .authorising_max = client_count},
                                 entropy);
          }) {
        for (std::uint32_t i = 0; i < client_count; ++i) {
            clients_.push_back(std::make_unique<test::Host>(
                100 + i, address_of_client(i),
                [](Entropy entropy) { return make_client({}, entropy); }));
        }
        ids_.resize(client_count);
        order_.reserve(client_count * 4);
    }

    static transport::Address address_of_client(std::uint32_t i) {
        return test::address_of(2, static_cast<std::uint16_t>(i));
    }

    void join_all() {
        for (const auto& client : clients_) {
            REQUIRE(client->endpoint->connect(now, test::bound_request(server_.address)) ==
                    transport::ConnectStatus::ok);
        }
        connected = 0;
        for (int i = 0; i < 10 && connected < client_count; ++i)
            exchange();
    }

    void exchange() {
        for (const auto& client : clients_) {
            client->endpoint->advance(now);
            drain_client(*client);
        }
        server_.endpoint->advance(now);
        drain_server();
        now += Duration::millis(5);
    }

    // One message each way for everybody, of the given mode.
    void talk(transport::Delivery delivery) {
        static constexpr std::array<std::uint8_t, 64> words = {1, 2, 3};
        for (std::uint32_t i = 0; i < client_count; ++i) {
            const transport::Message message{
                .lane = transport::Lane::state, .delivery = delivery, .bytes = words};
            WT_CHECK(clients_[i]->endpoint->send(now, ids_[i].client, message) ==
                     transport::SendStatus::ok);
            WT_CHECK(server_.endpoint->send(now, ids_[i].server, message) ==
                     transport::SendStatus::ok);
        }
    }

    void restart() {
        server_.endpoint->restart(now);
        for (const auto& client : clients_)
            client->endpoint->restart(now);
    }

    // Whom the server's last drain served, in order.
    [[nodiscard]] const std::vector<std::uint16_t>& order() const { return order_; }
    [[nodiscard]] test::Host& server() { return server_; }

    Instant now{5'000'000'000};
    std::uint32_t connected = 0;
    std::uint64_t messages = 0;

private:
    struct Ids {
        transport::ConnectionId client{};
        transport::ConnectionId server{};
    };

    void drain_client(test::Host& client) {
        transport::Datagram out;
        out.room = room_;
        while (client.endpoint->next_datagram(now, out)) {
            server_.endpoint->receive(now, client.address, ConstBytes(room_).first(out.size),
                                      out.label);
            out.room = room_;
        }
        transport::Event event;
        while (client.endpoint->next_event(event)) {
            if (const auto* up = std::get_if<transport::Connected>(&event)) {
                ids_[client.address.port].client = up->connection;
            }
            if (std::holds_alternative<transport::Received>(event)) ++messages;
        }
    }

    void drain_server() {
        order_.clear();
        transport::Datagram out;
        out.room = room_;
        while (server_.endpoint->next_datagram(now, out)) {
            order_.push_back(out.to.port);
            clients_[out.to.port]->endpoint->receive(now, server_.address,
                                                     ConstBytes(room_).first(out.size), out.label);
            out.room = room_;
        }
        transport::Event event;
        while (server_.endpoint->next_event(event)) {
            if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
                WT_CHECK(server_.endpoint->answer_authorisation(
                             now, test::bound_answer(asked->attempt)) ==
                         transport::AnswerStatus::ok);
            }
            if (const auto* up = std::get_if<transport::Connected>(&event)) {
                ids_[up->address.port].server = up->connection;
                ++connected;
            }
            if (std::holds_alternative<transport::Received>(event)) ++messages;
        }
    }

    test::Host server_;
    std::vector<std::unique_ptr<test::Host>> clients_;
    std::vector<Ids> ids_;
    std::vector<std::uint16_t> order_;
    std::array<std::uint8_t, transport::datagram_bytes_max> room_{};
};

}  // namespace

TEST_CASE("a crowd gets in at one instant, with ids of its own") {
    Crowd crowd;
    crowd.join_all();
    CHECK(crowd.connected == client_count);
    CHECK(crowd.server().endpoint->connection_count() == client_count);
    CHECK(crowd.server().endpoint->pending_count() == 0);
    for (unsigned i = 0; i < transport::refusal_count; ++i)
        CHECK(crowd.server().refused(static_cast<transport::Refusal>(i)) == 0);
}

TEST_CASE("another peer is served first in every drain") {
    Crowd crowd;
    crowd.join_all();
    std::set<std::uint16_t> firsts;
    for (unsigned drain = 0; drain < client_count; ++drain) {
        crowd.talk(transport::Delivery::unreliable);
        crowd.exchange();
        REQUIRE(crowd.order().size() >= client_count);
        firsts.insert(crowd.order().front());
    }
    CHECK(firsts.size() == client_count);
}

TEST_CASE("a steady exchange allocates nothing, and neither does a second life") {
    Crowd crowd;
    for (int life = 0; life < 2; ++life) {
        CAPTURE(life);
        const std::uint64_t before_life = test::news;
        crowd.join_all();
        REQUIRE(crowd.connected == client_count);
        // Pools find their size.
        for (int i = 0; i < 300; ++i) {
            crowd.talk(transport::Delivery::reliable_ordered);
            crowd.talk(transport::Delivery::unreliable_sequenced);
            crowd.exchange();
        }
        const std::uint64_t before = test::news;
        const std::uint64_t messages = crowd.messages;
        for (int i = 0; i < 200; ++i) {
            crowd.talk(transport::Delivery::reliable_ordered);
            crowd.talk(transport::Delivery::unreliable_sequenced);
            crowd.exchange();
        }
        CHECK(test::news - before == 0);
        CHECK(crowd.messages - messages >= 199 * client_count * 4);
        if (life > 0) CHECK(test::news - before_life == 0);
        crowd.restart();
    }
}

TEST_CASE("a server of idle peers sleeps until the first of them has something to do") {
    Crowd crowd;
    crowd.join_all();
    crowd.exchange();
    crowd.exchange();
    const Instant deadline = crowd.server().endpoint->next_deadline();
    CHECK(deadline > crowd.now);
    crowd.now = deadline - Duration::nanos(1);
    CHECK(crowd.server().step(crowd.now).empty());
    CHECK_FALSE(crowd.server().step(deadline).empty());
}

}  // namespace wt::secure::many_peers_test
