// SPDX-License-Identifier: MIT
//
// What goes into and comes out of PeerReplication: its configuration, what to encode, what came of
// it, counters.
#pragma once

#include <cstdint>

#include "engine/replication/wire.hpp"

namespace wt::replication {

// A baseline with as many newer versions of its object behind it is not used any more: if none of
// them arrived the client has waited for half a second, and an absolute state is due.
inline constexpr unsigned versions_kept = 10;

// Whose coverage a snapshot's result tells.
inline constexpr std::size_t near_count = 16;

struct PeerConfig {
    PlayerSlot player = no_owner;
    std::uint8_t team = 0;
    bool everything = true;         // The whole map is near; else radius_cells decides.
    std::uint8_t radius_cells = 2;  // Leaves one cell later than it enters.
    std::uint8_t nearest_count = 20;
    std::uint8_t control_messages_per_tick = 4;
    std::uint8_t request_burst = 4;            // Keyframe requests at once,
    std::uint16_t request_interval_ticks = 6;  // and one more each so many ticks.
};

// Where the client looks from, in the units of the position fields.
struct Viewpoint {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
};

struct ControlMessage {
    ControlKind kind = ControlKind::spawn;
    std::size_t bytes = 0;
    std::uint16_t serial = 0;
    std::uint32_t count = 0;
};

struct EncodeRequest {
    ConstBytes app_block{};
    std::uint8_t batch = 0;
    std::uint8_t batch_limit = 1;
    bool counts_near = true;  // Whether anybody will look at EncodeResult::near_*.
};

struct EncodeResult {
    std::size_t bytes = 0;  // 0: no room for the head; nothing changed.
    std::uint16_t number = 0;
    std::uint32_t objects = 0;
    std::uint32_t absolutes = 0;
    std::uint32_t object_bits = 0;    // All of them, slot and age included.
    std::uint32_t visited = 0;        // Objects looked at.
    std::uint32_t left = 0;           // Wait for the next batch or snapshot.
    std::uint32_t stalest_ticks = 0;  // The oldest change among those left.
    std::uint32_t near_waiting = 0;   // Of the near_count nearest: had something to say,
    std::uint32_t near_objects = 0;   // and are in it.
};

enum class AckStatus : std::uint8_t { ok, from_future };
enum class RequestStatus : std::uint8_t { ok, malformed, too_often };

struct PeerCounters {
    std::uint64_t spawns = 0;
    std::uint64_t despawns = 0;
    std::uint64_t acks_refused = 0;
    std::uint64_t versions_lost = 0;  // Newest versions judged lost: they were sent again.
    std::uint64_t requests = 0;
    std::uint64_t requests_refused = 0;  // Malformed or too often.
    std::uint64_t ids_coalesced = 0;     // Asked for again while still waiting,
    std::uint64_t ids_ignored = 0;       // or not this peer's.
};

// Breaks one rule on purpose, so that tests can show that somebody would notice.
enum class PeerFault : std::uint8_t {
    none,
    assume_delivered,  // Baselines move when a version is put, not when it is acknowledged.
    ignore_losses,     // A lost version is not sent again.
    ignore_requests,   // Keyframe requests do nothing.
    never_wait,        // Waiting earns no priority.
    reuse_at_once,     // A despawn counts as confirmed when it is sent.
};

}  // namespace wt::replication
