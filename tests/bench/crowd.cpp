// SPDX-License-Identifier: MIT
#include "tests/bench/crowd.hpp"

#include "engine/base/check.hpp"

namespace wt::bench {

namespace {

constexpr std::uint16_t server_port = 40'000;
constexpr Duration step_length = Duration::millis(5);

transport::Address address_of(std::uint16_t port) {
    transport::Address address;
    address.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1};
    address.port = port;
    return address;
}

transport::SessionProofKeys proof_keys() {
    transport::SessionProofKeys keys;
    keys.join_key.fill(0x33);
    keys.accept_key.fill(0x44);
    return keys;
}

}  // namespace

Crowd::Client::Client(std::uint32_t number) : luck(LuckKey::root(1).with("client").with(number)) {}

Crowd::Crowd(std::uint32_t clients)
    : client_count_(clients), server_luck_(LuckKey::root(1).with("server")) {
    WT_CHECK(clients < server_port);
    clients_.reserve(clients);
    for (std::uint32_t i = 0; i < clients; ++i)
        clients_.emplace_back(i);
}

void Crowd::make_endpoints() {
    server_ = secure::make_server({.peers_max = client_count_,
                                   .pending_max = client_count_,
                                   .authorising_max = client_count_},
                                  Entropy::from_luck(server_luck_));
    for (Client& client : clients_)
        client.endpoint = secure::make_client({}, Entropy::from_luck(client.luck));
}

bool Crowd::join_all() {
    static constexpr std::array<std::uint8_t, 32> token = {7, 7, 7};
    for (Client& client : clients_) {
        const transport::ConnectStatus status =
            client.endpoint->connect(now_, {.server = address_of(server_port),
                                            .session = {1},
                                            .token = token,
                                            .keys = proof_keys()});
        WT_CHECK(status == transport::ConnectStatus::ok);
    }
    // Four datagrams a join; the rest of the steps lets goodbyes and timers come to rest.
    constexpr std::uint32_t steps = 20;
    run(steps);
    return connected_ == client_count_;
}

void Crowd::run(std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i)
        step();
}

void Crowd::step() {
    for (std::uint32_t i = 0; i < client_count_; ++i) {
        clients_[i].endpoint->advance(now_);
        drain_client(i);
    }
    server_->advance(now_);
    drain_server();
    now_ += step_length;
}

void Crowd::drain_client(std::uint32_t number) {
    transport::Endpoint& client = *clients_[number].endpoint;
    transport::Datagram out;
    out.room = room_;
    while (client.next_datagram(now_, out)) {
        server_->receive(now_, address_of(static_cast<std::uint16_t>(number)),
                         ConstBytes(room_).first(out.size), out.label);
        out.room = room_;
    }
    transport::Event event;
    while (client.next_event(event)) {
    }
}

void Crowd::drain_server() {
    transport::Datagram out;
    out.room = room_;
    while (server_->next_datagram(now_, out)) {
        clients_[out.to.port].endpoint->receive(now_, address_of(server_port),
                                                ConstBytes(room_).first(out.size), out.label);
        out.room = room_;
    }
    transport::Event event;
    while (server_->next_event(event)) {
        if (std::holds_alternative<transport::Connected>(event)) ++connected_;
        const auto* asked = std::get_if<transport::AuthorisationAsked>(&event);
        if (asked == nullptr) continue;
        const transport::AnswerStatus status =
            server_->answer_authorisation(now_, {.attempt = asked->attempt,
                                                 .admitted = true,
                                                 .player = {asked->address.port + 1u},
                                                 .session_bound = true,
                                                 .keys = proof_keys()});
        WT_CHECK(status == transport::AnswerStatus::ok);
    }
}

}  // namespace wt::bench
