// SPDX-License-Identifier: MIT
//
// Endpoints driven by hand, without a simulator: every datagram that leaves one lies in a list
// until the test delivers, alters, repeats or forgets it; every event is kept.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "engine/secure/endpoints.hpp"
#include "engine/secure/wire.hpp"

namespace wt::test {

struct Flying {
    transport::Address to{};
    transport::Label label{};
    std::vector<std::uint8_t> bytes{};

    [[nodiscard]] secure::WireKind kind() const {
        return static_cast<secure::WireKind>(bytes[secure::kind_offset]);
    }
};

// A question with its views copied.
struct Asked {
    transport::AttemptId attempt{};
    transport::Address address{};
    std::array<std::uint8_t, 16> session{};
    std::vector<std::uint8_t> token{};
};

// A message with its view copied.
struct Got {
    transport::ConnectionId connection{};
    std::vector<std::uint8_t> bytes{};
};

// One endpoint and what came out of it.
class Host {
public:
    using Make = std::unique_ptr<transport::Endpoint> (*)(Entropy);

    template <class Maker>
    Host(std::uint64_t seed, transport::Address where, Maker make)
        : luck(LuckKey::root(seed).with("host")),
          address(where),
          endpoint(make(Entropy::from_luck(luck))) {}

    // Drains everything, and checks the seam's promise about deadlines.
    std::vector<Flying> step(Instant now) {
        endpoint->advance(now);
        std::vector<Flying> out;
        std::array<std::uint8_t, transport::datagram_bytes_max> room{};
        transport::Datagram datagram;
        datagram.room = room;
        while (endpoint->next_datagram(now, datagram)) {
            out.push_back({.to = datagram.to,
                           .label = datagram.label,
                           .bytes = {room.begin(),
                                     room.begin() + static_cast<std::ptrdiff_t>(datagram.size)}});
            datagram.room = room;
        }
        transport::Event event;
        while (endpoint->next_event(event))
            keep(event);
        CHECK(endpoint->next_deadline() > now);
        return out;
    }

    void receive(Instant now, const transport::Address& from, const Flying& flying) {
        endpoint->receive(now, from, flying.bytes, flying.label);
    }

    [[nodiscard]] std::uint64_t refused(transport::Refusal why) const {
        return endpoint->counters().of(why);
    }

    LuckStream luck;
    transport::Address address;
    std::unique_ptr<transport::Endpoint> endpoint;
    std::vector<transport::Connected> connected{};
    std::vector<transport::Closed> closed{};
    std::vector<transport::Moved> moved{};
    std::vector<Asked> asked{};
    std::vector<transport::AuthorisationWithdrawn> withdrawn{};
    std::vector<Got> got{};

private:
    void keep(const transport::Event& event) {
        if (const auto* up = std::get_if<transport::Connected>(&event)) connected.push_back(*up);
        if (const auto* down = std::get_if<transport::Closed>(&event)) closed.push_back(*down);
        if (const auto* away = std::get_if<transport::Moved>(&event)) moved.push_back(*away);
        if (const auto* gone = std::get_if<transport::AuthorisationWithdrawn>(&event)) {
            withdrawn.push_back(*gone);
        }
        if (const auto* question = std::get_if<transport::AuthorisationAsked>(&event)) {
            asked.push_back({.attempt = question->attempt,
                             .address = question->address,
                             .session = question->session,
                             .token = {question->token.begin(), question->token.end()}});
        }
        if (const auto* message = std::get_if<transport::Received>(&event)) {
            got.push_back({.connection = message->connection,
                           .bytes = {message->bytes.begin(), message->bytes.end()}});
        }
    }
};

inline transport::Address address_of(std::uint8_t host, std::uint16_t port = 4'000) {
    transport::Address address;
    address.ip = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, host};
    address.port = port;
    return address;
}

inline transport::SessionProofKeys proof_keys() {
    transport::SessionProofKeys keys;
    keys.join_key.fill(0x11);
    keys.accept_key.fill(0x22);
    return keys;
}

// How the authority and the client of most tests behave.
inline constexpr std::array<std::uint8_t, 16> session_of_tests = {1, 2, 3, 4};
inline constexpr std::array<std::uint8_t, 5> token_of_tests = {9, 8, 7, 6, 5};
inline constexpr transport::PlayerId player_of_tests{0x0123'4567'89ab'cdef};

inline transport::ConnectRequest bound_request(const transport::Address& server) {
    return {.server = server,
            .session = session_of_tests,
            .token = token_of_tests,
            .keys = proof_keys()};
}

inline transport::AuthorisationAnswer bound_answer(transport::AttemptId attempt) {
    return {.attempt = attempt,
            .admitted = true,
            .player = player_of_tests,
            .session_bound = true,
            .keys = proof_keys()};
}

}  // namespace wt::test
