// SPDX-License-Identifier: MIT
//
// Snapshots: the whole message is read into a stage first, and only a message that is good to its
// last bit is committed.  Spec: 001, replication; transactional refusal.
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/serial.hpp"
#include "engine/replication/replica_store.hpp"

namespace wt::replication {

namespace {

constexpr std::uint16_t mask_depth = 32;

}  // namespace

SnapshotStatus ReplicaStore::judge_number(const SnapshotHead& head) const {
    if (!has_snapshot_) return SnapshotStatus::ok;
    if (head.number == newest_number_) return SnapshotStatus::duplicate;
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

// Whatever a snapshot brought, the next one mostly brings again, and by then the cache has
// forgotten it: all at once it comes many times sooner than one after the other. Inlined by force:
// gcc 12 takes a function that only prefetches for one without effect, and drops its calls.
[[gnu::always_inline]] inline void ReplicaStore::prefetch_last() const {
    for (std::size_t i = 0; i < staged_count_; ++i) {
        const Staged& last = staged_[i];
        if (last.index >= replicas_.size()) continue;
        __builtin_prefetch(&places_[last.slot]);
        __builtin_prefetch(&replicas_[last.index]);
        __builtin_prefetch(&replicas_[last.index].states[versions_kept - 1]);
    }
}

SnapshotStatus ReplicaStore::on_snapshot(ConstBytes bytes, SnapshotHead& head) {
    SnapshotHead read;
    const std::size_t at = read_head(bytes, read);
    SnapshotStatus status = at == 0 ? SnapshotStatus::malformed : judge_number(read);
    if (status == SnapshotStatus::ok) {
        prefetch_last();
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

SnapshotStatus ReplicaStore::stage(const SnapshotHead& head, ConstBytes bits) {
    if (staged_.size() < head.object_count) staged_.resize(head.object_count);
    BitSource source(bits);
    std::uint32_t slot = 0;
    unsigned age = 0;
    unsigned back = 0;  // Where the object before had its baseline: mostly the next one's place.
    for (std::uint32_t i = 0; i < head.object_count; ++i) {
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
        Staged& staged = staged_[i];
        staged.slot = static_cast<std::uint16_t>(slot);
        const SnapshotStatus status = age == 0 ? stage_absolute(head, source, staged)
                                               : stage_delta(head, source, age, back, staged);
        if (status != SnapshotStatus::ok) return status;
        ++slot;
    }
    staged_count_ = head.object_count;
    if (source.overran()) return SnapshotStatus::malformed;
    // Nothing but the zeros that fill the last byte.
    const std::size_t left = bits.size() * 8 - source.bit_count();
    if (left >= 8) return SnapshotStatus::malformed;
    const bool clean = source.take(static_cast<unsigned>(left)) == 0;
    return clean ? SnapshotStatus::ok : SnapshotStatus::malformed;
}

SnapshotStatus ReplicaStore::stage_absolute(const SnapshotHead& head, BitSource& source,
                                            Staged& out) const {
    const std::uint64_t word = source.take(schema_bits + generation_bits);
    out.schema = static_cast<std::uint8_t>(word & ((1u << schema_bits) - 1));
    out.generation = static_cast<std::uint8_t>(word >> schema_bits);
    if (out.schema >= schemas_.count()) return SnapshotStatus::malformed;
    out.state = read_absolute(schemas_.layout(out.schema), source);
    out.index = no_replica;
    if (!known_.has(out.slot)) {
        // Either its spawn is still on its way, or its despawn was here before.
        out.action =
            serial_newer(head.control_serial, applied_serial_) ? Action::hold : Action::dead;
        return SnapshotStatus::ok;
    }
    const Place& place = places_[out.slot];
    const Replica& replica = replicas_[place.index];
    out.index = place.index;
    const bool same = (replica.generation & 0xffu) == out.generation &&
                      replica.schema == out.schema && !serial_newer(place.spawn_tick, head.tick);
    out.action = !same                                        ? Action::dead
                 : serial_newer(head.tick, place.newest_tick) ? Action::apply
                                                              : Action::old;
    return SnapshotStatus::ok;
}

SnapshotStatus ReplicaStore::stage_delta(const SnapshotHead& head, BitSource& source, unsigned age,
                                         unsigned& back, Staged& out) const {
    if (out.slot >= places_.size()) return SnapshotStatus::unknown;
    const Place& place = places_[out.slot];
    if (place.schema == no_schema) return SnapshotStatus::unknown;
    // From before this life: the object was perhaps of another kind, and its bits cannot be read.
    if (serial_newer(place.spawn_tick, head.tick)) return SnapshotStatus::late;
    static constexpr State nothing{};
    const State* base = &nothing;
    out.action = Action::dead;
    out.index = place.index;
    if (place.index != no_replica) {
        const Replica& replica = replicas_[place.index];
        const std::uint16_t wanted = static_cast<std::uint16_t>(head.tick - age);
        const bool is_old = !serial_newer(head.tick, place.newest_tick);
        out.action = is_old ? Action::old : Action::miss;
        if (back >= replica.count || replica.ticks[replica.place(back)] != wanted) {
            for (back = 0; back < replica.count; ++back)
                if (replica.ticks[replica.place(back)] == wanted) break;
        }
        if (back < replica.count) {
            base = &replica.states[replica.place(back)];
            if (!is_old) out.action = Action::apply;
        }
    }
    read_delta(schemas_.layout(place.schema), *base, source, out.state);
    return SnapshotStatus::ok;
}

void ReplicaStore::commit(const SnapshotHead& head) {
    for (std::size_t i = 0; i < staged_count_; ++i) {
        const Staged& staged = staged_[i];
        switch (staged.action) {
            case Action::apply:
                push_version(staged.slot, head.tick, staged.state);
                ++counters_.states_applied;
                break;
            case Action::hold:
                hold(head, staged);
                break;
            case Action::miss:
                ++counters_.baseline_misses;
                want(staged.slot);
                break;
            case Action::old:
                ++counters_.states_old;
                break;
            case Action::dead:
                ++counters_.states_dead;
                break;
        }
    }
}

// Only the newest state of a slot is worth keeping until its object is there.
void ReplicaStore::hold(const SnapshotHead& head, const Staged& staged) {
    auto place = std::find_if(pre_spawn_.begin(), pre_spawn_.end(),
                              [&](const PreSpawn& one) { return one.slot == staged.slot; });
    if (place == pre_spawn_.end()) {
        if (pre_spawn_.size() >= config_.pre_spawn_max) {
            ++counters_.pre_spawn_refused;
            if (staged.slot >= places_.size()) places_.resize(staged.slot + 1u);
            places_[staged.slot].missed = true;
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
              .schema = staged.schema,
              .generation = staged.generation,
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
