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
#include "engine/replication/store_types.hpp"
#include "engine/replication/wire.hpp"

namespace wt::replication {

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
    // Whether a request may be due.
    [[nodiscard]] bool wants_keyframes() const { return !wanted_.empty(); }
    // Bytes of a request that is due at `now` (any clock in ticks that goes up); 0 when none is.
    // Asked again until a state of the object arrives.
    [[nodiscard]] std::size_t next_keyframe_request(std::uint64_t now, MutableBytes target);

    [[nodiscard]] std::uint32_t count() const { return count_; }
    [[nodiscard]] bool find(ObjectId id, ReplicaView& out) const;
    [[nodiscard]] bool find_slot(std::uint32_t slot, ReplicaView& out) const;
    // visit(const ReplicaView&), slots upwards. Views hold until the next message.
    template <class Visit>
    void visit(Visit&& visit_one) const {
        Walk walk;
        known_.visit([&](std::uint32_t slot) { visit_one(view_of(slot, walk)); });
    }
    // The state before the one of `tick`, of the same life; `at` is its tick. Null when there is
    // none, or it was replaced longer ago than StateLog keeps.
    [[nodiscard]] const State* state_before(std::uint32_t slot, std::uint32_t tick,
                                            std::uint32_t& at) const;
    [[nodiscard]] bool has_snapshot() const { return has_snapshot_; }
    [[nodiscard]] std::uint32_t newest_tick() const { return newest_tick_; }
    [[nodiscard]] std::uint16_t applied_serial() const { return applied_serial_; }
    // Of ids, kinds, owners and newest states, in slot order.
    [[nodiscard]] std::uint64_t checksum() const;
    [[nodiscard]] const StoreCounters& counters() const { return counters_; }
    [[nodiscard]] std::size_t pre_spawn_count() const { return pre_spawn_.size(); }
    [[nodiscard]] std::size_t memory() const;

private:
    // An object that is here. Its state is the newest one, unless its Place says that the log has a
    // newer one: then it is the one that was replaced at `moved`.
    struct Replica {
        State state{};
        std::uint16_t generation = 0;
        std::uint32_t tick = 0;  // Of the state.
        std::uint32_t spawn_tick = 0;
        std::uint32_t moved = 0;
        PlayerSlot owner = no_owner;
        std::uint8_t schema = no_schema;
        bool wanted = false;  // A keyframe of it is to be asked for.
    };
    static_assert(sizeof(Replica) == 28);
    // What a snapshot has to know of a slot: the schema of the object here, if that is all.
    struct Kind {
        static constexpr std::uint8_t schema = 0x0f;
        static constexpr std::uint8_t missed = 0x10;  // No object, and a pre-spawn state refused.
        static constexpr std::uint8_t young = 0x20;   // Spawned less than a baseline's age ago.
        static constexpr std::uint8_t gone = 0x40;    // The schema is its last life's.
        static constexpr std::uint8_t never = 0x80;
    };
    static_assert(schemas_max <= Kind::schema + 1);
    // A slot's replica, and the run of the log with its newest state, if there is one. Of an object
    // that is gone, when its life began.
    struct Place {
        static constexpr std::uint32_t index = 0x3fff;
        static constexpr std::uint32_t in_log = 0x8000;
        static constexpr unsigned run_shift = 16;
    };
    static_assert(slots_max <= Place::index + 1);
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
        unsigned age = 0;        // Of the baselines; 0: absolute.
        StateLog::Cursor run{};  // Of that age.
    };
    // A state that was replaced before any snapshot.
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

    [[nodiscard]] Replica& replica_at(std::uint32_t slot) {
        return replicas_[places_[slot] & Place::index];
    }
    [[nodiscard]] const Replica& replica_at(std::uint32_t slot) const {
        return replicas_[places_[slot] & Place::index];
    }
    [[nodiscard]] bool is_logged(std::uint32_t slot) const {
        return (places_[slot] & Place::in_log) != 0;
    }
    [[nodiscard]] bool is_here(std::uint32_t slot) const {
        return slot < kinds_.size() && kinds_[slot] < Kind::gone;
    }
    [[nodiscard]] std::uint32_t spawn_tick_of(std::uint32_t slot) const {
        return is_here(slot) ? replica_at(slot).spawn_tick : places_[slot];
    }
    struct Newest {
        const State* state = nullptr;
        std::uint32_t tick = 0;
    };
    // Where looking for newest states stands: the next one is mostly in the same run.
    struct Walk {
        StateLog::Cursor run{};
        std::uint32_t place = 0;  // Without an index.
        std::uint32_t tick = 0;
    };
    [[nodiscard]] Newest newest_of(std::uint32_t slot, Walk& walk) const;
    void make_slot(std::uint32_t slot);
    [[nodiscard]] ReplicaView view_of(std::uint32_t slot, Walk& walk) const;
    [[nodiscard]] SnapshotStatus judge_number(const SnapshotHead& head) const;
    [[nodiscard]] SnapshotStatus stage(const SnapshotHead& head, ConstBytes bits);
    [[nodiscard]] SnapshotStatus stage_one(const SnapshotHead& head, Reading& reading,
                                           BitSource& source, std::uint32_t index);
    [[nodiscard]] SnapshotStatus stage_absolute(const SnapshotHead& head, BitSource& source,
                                                std::uint32_t index);
    [[nodiscard]] SnapshotStatus stage_delta(Reading& reading, BitSource& source,
                                             std::uint32_t index);
    [[nodiscard]] std::uint32_t read_far_place(Reading& reading, BitSource& source);
    void begin_age(Reading& reading, unsigned age);
    [[nodiscard]] const State* baseline(Reading& reading, const Replica& replica,
                                        std::uint32_t slot) const;
    [[nodiscard]] SnapshotStatus stage_gone(std::uint32_t slot, const Reading& reading,
                                            BitSource& source, State& out) const;
    void prefetch_last(std::uint32_t tick) const;
    void grow_up();
    void leave_log(const StateLog::Leaving& run);
    void commit(const SnapshotHead& head);
    std::uint32_t commit_some(const SnapshotHead& head);
    void refuse_state(const SnapshotHead& head, std::uint32_t index);
    void log_rested();
    void remember(const SnapshotHead& head);
    void found_wanted(std::uint32_t count);
    void hold(const SnapshotHead& head, std::uint32_t index);
    void want(std::uint32_t slot);
    void spawn(const SpawnRecord& record, std::uint32_t tick);
    void take_held(std::uint32_t slot, std::uint16_t generation);
    void drop(std::uint32_t slot);
    [[nodiscard]] ControlStatus judge_records(ControlKind kind, ConstBytes bytes,
                                              const ControlHead& head) const;

    const SchemaSet& schemas_;
    StoreConfig config_;
    std::vector<std::uint8_t> kinds_{};    // By slot,
    std::vector<std::uint32_t> places_{};  // likewise.
    std::vector<Replica> replicas_{};
    std::vector<std::uint16_t> free_{};
    SlotSet known_{};  // Those with an object.
    std::uint32_t count_ = 0;
    StateLog log_{};
    // Of the snapshot that is being read: its states, in room of the log, and what to do with each.
    std::span<LoggedState> staged_{};
    std::vector<Action> actions_{};
    bool is_plain_ = false;  // All of them are `apply`.
    // Where reading the runs of other ages stands, and of which ages they are known.
    std::array<StateLog::Cursor, ObjectTable::history_ticks> runs_{};
    std::uint64_t opened_ = 0;
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
    std::uint32_t grown_up_ = 0;      // Tick at which the young were looked through.
    std::uint32_t base_age_ = 0;      // Baseline age of the last snapshot's last delta: a hint.
    std::uint16_t applied_serial_ = 0;
    StoreCounters counters_{};
};

}  // namespace wt::replication
