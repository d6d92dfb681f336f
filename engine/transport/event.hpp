// SPDX-License-Identifier: MIT
//
// What comes out of an endpoint beside datagrams: connections that begin and end, messages, and
// questions to the join authority, whose answers come back as an input.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "engine/transport/address.hpp"
#include "engine/transport/message.hpp"

namespace wt::transport {

// One attempt to join, while its authorisation is under way. A stale id answers nothing.
using AttemptId = Handle<struct AttemptTag>;

struct Connected {
    ConnectionId connection{};
    PlayerId player{};
    Address address{};
    std::uint32_t tick_rate = 0;  // Hz, as the server said it.
    bool session_bound = false;   // Whether both proofs were checked; unbound joins say so.
};

// The other end answered a challenge from a new address, and lives there now.
struct Moved {
    ConnectionId connection{};
    Address address{};
};

struct Closed {
    ConnectionId connection{};
    CloseReason reason = CloseReason::none;
    bool was_connected = false;  // False: an attempt that never was established.
};

struct Received {
    ConnectionId connection{};
    Lane lane = Lane::control;
    Delivery delivery = Delivery::reliable_ordered;
    ConstBytes bytes{};    // Valid until the next call on the endpoint.
    std::uint16_t id = 0;  // Reliable: message id. Sequenced: sequence.
    // From the side label: 0 on a real socket. Measures, never decides.
    Instant accepted_at{};
    Kind kind = Kind::data;
    std::uint32_t tick = 0;
};

// "May this token join?" The application asks whoever knows and calls answer_authorisation.
struct AuthorisationAsked {
    AttemptId attempt{};
    Address address{};
    std::array<std::uint8_t, 16> session{};  // Session the client wants to join.
    ConstBytes token{};                      // Valid until the next call on the endpoint.
};

// The attempt ended first; an answer to it will be refused as stale.
struct AuthorisationWithdrawn {
    AttemptId attempt{};
};

using Event = std::variant<std::monostate, Connected, Closed, Received, AuthorisationAsked,
                           AuthorisationWithdrawn, Moved>;

// What the join authority knows of a session: the keys with which join and accept are proven.
struct SessionProofKeys {
    std::array<std::uint8_t, 32> join_key{};
    std::array<std::uint8_t, 32> accept_key{};
};

struct AuthorisationAnswer {
    AttemptId attempt{};
    bool admitted = false;
    PlayerId player{};
    // Keys of a session-bound join; without them the join is unbound and needs configuration.
    bool session_bound = false;
    SessionProofKeys keys{};
};

enum class AnswerStatus : std::uint8_t {
    ok,
    stale,  // Expired, superseded or answered before: nothing changed.
};

}  // namespace wt::transport
