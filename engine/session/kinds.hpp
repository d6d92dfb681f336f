// SPDX-License-Identifier: MIT
//
// The registry of message kinds and what each may do: on which channel, from whom, from which
// state on, how large. A kind that is not in a session's table does not exist for it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/session/envelope.hpp"
#include "engine/session/states.hpp"

namespace wt::session {

// Values are on the wire and in traces: append only. Games take numbers from 128 on.
enum class Kind : std::uint16_t {
    hello = 1,
    welcome = 2,
    ready = 3,
    go = 4,
    refuse = 5,
    bye = 6,
    spawn_batch = 16,
    despawn_batch = 17,
    owner = 18,
    keyframe_request = 19,
    game_event = 20,
    desync_checksum = 21,
    input = 32,
    snapshot = 33,
    bulk_request = 40,
    bulk_cancel = 41,
};
inline constexpr std::uint16_t kind_max = 255;
inline constexpr std::uint16_t game_kind_min = 128;

// Kinds that a session says and hears itself; applications can send none of them.
[[nodiscard]] constexpr bool is_session_kind(Kind kind) {
    return kind <= Kind::bye || kind == Kind::bulk_cancel;
}

// Who may send a kind.
enum class Sender : std::uint8_t { client = 1, server = 2, both = 3 };

struct KindRule {
    Kind kind = Kind::game_event;
    Channel channel = Channel::control;
    Sender sender = Sender::both;
    State earliest = State::active;  // Receiver's state from which on it is allowed.
    bool ticked = false;             // Its payload has a tick that is held to age and horizon.
    bool command = false;            // Also pays from the budget of commands.
    std::uint16_t payload_min = 0;
    std::uint16_t payload_max = static_cast<std::uint16_t>(payload_bytes_max);
};

class KindTable {
public:
    // Every kind of the registry with its rule.
    [[nodiscard]] static KindTable standard();

    // Adds or replaces a kind. False, and nothing changes, above kind_max or for kind 0.
    bool set(const KindRule& rule);
    // nullptr where the kind is unknown.
    [[nodiscard]] const KindRule* find(std::uint16_t kind) const {
        if (kind > kind_max || place_[kind] == 0) return nullptr;
        return &rules_[place_[kind] - 1u];
    }

private:
    std::vector<KindRule> rules_{};
    std::array<std::uint16_t, kind_max + 1> place_{};  // 0: none.
};

}  // namespace wt::session
