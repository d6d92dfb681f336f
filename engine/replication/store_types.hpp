// SPDX-License-Identifier: MIT
//
// What goes into and comes out of ReplicaStore: its configuration, how an object is seen, what
// became of a message, counters.
#pragma once

#include <cstdint>

#include "engine/replication/schema.hpp"

namespace wt::replication {

struct StoreConfig {
    std::uint32_t objects_max = 4'096;
    std::uint32_t pre_spawn_max = 256;          // States that came before their object, one a slot.
    std::uint32_t request_interval_ticks = 15;  // Between two keyframe requests.
    // Room for so much is taken with the first one, so that nobody needs more later, in the middle
    // of a run.
    std::uint32_t snapshots_expected = 0;  // In StateLog::kept_ticks,
    std::uint32_t states_expected = 0;     // and states in each.
};

struct ReplicaView {
    ObjectId id{};
    std::uint16_t kind = 0;
    PlayerSlot owner = no_owner;
    std::uint8_t schema = no_schema;
    std::uint32_t tick = 0;        // Of the newest state,
    const State* state = nullptr;  // which this is.
};

enum class ControlStatus : std::uint8_t {
    ok,
    malformed,     // Layout, slot, kind or state that cannot be.
    duplicate,     // Applied before.
    out_of_order,  // One before it is missing: the lane broke its promise.
    full,          // More objects than objects_max.
};
enum class SnapshotStatus : std::uint8_t {
    ok,
    malformed,
    duplicate,
    stale,    // Older than the mask remembers.
    late,     // About a slot's former life, whose kind nobody remembers.
    unknown,  // A delta for a slot that was never spawned.
};

struct StoreCounters {
    std::uint64_t snapshots = 0;
    std::uint64_t states_applied = 0;
    std::uint64_t states_old = 0;   // A newer one was there.
    std::uint64_t states_dead = 0;  // Of an object that is gone.
    std::uint64_t baseline_misses = 0;
    std::uint64_t pre_spawn_held = 0;
    std::uint64_t pre_spawn_refused = 0;  // No room: a keyframe is asked for at the spawn.
    std::uint64_t despawns_unknown = 0;
    std::uint64_t spawns_repeated = 0;
    std::uint64_t keyframe_requests = 0;
    std::uint64_t refused = 0;  // Snapshots and control messages that changed nothing.
};

}  // namespace wt::replication
