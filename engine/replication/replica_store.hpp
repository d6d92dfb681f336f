// SPDX-License-Identifier: MIT
//
// A client's copy of the objects that the server told it of. Every message is judged whole before
// anything changes. Only a spawn makes an object and only a despawn ends it; a snapshot can do
// neither, however late it comes.
// Spec: 001, replication (late packets cannot resurrect a recycled id; bounded pre-spawn data).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/replication/peer_replication.hpp"
#include "engine/replication/slot_set.hpp"
#include "engine/replication/state_log.hpp"
#include "engine/replication/wire.hpp"

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
    // The state before the one of `tick`, of the same life; `at` is its tick. Null when there is
    // none, or it was replaced longer ago than StateLog keeps.
    [[nodiscard]] const State* state_before(std::uint32_t slot, std::uint32_t tick,
                                            std::uint32_t& at) const {
        return log_.find_before(tick, spawn_tick_of(slot), slot, at);
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
    // An object that is here. Two fill a cache line and none lies in two: what a snapshot touches
    // of an object is one line and two bytes of index_.
    struct alignas(32) Replica {
        State state{};
        std::uint16_t generation = 0;
        std::uint32_t tick = 0;  // Of the state.
        std::uint32_t spawn_tick = 0;
        PlayerSlot owner = no_owner;
        std::uint8_t schema = no_schema;
        bool is_logged = false;  // The state is in the log, unless that was too long ago.
        bool wanted = false;     // A keyframe of it is to be asked for.
    };
    static_assert(sizeof(Replica) == 32);
    // What is remembered of a slot without one.
    struct Vacancy {
        std::uint32_t spawn_tick = 0;     // Of its last life,
        std::uint8_t schema = no_schema;  // and of what kind that was.
        bool missed = false;              // A pre-spawn state was refused.
    };
    static_assert(sizeof(Vacancy) == 8);
    enum class Action : std::uint8_t { apply, hold, miss, old, dead };
    // Of an absolute state whose object is not there yet.
    struct Unborn {
        std::uint16_t index = 0;  // In the snapshot.
        std::uint8_t schema = no_schema;
        std::uint8_t generation = 0;
    };
    // What stage() keeps in mind from object to object. It stays in registers as long as nobody
    // takes its address: what is called with it is inlined by force.
    struct Reading {
        std::uint32_t tick = 0;
        bool is_newest = false;  // No object has a state as new as these.
        std::span<const std::uint16_t> index{};
        const Replica* replicas = nullptr;
        const Layout* layouts = nullptr;
        StateLog::Cursor run{};    // Of the baselines of this age,
        unsigned run_age = 0;      // 0 = none yet;
        std::uint64_t opened = 0;  // and the ages whose runs stand in runs_.
    };
    // A state that rested outside of the log until it was replaced.
    struct Rested {
        std::uint32_t tick = 0;
        LoggedState logged{};
    };
    struct PreSpawn {
        State state{};
        std::uint16_t slot = 0;
        std::uint8_t schema = no_schema;
        std::uint8_t generation = 0;
        std::uint16_t serial = 0;  // The spawn is in a control message up to this one.
        std::uint32_t tick = 0;
    };

    [[nodiscard]] Replica& replica_at(std::uint32_t slot) { return replicas_[index_[slot]]; }
    [[nodiscard]] const Replica& replica_at(std::uint32_t slot) const {
        return replicas_[index_[slot]];
    }
    [[nodiscard]] std::uint32_t spawn_tick_of(std::uint32_t slot) const {
        const bool is_here = index_[slot] != no_replica;
        return is_here ? replica_at(slot).spawn_tick : vacancies_[slot].spawn_tick;
    }
    void make_slot(std::uint32_t slot);
    [[nodiscard]] ReplicaView view_of(std::uint32_t slot) const;
    [[nodiscard]] SnapshotStatus judge_number(const SnapshotHead& head) const;
    [[nodiscard]] SnapshotStatus stage(const SnapshotHead& head, ConstBytes bits);
    [[nodiscard]] SnapshotStatus stage_absolute(const SnapshotHead& head, BitSource& source,
                                                std::uint32_t index);
    [[nodiscard]] SnapshotStatus stage_delta(Reading& reading, BitSource& source, LoggedState& out,
                                             unsigned age, Action& action);
    [[nodiscard]] const State* baseline(Reading& reading, const Replica& replica,
                                        std::uint32_t slot, unsigned age);
    [[nodiscard]] SnapshotStatus stage_vacant(std::uint32_t slot, std::uint32_t tick, unsigned age,
                                              BitSource& source, State& out) const;
    void prefetch_last(std::uint32_t tick) const;
    void commit(const SnapshotHead& head);
    std::uint32_t commit_some(const SnapshotHead& head);
    void refuse_state(const SnapshotHead& head, std::uint32_t index);
    void log_rested();
    void remember(const SnapshotHead& head);
    void replace(std::uint32_t slot, std::uint32_t tick, const State& state);
    void hold(const SnapshotHead& head, std::uint32_t index);
    void want(std::uint32_t slot);
    void spawn(const SpawnRecord& record, std::uint32_t tick);
    void take_held(std::uint32_t slot, std::uint16_t generation);
    void drop(std::uint32_t slot);
    [[nodiscard]] ControlStatus judge_records(ControlKind kind, ConstBytes bytes,
                                              const ControlHead& head) const;

    const SchemaSet& schemas_;
    StoreConfig config_;
    std::vector<std::uint16_t> index_{};  // Of each slot's replica.
    std::vector<Vacancy> vacancies_{};    // By slot, as index_.
    std::vector<Replica> replicas_{};
    std::vector<std::uint16_t> free_{};
    SlotSet known_{slots_max};
    std::uint32_t count_ = 0;
    StateLog log_{};
    // Of the snapshot that is being read: its states, in room of the log, and what to do with each.
    std::span<LoggedState> staged_{};
    std::vector<Action> actions_{};
    bool is_plain_ = false;  // All of them are `apply`.
    std::array<StateLog::Cursor, ObjectTable::history_ticks>
        runs_{};  // Reading::opened says which.
    std::vector<Unborn> unborn_{};
    std::vector<Rested> rested_{};  // By it.
    std::vector<PreSpawn> pre_spawn_{};
    std::vector<std::uint16_t> wanted_{};
    std::uint64_t requested_at_ = 0;
    bool has_requested_ = false;
    bool has_snapshot_ = false;
    std::uint16_t newest_number_ = 0;
    std::uint32_t received_mask_ = 0;
    std::uint32_t newest_tick_ = 0;   // Of a snapshot.
    std::uint32_t newest_state_ = 0;  // Tick of the newest state of any object.
    std::uint32_t base_age_ = 0;      // Baseline age of the last snapshot's last delta: a hint.
    std::uint16_t applied_serial_ = 0;
    StoreCounters counters_{};
};

}  // namespace wt::replication
