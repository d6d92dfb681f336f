// SPDX-License-Identifier: MIT
//
// A client's copy of the objects that the server told it of. Every message is judged whole before
// anything changes. Only a spawn makes an object and only a despawn ends it; a snapshot can do
// neither, however late it comes.
// Spec: 001, replication (late packets cannot resurrect a recycled id; bounded pre-spawn data).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/replication/peer_replication.hpp"
#include "engine/replication/slot_set.hpp"
#include "engine/replication/wire.hpp"

namespace wt::replication {

struct StoreConfig {
    std::uint32_t objects_max = 4'096;
    std::uint32_t pre_spawn_max = 256;          // States that came before their object, one a slot.
    std::uint32_t request_interval_ticks = 15;  // Between two keyframe requests.
};

// One object's newest versions, newest first by `back`: two cache lines.
struct alignas(64) Replica {
    std::array<State, versions_kept> states{};
    std::array<std::uint16_t, versions_kept> ticks{};  // Low bits.
    std::uint16_t generation = 0;
    PlayerSlot owner = no_owner;
    std::uint8_t schema = no_schema;
    std::uint8_t newest = 0;  // Index of the newest version.
    std::uint8_t count = 0;
    std::uint8_t spare = 0;

    [[nodiscard]] std::uint8_t place(unsigned back) const {
        return static_cast<std::uint8_t>(back <= newest ? newest - back
                                                        : newest + versions_kept - back);
    }
    [[nodiscard]] const State& state() const { return states[newest]; }
};
static_assert(sizeof(Replica) == 128);

struct ReplicaView {
    ObjectId id{};
    std::uint16_t kind = 0;
    PlayerSlot owner = no_owner;
    std::uint32_t tick = 0;  // Of the newest version.
    const Replica* versions = nullptr;

    // Tick of an older version, back < versions->count. Meant for those of the last minutes: it
    // counts 65,536 ticks as none.
    [[nodiscard]] std::uint32_t tick_at(unsigned back) const {
        const std::uint16_t newest = versions->ticks[versions->newest];
        const std::uint16_t then = versions->ticks[versions->place(back)];
        return tick - static_cast<std::uint16_t>(newest - then);
    }
    [[nodiscard]] const State& state_at(unsigned back) const {
        return versions->states[versions->place(back)];
    }
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

class ReplicaStore {
public:
    // `schemas` must outlive the store.
    explicit ReplicaStore(const SchemaSet& schemas, const StoreConfig& config = {});

    // A new epoch: nothing is known, nothing was received.
    void reset();

    ControlStatus on_control(ControlKind kind, ConstBytes bytes);
    // On ok `head` is filled; its app block is a view into `bytes`. Otherwise nothing changed.
    SnapshotStatus on_snapshot(ConstBytes bytes, SnapshotHead& head);

    // What to tell the server, with every input.
    [[nodiscard]] SnapshotAck ack() const;
    // Bytes of a request that is due at `now` (any clock in ticks that goes up); 0 when none is.
    // Asked again until a state of the object arrives.
    [[nodiscard]] std::size_t next_keyframe_request(std::uint64_t now, MutableBytes target);

    [[nodiscard]] std::uint32_t count() const { return count_; }
    [[nodiscard]] bool find(ObjectId id, ReplicaView& out) const;
    [[nodiscard]] bool find_slot(std::uint32_t slot, ReplicaView& out) const;
    // visit(const ReplicaView&), slots upwards. Views hold until the next message.
    template <class Visit>
    void visit(Visit&& visit_one) const {
        known_.visit([&](std::uint32_t slot) { visit_one(view_of(slot)); });
    }
    [[nodiscard]] bool has_snapshot() const { return has_snapshot_; }
    [[nodiscard]] std::uint32_t newest_tick() const { return newest_tick_; }
    [[nodiscard]] std::uint16_t applied_serial() const { return applied_serial_; }
    // Of ids, kinds, owners and newest states, in slot order.
    [[nodiscard]] std::uint64_t checksum() const;
    [[nodiscard]] const StoreCounters& counters() const { return counters_; }
    [[nodiscard]] std::size_t pre_spawn_count() const { return pre_spawn_.size(); }
    [[nodiscard]] std::size_t memory() const;

private:
    static constexpr std::uint16_t no_replica = 0xffff;
    struct Place {
        std::uint16_t index = no_replica;
        std::uint8_t schema = no_schema;  // Of the newest life, also after its end.
        bool missed : 1 = false;          // A pre-spawn state was refused.
        bool wanted : 1 = false;          // A keyframe of it is to be asked for.
        std::uint32_t spawn_tick = 0;
        std::uint32_t newest_tick = 0;
    };
    static_assert(sizeof(Place) == 12);
    enum class Action : std::uint8_t { apply, hold, miss, old, dead };
    struct Staged {
        State state;
        std::uint16_t slot;
        std::uint16_t index;  // Of its replica.
        Action action;
        std::uint8_t schema;      // Of a state to hold,
        std::uint8_t generation;  // likewise.
    };
    struct PreSpawn {
        State state{};
        std::uint16_t slot = 0;
        std::uint8_t schema = no_schema;
        std::uint8_t generation = 0;
        std::uint16_t serial = 0;  // The spawn is in a control message up to this one.
        std::uint32_t tick = 0;
    };

    [[nodiscard]] ReplicaView view_of(std::uint32_t slot) const;
    [[nodiscard]] SnapshotStatus judge_number(const SnapshotHead& head) const;
    [[nodiscard]] SnapshotStatus stage(const SnapshotHead& head, ConstBytes bits);
    [[nodiscard]] SnapshotStatus stage_absolute(const SnapshotHead& head, BitSource& source,
                                                Staged& out) const;
    [[nodiscard]] SnapshotStatus stage_delta(const SnapshotHead& head, BitSource& source,
                                             unsigned age, unsigned& back, Staged& out) const;
    void prefetch_last() const;
    void commit(const SnapshotHead& head);
    void remember(const SnapshotHead& head);
    void push_version(std::uint32_t slot, std::uint32_t tick, const State& state);
    void hold(const SnapshotHead& head, const Staged& staged);
    void want(std::uint32_t slot);
    void spawn(const SpawnRecord& record, std::uint32_t tick);
    void take_held(std::uint32_t slot, std::uint16_t generation);
    void drop(std::uint32_t slot);
    [[nodiscard]] ControlStatus judge_records(ControlKind kind, ConstBytes bytes,
                                              const ControlHead& head) const;

    const SchemaSet& schemas_;
    StoreConfig config_;
    std::vector<Place> places_{};  // By slot.
    std::vector<Replica> replicas_{};
    std::vector<std::uint16_t> free_{};
    SlotSet known_{slots_max};
    std::uint32_t count_ = 0;
    std::vector<Staged> staged_{};
    std::size_t staged_count_ = 0;  // Of the last good snapshot.
    std::vector<PreSpawn> pre_spawn_{};
    std::vector<std::uint16_t> wanted_{};
    std::uint64_t requested_at_ = 0;
    bool has_requested_ = false;
    bool has_snapshot_ = false;
    std::uint16_t newest_number_ = 0;
    std::uint32_t received_mask_ = 0;
    std::uint32_t newest_tick_ = 0;
    std::uint16_t applied_serial_ = 0;
    StoreCounters counters_{};
};

}  // namespace wt::replication
