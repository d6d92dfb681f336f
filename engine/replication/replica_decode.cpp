// SPDX-License-Identifier: MIT
//
// Snapshots: the whole message is read into a stage first, and only a message that is good to its
// last bit is committed.  Spec: 001, replication; transactional refusal.
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"
#include "engine/replication/replica_store.hpp"

namespace wt::replication {

namespace {

constexpr std::uint16_t mask_depth = 32;

// Neither a state nor its baseline may be from before this life: the object was perhaps of another
// kind, and the bits of such a state cannot be read.
bool is_late(std::uint32_t spawn_tick, std::uint32_t tick, unsigned age) {
    return serial_newer(spawn_tick, tick - age) && serial_newer(spawn_tick, tick) &&
           !mutated<"late-life">();
}

}  // namespace

SnapshotStatus ReplicaStore::judge_number(const SnapshotHead& head) const {
    if (!has_snapshot_) return SnapshotStatus::ok;
    if (head.number == newest_number_ && !mutated<"stale-snapshot">()) {
        return SnapshotStatus::duplicate;
    }
    if (serial_newer(head.number, newest_number_)) {
        // Ticks and numbers go up together.
        return serial_newer(newest_tick_, head.tick) ? SnapshotStatus::malformed
                                                     : SnapshotStatus::ok;
    }
    const std::uint16_t behind = serial_distance(head.number, newest_number_);
    if (behind > mask_depth) return SnapshotStatus::stale;
    if ((received_mask_ >> (behind - 1u) & 1u) != 0) return SnapshotStatus::duplicate;
    return serial_newer(head.tick, newest_tick_) ? SnapshotStatus::malformed : SnapshotStatus::ok;
}

// Whatever a snapshot brought, the next one mostly brings again, and mostly against a baseline of
// the same age; by then the cache has forgotten both: all at once they come many times sooner than
// one after the other. Inlined by force: gcc 12 takes a function that only prefetches for one
// without effect, and drops its calls.
[[gnu::always_inline]] inline void ReplicaStore::prefetch_last(std::uint32_t tick) const {
    constexpr std::size_t states_a_line = 64 / sizeof(LoggedState);
    const std::span<const LoggedState> bases = log_.rest_of(log_.at_tick(tick - base_age_));
    for (std::size_t i = 0; i < bases.size(); i += states_a_line)
        __builtin_prefetch(&bases[i]);
    constexpr std::size_t places_a_line = 64 / sizeof(std::uint16_t);
    for (std::size_t i = 0; i < index_.size(); i += places_a_line)
        __builtin_prefetch(&index_[i]);
    for (const LoggedState& one : log_.rest_of(log_.at_tick(newest_tick_))) {
        const std::uint16_t index = index_[one.slot];
        if (index != no_replica) __builtin_prefetch(&replicas_[index], 1);
    }
}

SnapshotStatus ReplicaStore::on_snapshot(ConstBytes bytes, SnapshotHead& head) {
    SnapshotHead read;
    const std::size_t at = read_head(bytes, read);
    SnapshotStatus status = at == 0 ? SnapshotStatus::malformed : judge_number(read);
    if (status == SnapshotStatus::ok) {
        prefetch_last(read.tick);
        status = stage(read, bytes.subspan(at));
    }
    if (status != SnapshotStatus::ok) {
        ++counters_.refused;
        return status;
    }
    commit(read);
    remember(read);
    ++counters_.snapshots;
    head = read;
    return SnapshotStatus::ok;
}

// Null when the client does not have it: it was lost, or is too old.
[[gnu::always_inline]] inline const State* ReplicaStore::baseline(Reading& reading,
                                                                  const Replica& replica,
                                                                  std::uint32_t slot,
                                                                  unsigned age) {
    const std::uint32_t wanted = reading.tick - age;
    if (age != reading.run_age) [[unlikely]] {
        runs_[reading.run_age] = reading.run;
        const bool is_open = (reading.opened >> age & 1u) != 0;
        reading.run = is_open ? runs_[age] : log_.at_tick(wanted);
        reading.opened |= std::uint64_t{1} << age;
        reading.run_age = age;
    }
    const State* state = StateLog::next(reading.run, slot);
    if (state != nullptr) [[likely]]
        return state;
    // Spawned with it, or it came in another message of that tick.
    return replica.tick == wanted ? &replica.state : log_.find(wanted, slot);
}

[[gnu::always_inline]] inline SnapshotStatus ReplicaStore::stage_delta(
    Reading& reading, BitSource& source, LoggedState& out, unsigned age, Action& action) {
    if (out.slot >= reading.index.size()) return SnapshotStatus::unknown;
    const std::uint16_t index = reading.index[out.slot];
    action = Action::dead;
    if (index == no_replica) [[unlikely]] {
        BitSource whole = source;
        const SnapshotStatus status = stage_vacant(out.slot, reading.tick, age, whole, out.state);
        source = whole;
        return status;
    }
    const Replica& replica = reading.replicas[index];
    static constexpr State nothing{};
    const std::uint32_t tick = reading.tick;
    const bool from_before = serial_newer(replica.spawn_tick, tick - age);
    if (is_late(replica.spawn_tick, tick, age)) return SnapshotStatus::late;
    const State* found = from_before ? nullptr : baseline(reading, replica, out.slot, age);
    const bool is_missing = found == nullptr && !mutated<"missing-base">();
    action = is_missing ? Action::miss : Action::apply;
    if (!reading.is_newest && !serial_newer(tick, replica.tick)) action = Action::old;
    const State& base = found != nullptr ? *found : nothing;
    read_delta(reading.layouts[replica.schema], base, source, out.state);
    return SnapshotStatus::ok;
}

// A delta for a slot where nothing is: of a life that has ended, or of none that was ever told.
SnapshotStatus ReplicaStore::stage_vacant(std::uint32_t slot, std::uint32_t tick, unsigned age,
                                          BitSource& source, State& out) const {
    const Vacancy& vacancy = vacancies_[slot];
    if (vacancy.schema == no_schema) return SnapshotStatus::unknown;
    if (is_late(vacancy.spawn_tick, tick, age)) return SnapshotStatus::late;
    read_delta(schemas_.layout(vacancy.schema), State{}, source, out);
    return SnapshotStatus::ok;
}

SnapshotStatus ReplicaStore::stage(const SnapshotHead& head, ConstBytes bits) {
    if (actions_.size() < head.object_count) actions_.resize(head.object_count);
    staged_ = log_.open(head.object_count, newest_state_);
    unborn_.clear();
    is_plain_ = true;
    BitSource source(bits);
    Reading reading{.tick = head.tick,
                    .is_newest = serial_newer(head.tick, newest_state_),
                    .index = index_,
                    .replicas = replicas_.data(),
                    .layouts = schemas_.layouts().data()};
    LoggedState* const staged = staged_.data();
    Action* const actions = actions_.data();
    const std::uint32_t count = head.object_count;
    bool is_plain = true;
    std::uint32_t slot = 0;
    unsigned age = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t word = static_cast<std::uint32_t>(source.peek());
        const GapCode gap = read_gap(word);
        slot += gap.bits;
        if (slot >= slots_max) return SnapshotStatus::malformed;
        word >>= gap.width;
        if ((word & 1u) != 0) {
            source.skip(gap.width + 1);
        } else {
            age = word >> 1 & ((1u << age_bits) - 1);
            source.skip(gap.width + 1 + age_bits);
        }
        staged[i].slot = static_cast<std::uint16_t>(slot);
        SnapshotStatus status = SnapshotStatus::ok;
        if (age != 0) [[likely]] {
            status = stage_delta(reading, source, staged[i], age, actions[i]);
        } else {
            // Of a copy, so that the source itself may stay in registers.
            BitSource whole = source;
            status = stage_absolute(head, whole, i);
            source = whole;
        }
        if (status != SnapshotStatus::ok) return status;
        is_plain = is_plain && actions[i] == Action::apply;
        ++slot;
    }
    is_plain_ = is_plain;
    if (source.overran()) return SnapshotStatus::malformed;
    base_age_ = age;
    // Nothing but the zeros that fill the last byte.
    const std::size_t left = bits.size() * 8 - source.bit_count();
    if (left >= 8) return SnapshotStatus::malformed;
    const bool clean = source.take(static_cast<unsigned>(left)) == 0;
    return clean ? SnapshotStatus::ok : SnapshotStatus::malformed;
}

SnapshotStatus ReplicaStore::stage_absolute(const SnapshotHead& head, BitSource& source,
                                            std::uint32_t index) {
    LoggedState& out = staged_[index];
    const std::uint64_t word = source.take(schema_bits + generation_bits);
    const std::uint8_t schema = static_cast<std::uint8_t>(word & ((1u << schema_bits) - 1));
    const std::uint8_t generation = static_cast<std::uint8_t>(word >> schema_bits);
    if (schema >= schemas_.count()) return SnapshotStatus::malformed;
    out.state = read_absolute(schemas_.layout(schema), source);
    if (!known_.has(out.slot)) {
        // Either its spawn is still on its way, or its despawn was here before.
        const bool waits = serial_newer(head.control_serial, applied_serial_);
        actions_[index] = waits ? Action::hold : Action::dead;
        if (waits) {
            unborn_.push_back({.index = static_cast<std::uint16_t>(index),
                               .schema = schema,
                               .generation = generation});
        }
        return SnapshotStatus::ok;
    }
    const Replica& replica = replica_at(out.slot);
    const bool same = (replica.generation & 0xffu) == generation && replica.schema == schema &&
                      !serial_newer(replica.spawn_tick, head.tick);
    actions_[index] = !same                                   ? Action::dead
                      : serial_newer(head.tick, replica.tick) ? Action::apply
                                                              : Action::old;
    return SnapshotStatus::ok;
}

void ReplicaStore::replace(std::uint32_t slot, std::uint32_t tick, const State& state) {
    Replica& replica = replica_at(slot);
    if (!replica.is_logged || newest_state_ - replica.tick >= StateLog::kept_ticks) [[unlikely]] {
        rested_.push_back(
            {.tick = replica.tick, .logged = {replica.state, static_cast<std::uint16_t>(slot)}});
    }
    replica.state = state;
    replica.tick = tick;
    replica.is_logged = true;
    replica.wanted = false;
}

void ReplicaStore::commit(const SnapshotHead& head) {
    if (serial_newer(head.tick, newest_state_)) newest_state_ = head.tick;
    rested_.clear();
    std::uint32_t kept = head.object_count;
    if (is_plain_) [[likely]] {
        for (std::uint32_t i = 0; i < kept; ++i)
            replace(staged_[i].slot, head.tick, staged_[i].state);
    } else {
        kept = commit_some(head);
    }
    counters_.states_applied += kept;
    log_.publish(head.tick, kept, newest_state_);
    log_rested();
}

// Those that may be applied; returns how many, which then stand first in the stage.
std::uint32_t ReplicaStore::commit_some(const SnapshotHead& head) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < head.object_count; ++i) {
        if (actions_[i] != Action::apply) {
            refuse_state(head, i);
            continue;
        }
        replace(staged_[i].slot, head.tick, staged_[i].state);
        if (kept != i) staged_[kept] = staged_[i];
        ++kept;
    }
    return kept;
}

void ReplicaStore::refuse_state(const SnapshotHead& head, std::uint32_t index) {
    switch (actions_[index]) {
        case Action::apply:
            break;
        case Action::hold:
            hold(head, index);
            break;
        case Action::miss:
            ++counters_.baseline_misses;
            want(staged_[index].slot);
            break;
        case Action::old:
            ++counters_.states_old;
            break;
        case Action::dead:
            ++counters_.states_dead;
            break;
    }
}

// What was replaced without ever having been in the log, or so long ago that it left: deltas may
// still be made against it, and whoever shows the object comes from there.
void ReplicaStore::log_rested() {
    for (std::size_t from = 0; from < rested_.size();) {
        std::size_t to = from + 1;
        while (to < rested_.size() && rested_[to].tick == rested_[from].tick &&
               rested_[to].logged.slot > rested_[to - 1].logged.slot) {
            ++to;
        }
        const std::uint32_t count = static_cast<std::uint32_t>(to - from);
        const std::span<LoggedState> room = log_.open(count, newest_state_);
        for (std::uint32_t i = 0; i < count; ++i)
            room[i] = rested_[from + i].logged;
        log_.publish(rested_[from].tick, count, newest_state_);
        from = to;
    }
    rested_.clear();
}

// Only the newest state of a slot is worth keeping until its object is there.
void ReplicaStore::hold(const SnapshotHead& head, std::uint32_t index) {
    const LoggedState& staged = staged_[index];
    const auto unborn = std::find_if(unborn_.begin(), unborn_.end(),
                                     [&](const Unborn& one) { return one.index == index; });
    WT_CHECK(unborn != unborn_.end());
    auto place = std::find_if(pre_spawn_.begin(), pre_spawn_.end(),
                              [&](const PreSpawn& one) { return one.slot == staged.slot; });
    if (place == pre_spawn_.end()) {
        if (pre_spawn_.size() >= config_.pre_spawn_max) {
            ++counters_.pre_spawn_refused;
            make_slot(staged.slot);
            vacancies_[staged.slot].missed = true;
            return;
        }
        place = pre_spawn_.emplace(pre_spawn_.end());
    } else if (!serial_newer(head.tick, place->tick)) {
        ++counters_.states_old;
        return;
    }
    ++counters_.pre_spawn_held;
    *place = {.state = staged.state,
              .slot = staged.slot,
              .schema = unborn->schema,
              .generation = unborn->generation,
              .serial = head.control_serial,
              .tick = head.tick};
}

void ReplicaStore::remember(const SnapshotHead& head) {
    if (!has_snapshot_ || serial_newer(head.number, newest_number_)) {
        const std::uint16_t ahead = serial_distance(newest_number_, head.number);
        if (!has_snapshot_ || ahead > mask_depth) {
            received_mask_ = 0;
        } else {
            // The one that was newest is one of the mask now.
            received_mask_ = ahead == mask_depth ? 0 : received_mask_ << ahead;
            received_mask_ |= 1u << (ahead - 1u);
        }
        newest_number_ = head.number;
        newest_tick_ = head.tick;
        has_snapshot_ = true;
        return;
    }
    received_mask_ |= 1u << (serial_distance(head.number, newest_number_) - 1u);
}

}  // namespace wt::replication
