// SPDX-License-Identifier: MIT
//
// A server and a client on a perfect wire, step by step, for handshake tests.
#pragma once

#include "tests/support/endpoint_pair.hpp"

namespace wt::test {

class Bench {
public:
    static constexpr Duration tick = Duration::millis(5);

    explicit Bench(const secure::ServerConfig& server_config = {},
                   const secure::ClientConfig& client_config = {})
        : Bench([&](Entropy entropy) { return secure::make_server(server_config, entropy); },
                [&](Entropy entropy) { return secure::make_client(client_config, entropy); }) {}

    template <class MakeServer, class MakeClient>
    Bench(MakeServer make_server, MakeClient make_client)
        : server(1, address_of(1), make_server), client(2, address_of(2), make_client) {}

    // One step of the client; what it sent, undelivered.
    std::vector<Flying> client_step() { return client.step(now); }
    std::vector<Flying> server_step() { return server.step(now); }

    void to_server(const std::vector<Flying>& all) {
        for (const Flying& one : all)
            server.receive(now, client.address, one);
    }
    void to_client(const std::vector<Flying>& all) {
        for (const Flying& one : all)
            client.receive(now, server.address, one);
    }

    void wait(Duration duration) { now += duration; }

    // Both ends served once, everything delivered within the step.
    void exchange() {
        to_server(client_step());
        to_client(server_step());
        wait(tick);
    }
    void exchange_for(Duration duration) {
        const Instant end = now + duration;
        while (now < end)
            exchange();
    }

    // Until the server's application was asked; the join is in.
    void ask(const transport::ConnectRequest& request) {
        REQUIRE(client.endpoint->connect(now, request) == transport::ConnectStatus::ok);
        const std::size_t before = server.asked.size();
        for (int i = 0; i < 10 && server.asked.size() == before; ++i)
            exchange();
        REQUIRE(server.asked.size() == before + 1);
    }
    void ask() { ask(bound_request(server.address)); }

    transport::AnswerStatus answer(const transport::AuthorisationAnswer& how) {
        return server.endpoint->answer_authorisation(now, how);
    }

    // All the way: both applications know of the connection.
    void connect() {
        const std::size_t before = server.connected.size();
        ask();
        REQUIRE(answer(bound_answer(server.asked.back().attempt)) == transport::AnswerStatus::ok);
        exchange();
        exchange();
        REQUIRE(server.connected.size() == before + 1);
        REQUIRE(client.connected.size() == before + 1);
    }

    [[nodiscard]] transport::ConnectionId client_id() const {
        return client.connected.back().connection;
    }
    [[nodiscard]] transport::ConnectionId server_id() const {
        return server.connected.back().connection;
    }

    // Whether a message gets across in each direction now.
    bool talks() {
        static constexpr std::array<std::uint8_t, 3> words = {1, 2, 3};
        const std::size_t at_server = server.got.size();
        const std::size_t at_client = client.got.size();
        const transport::Message message{.lane = transport::Lane::chat,
                                         .delivery = transport::Delivery::reliable_ordered,
                                         .bytes = words};
        if (client.endpoint->send(now, client_id(), message) != transport::SendStatus::ok) {
            return false;
        }
        if (server.endpoint->send(now, server_id(), message) != transport::SendStatus::ok) {
            return false;
        }
        for (int i = 0; i < 3; ++i)
            exchange();
        return server.got.size() > at_server && client.got.size() > at_client;
    }

    Instant now = Instant{1'000'000'000'000};
    Host server;
    Host client;
};

}  // namespace wt::test
