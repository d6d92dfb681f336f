// SPDX-License-Identifier: MIT
//
// Every bound and deadline of a session as a parameter. What is per tick is refilled by begin_tick;
// a burst is what a peer may save up. Nothing here is global.  Spec: 001, bounded work; limits.
#pragma once

#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/session/envelope.hpp"

namespace wt::session {

// A budget that fills up again by `per_tick`, to at most `burst`.
struct Budget {
    std::uint32_t per_tick = 0;
    std::uint32_t burst = 0;
};

struct Limits {
    std::uint32_t peers_max = 64;
    // Whole messages; lowered to what the transport carries in one datagram.
    std::uint32_t message_bytes = message_bytes_max;

    // What all peers together may bring in between two ticks. Above it, lossy messages are refused.
    std::uint32_t ingress_messages_per_tick = 65'536;
    std::uint32_t ingress_bytes_per_tick = 16 * 1'024 * 1'024;
    // What one peer may bring in.
    Budget messages{.per_tick = 8, .burst = 512};
    Budget bytes{.per_tick = 8 * 1'024, .burst = 256 * 1'024};
    Budget commands{.per_tick = 4, .burst = 128};
    // Ticks around the server's own that a command may name.
    std::uint32_t command_age_max = 64;
    std::uint32_t command_horizon_max = 64;
    // Refusals no honest peer causes; one is forgiven a tick.
    std::uint32_t violations_max = 64;

    // What goes out to one peer a tick, and how much of it may be Bulk.
    std::uint32_t egress_bytes_per_tick = 32 * 1'024;
    std::uint32_t bulk_bytes_per_tick = 4 * 1'024;
    std::uint32_t bulk_record_bytes = 2 * 1'024;        // One record, header included.
    std::uint32_t bulk_transfer_bytes = 1'024 * 1'024;  // One transfer.
    std::uint32_t bulk_transfers_max = 4;               // At once, a peer and direction.
    // Reliable bytes the transport may hold unacknowledged before Control waits here, and, much
    // sooner, Bulk: so that Control never stands behind it.
    std::uint32_t reliable_bytes_in_flight = 1'024 * 1'024;
    std::uint32_t bulk_bytes_in_flight = 64 * 1'024;

    // How long a message may wait for the transport. Lossy ones are dropped then, Control ends the
    // session.
    Duration control_deadline = Duration::seconds(5);
    Duration input_deadline = Duration::millis(250);
    Duration snapshot_deadline = Duration::millis(250);
    // How long a state may last.
    Duration connecting_deadline = Duration::seconds(10);
    Duration negotiating_deadline = Duration::seconds(5);
    Duration synchronizing_deadline = Duration::seconds(30);
    Duration closing_deadline = Duration::seconds(1);

    std::uint32_t initial_sequence = 0;  // Of every channel: wrap-around in five seconds.
};

// What a client lets its server send: as much as a server's world needs.
[[nodiscard]] constexpr Limits client_limits() {
    Limits limits;
    limits.peers_max = 1;
    limits.messages = {.per_tick = 64, .burst = 4'096};
    limits.bytes = {.per_tick = 64 * 1'024, .burst = 4 * 1'024 * 1'024};
    return limits;
}

}  // namespace wt::session
