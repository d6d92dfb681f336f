// SPDX-License-Identifier: MIT
//
// What session tests agree on: configurations, tickets, and an input whose payload names its tick.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/session/client_session.hpp"
#include "engine/session/server_session.hpp"

namespace wt::test {

using session::ClientConfig;
using session::EndReason;
using session::Kind;
using session::PeerHandle;
using session::SessionEvent;
using session::Stage;
using session::State;

enum class Wire : std::uint8_t { loopback, secure };

// An event with its views copied.
struct Seen {
    SessionEvent event{};
    std::vector<std::uint8_t> payload{};
    std::vector<std::uint8_t> bulk{};
};

inline crypto::Mac authority_key() {
    crypto::Mac key{};
    key.fill(0x77);
    return key;
}

inline session::IssuedTicket ticket_of(std::uint64_t player, std::uint8_t nonce,
                                       std::uint64_t expires = 10'000) {
    session::Ticket ticket{.audience = 5, .player = {player}, .visit = nonce, .expires = expires};
    ticket.nonce.fill(nonce);
    return session::TicketAuthority(authority_key()).issue(ticket, {});
}

// Input of the tests: the first four bytes are its tick; a payload that ends in 0xbd is bad.
inline bool peek_tick(const void*, Kind, ConstBytes payload, std::uint32_t& tick) {
    if (payload.size() < 4) return false;
    tick = load_u32(payload.data());
    return true;
}

inline session::ServerConfig server_config() {
    session::ServerConfig config;
    config.terms.schema_hash = 42;
    config.peek = {.function = &peek_tick, .state = nullptr};
    config.authority.emplace(authority_key());
    config.audience = 5;
    config.allow_unauthenticated = true;
    return config;
}

inline ClientConfig client_config() {
    ClientConfig config;
    config.terms.schema_hash = 42;
    config.allow_unauthenticated = true;
    return config;
}

}  // namespace wt::test
