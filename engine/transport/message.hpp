// SPDX-License-Identifier: MIT
//
// What an application hands to Send, what the answers are, and why connections end.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/bytes.hpp"
#include "engine/base/ids.hpp"
#include "engine/transport/label.hpp"

namespace wt::transport {

// A connection of one endpoint. Belongs to the connection, never to the player on it.
using ConnectionId = Handle<struct ConnectionTag>;

// The admitted player, as the join authority named it.
struct PlayerId {
    std::uint64_t value = 0;
    friend auto operator<=>(const PlayerId&, const PlayerId&) = default;
};

struct Message {
    Lane lane = Lane::control;
    Delivery delivery = Delivery::reliable_ordered;
    ConstBytes bytes{};  // Copied by Send; the caller's again afterwards.
    // Latest-value: replaces the unsent value of the same tag on this lane (reliable only).
    std::optional<std::uint32_t> replace_tag{};
    // Side information for labels and traces only.
    Kind kind = Kind::data;
    std::uint32_t tick = 0;
};

enum class SendStatus : std::uint8_t {
    ok,
    replaced,       // Ok, and an older unsent value of the tag is gone.
    backlogged,     // A bounded queue is full; nothing changed, try again later.
    too_large,      // More than this lane and mode can carry; nothing changed.
    not_connected,  // No such connection, or it is not established or is closing.
    unsupported,    // This transport has no such lane or mode.
};

enum class CloseReason : std::uint8_t {
    none,
    application,         // This side asked for it.
    remote,              // The other side said so, with no better reason.
    timed_out,           // Nothing authentic for the timeout.
    backlogged,          // Over 8 MiB unacknowledged, or 16,384 ids outstanding on a lane.
    violations,          // The 64th protocol violation.
    counters_exhausted,  // A nonce could have repeated.
    record_lost,         // A complete record could no longer be opened.
    superseded,          // The same client joined anew.
    refused_version,
    refused_capabilities,
    refused_authorisation,
    refused_full,
    missing_capability,     // The client will not go on without one the server lacks.
    unsupported_tick_rate,  // The client cannot follow the server's rate.
    bad_accept_proof,
    no_answer,  // The connection attempt ran out of time.
    server_shutdown,
};
inline constexpr unsigned close_reason_count = 18;

// Stable lower-case words, for reports and errors.
[[nodiscard]] const char* name_of(CloseReason reason);
[[nodiscard]] const char* name_of(SendStatus status);
[[nodiscard]] const char* name_of(Kind kind);
[[nodiscard]] const char* name_of(Lane lane);

}  // namespace wt::transport
