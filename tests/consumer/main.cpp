// SPDX-License-Identifier: MIT
//
// What a program of somebody else does first: a server and a client of the real suite, a join, one
// reliable message. The wire between them is two lines.
#include <array>
#include <cstdio>
#include <memory>
#include <string_view>
#include <variant>

#include "engine/crypto/entropy.hpp"
#include "engine/secure/endpoints.hpp"

namespace {

using namespace wt;

constexpr std::string_view greeting = "hello, tank";

struct Side {
    transport::Address address{};
    std::unique_ptr<transport::Endpoint> endpoint{};
    transport::ConnectionId connection{};
    bool greeted = false;
};

// An authority that admits everybody.
void take(Side& side, Instant now, const transport::Event& event) {
    if (const auto* up = std::get_if<transport::Connected>(&event)) {
        side.connection = up->connection;
    }
    if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
        const auto status = side.endpoint->answer_authorisation(
            now, {.attempt = asked->attempt, .admitted = true, .player = {7}});
        if (status != transport::AnswerStatus::ok) std::puts("the answer came too late");
    }
    if (const auto* message = std::get_if<transport::Received>(&event)) {
        const std::string_view text{reinterpret_cast<const char*>(message->bytes.data()),
                                    message->bytes.size()};
        side.greeted = text == greeting;
    }
}

void serve(Side& self, Side& other, Instant now) {
    self.endpoint->advance(now);
    std::array<std::uint8_t, transport::datagram_bytes_max> room{};
    transport::Datagram out;
    out.room = room;
    while (self.endpoint->next_datagram(now, out)) {
        other.endpoint->receive(now, self.address, ConstBytes(room).first(out.size), out.label);
    }
    transport::Event event;
    while (self.endpoint->next_event(event))
        take(self, now, event);
}

}  // namespace

int main() {
    secure::ServerConfig server_config;
    server_config.allow_unbound = true;
    secure::ClientConfig client_config;
    client_config.allow_unbound = true;
    Side server{.endpoint = secure::make_server(server_config, crypto::system_entropy())};
    Side client{.endpoint = secure::make_client(client_config, crypto::system_entropy())};
    server.address.port = 7'777;
    client.address.port = 7'778;

    Instant now = Instant{} + Duration::seconds(1);
    transport::ConnectRequest request;
    request.server = server.address;
    if (client.endpoint->connect(now, request) != transport::ConnectStatus::ok) return 1;
    bool sent = false;
    for (int step = 0; step < 1'000 && !server.greeted; ++step) {
        serve(client, server, now);
        serve(server, client, now);
        if (!sent && client.connection.is_valid()) {
            sent = client.endpoint->send(now, client.connection, {.bytes = bytes_of(greeting)}) ==
                   transport::SendStatus::ok;
        }
        now += Duration::millis(5);
    }
    if (!server.greeted) return 1;
    std::puts("ok");
    return 0;
}
