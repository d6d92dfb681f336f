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

// Nothing but the zeros that fill the last byte.
bool ends_clean(BitSource& source, std::size_t bits) {
    if (source.overran()) return false;
    const std::size_t left = bits - source.bit_count();
    return left < 8 && source.take(static_cast<unsigned>(left)) == 0;
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

// A snapshot is mostly made against the same tick as the one before, and says something of the same
// objects; by then the cache has forgotten them: all at once they come many times sooner than one
// after the other. Inlined by force: gcc 12 takes a function that only prefetches for one without
// effect, and drops its calls.
[[gnu::always_inline]] inline void ReplicaStore::prefetch_last(std::uint32_t tick) const {
    constexpr std::size_t line = 64;
    const std::span<const LoggedState> bases = log_.rest_of(log_.at_tick(tick - base_age_));
    for (std::size_t i = 0; i < bases.size(); i += line / sizeof(LoggedState))
        __builtin_prefetch(&bases[i]);
    for (std::size_t i = 0; i < kinds_.size(); i += line)
        __builtin_prefetch(&kinds_[i]);
    for (std::size_t i = 0; i < places_.size(); i += line / sizeof(places_[0]))
        __builtin_prefetch(&places_[i], 1);
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

void ReplicaStore::begin_age(Reading& reading, unsigned age) {
    runs_[reading.age] = reading.run;
    const bool is_open = (opened_ >> age & 1u) != 0;
    reading.run = age == 0  ? StateLog::Cursor{}
                  : is_open ? runs_[age]
                            : log_.at_tick(reading.tick - age);
    opened_ |= std::uint64_t{1} << age;
    reading.age = age;
}

// Null when the client does not have it: it was lost, or is too old.
const State* ReplicaStore::baseline(Reading& reading, const Replica& replica,
                                    std::uint32_t slot) const {
    const State* const state = StateLog::next(reading.run, slot);
    if (state != nullptr) return state;
    // Spawned with it, or it came in another message of that tick.
    const std::uint32_t wanted = reading.tick - reading.age;
    return replica.tick == wanted ? &replica.state : log_.find(wanted, slot);
}

SnapshotStatus ReplicaStore::stage_delta(Reading& reading, BitSource& source, std::uint32_t index) {
    LoggedState& out = staged_[index];
    Action& action = actions_[index];
    const std::uint32_t slot = out.slot;
    if (slot >= kinds_.size()) return SnapshotStatus::unknown;
    if (kinds_[slot] >= Kind::gone) {
        action = Action::dead;
        return stage_gone(slot, reading, source, out.state);
    }
    const Replica& replica = replica_at(slot);
    static constexpr State nothing{};
    Walk walk;
    const std::uint32_t tick = reading.tick;
    const bool from_before = serial_newer(replica.spawn_tick, tick - reading.age);
    if (is_late(replica.spawn_tick, tick, reading.age)) return SnapshotStatus::late;
    const State* found = from_before ? nullptr : baseline(reading, replica, slot);
    const bool is_missing = found == nullptr && !mutated<"missing-base">();
    action = is_missing ? Action::miss : Action::apply;
    if (!reading.is_newest && !serial_newer(tick, newest_of(slot, walk).tick)) action = Action::old;
    const State& base = found != nullptr ? *found : nothing;
    read_delta(schemas_.layout(replica.schema), base, source, out.state);
    return SnapshotStatus::ok;
}

// A delta for a slot where nothing is: of a life that has ended, or of none that was ever told.
SnapshotStatus ReplicaStore::stage_gone(std::uint32_t slot, const Reading& reading,
                                        BitSource& source, State& out) const {
    if ((kinds_[slot] & Kind::never) != 0) return SnapshotStatus::unknown;
    if (is_late(places_[slot], reading.tick, reading.age)) return SnapshotStatus::late;
    read_delta(schemas_.layout(kinds_[slot] & Kind::schema), State{}, source, out);
    return SnapshotStatus::ok;
}

// Distance of a slot that is far away or has a baseline of another age.
std::uint32_t ReplicaStore::read_far_place(Reading& reading, BitSource& source) {
    const std::uint64_t word = source.peek();
    const GapCode gap = read_gap(static_cast<std::uint32_t>(word));
    source.skip(gap.width + 1);
    const bool is_same_age = (word >> gap.width & 1u) != 0;
    if (!is_same_age) begin_age(reading, static_cast<unsigned>(source.take(age_bits)));
    return gap.bits;
}

// One object, whatever it is; its slot is known already.
SnapshotStatus ReplicaStore::stage_one(const SnapshotHead& head, Reading& reading,
                                       BitSource& source, std::uint32_t index) {
    return reading.age == 0 ? stage_absolute(head, source, index)
                            : stage_delta(reading, source, index);
}

// Nearly every object has the age of the one before, is of a life that has lasted, has its baseline
// next in the run of that age, and a delta of hot fields alone: the loop is made for those.
SnapshotStatus ReplicaStore::stage(const SnapshotHead& head, ConstBytes bits) {
    if (actions_.size() < head.object_count) actions_.resize(head.object_count);
    staged_ = log_.open(head.object_count, newest_state_,
                        [&](const StateLog::Leaving& run) { leave_log(run); });
    grow_up();
    unborn_.clear();
    opened_ = 0;
    BitSource source(bits);
    Reading reading{.tick = head.tick, .is_newest = serial_newer(head.tick, newest_state_)};
    std::fill_n(actions_.begin(), head.object_count, Action::apply);
    LoggedState* const staged = staged_.data();
    const std::uint8_t* const kinds = kinds_.data();
    // Of a snapshot that is not the newest everything has to be minded.
    const std::uint32_t plain_slots =
        reading.is_newest ? static_cast<std::uint32_t>(kinds_.size()) : 0;
    const Layout* const layouts = schemas_.layouts().data();
    const std::uint32_t count = head.object_count;
    bool is_plain = true;
    std::uint32_t slot = 0;
    for (std::uint32_t i = 0; i < count; ++i, ++slot) {
        std::uint64_t word = source.peek();
        const NearPlace place = near_places[word & (near_places.size() - 1)];
        slot += place.gap;
        word >>= place.width;
        if (place.width == 0) [[unlikely]] {
            // Of copies, so that the originals may stay in registers.
            BitSource far = source;
            Reading other = reading;
            slot += read_far_place(other, far);
            source = far;
            reading = other;
            word = source.peek();
        }
        LoggedState& out = staged[i];
        out.slot = static_cast<std::uint16_t>(slot);
        if (slot < plain_slots && kinds[slot] <= Kind::schema) [[likely]] {
            const Layout& layout = layouts[kinds[slot]];
            const HotRow& row = find_hot(layout, word);
            const State* const base = StateLog::next(reading.run, slot);
            // Of the word's 57 bits the place took some.
            if (base != nullptr && row.total <= 57 - near_place_bits) [[likely]] {
                apply_hot(layout, row, word, *base, out.state);
                source.skip(place.width + row.total);
                continue;
            }
        }
        if (slot >= slots_max) return SnapshotStatus::malformed;
        BitSource whole = source;
        whole.skip(place.width);
        Reading other = reading;
        const SnapshotStatus status = stage_one(head, other, whole, i);
        source = whole;
        reading = other;
        if (status != SnapshotStatus::ok) return status;
        is_plain = is_plain && actions_[i] == Action::apply;
    }
    is_plain_ = is_plain;
    base_age_ = reading.age;
    return ends_clean(source, bits.size() * 8) ? SnapshotStatus::ok : SnapshotStatus::malformed;
}

SnapshotStatus ReplicaStore::stage_absolute(const SnapshotHead& head, BitSource& source,
                                            std::uint32_t index) {
    LoggedState& out = staged_[index];
    const std::uint64_t word = source.take(schema_bits + generation_bits);
    const std::uint8_t schema = static_cast<std::uint8_t>(word & ((1u << schema_bits) - 1));
    const std::uint8_t generation = static_cast<std::uint8_t>(word >> schema_bits);
    if (schema >= schemas_.count()) return SnapshotStatus::malformed;
    out.state = read_absolute(schemas_.layout(schema), source);
    if (!is_here(out.slot)) {
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
    Walk walk;
    const bool same = (replica.generation & 0xffu) == generation && replica.schema == schema &&
                      !serial_newer(replica.spawn_tick, head.tick);
    actions_[index] = !same                                                     ? Action::dead
                      : serial_newer(head.tick, newest_of(out.slot, walk).tick) ? Action::apply
                                                                                : Action::old;
    return SnapshotStatus::ok;
}

// Whoever was spawned a baseline's age before the newest state is young no more: no delta of a
// newer snapshot can be made against what was before its life.
void ReplicaStore::grow_up() {
    constexpr std::uint32_t interval = 32;
    if (newest_state_ - grown_up_ < interval) return;
    grown_up_ = newest_state_;
    for (std::uint32_t slot = 0; slot < kinds_.size(); ++slot) {
        if (kinds_[slot] >= Kind::gone || (kinds_[slot] & Kind::young) == 0) continue;
        if (newest_state_ - replica_at(slot).spawn_tick < ObjectTable::history_ticks) continue;
        kinds_[slot] &= Kind::schema;
    }
}

// What is still its object's newest state goes to its replica.
void ReplicaStore::leave_log(const StateLog::Leaving& run) {
    const std::uint32_t here = Place::in_log | std::uint32_t{run.number} << Place::run_shift;
    for (const LoggedState& one : run.states) {
        std::uint32_t& place = places_[one.slot];
        if ((place & ~Place::index) != here || kinds_[one.slot] >= Kind::gone) continue;
        place &= Place::index;
        Replica& replica = replicas_[place];
        replica.state = one.state;
        replica.tick = run.tick;
    }
}

void ReplicaStore::commit(const SnapshotHead& head) {
    if (serial_newer(head.tick, newest_state_)) newest_state_ = head.tick;
    const std::uint32_t kept = is_plain_ ? head.object_count : commit_some(head);
    const std::uint32_t here = Place::in_log | std::uint32_t{log_.next_number()}
                                                   << Place::run_shift;
    std::uint32_t* const places = places_.data();
    for (std::uint32_t i = 0; i < kept; ++i) {
        std::uint32_t& place = places[staged_[i].slot];
        const std::uint32_t index = place & Place::index;
        if ((place & Place::in_log) == 0) [[unlikely]]
            replicas_[index].moved = newest_state_;
        place = index | here;
    }
    counters_.states_applied += kept;
    if (!wanted_.empty()) found_wanted(kept);
    log_.publish(head.tick, kept, newest_state_);
}

// What was asked for and is here now.
void ReplicaStore::found_wanted(std::uint32_t count) {
    for (const LoggedState& one : staged_.first(count)) {
        Replica& replica = replica_at(one.slot);
        replica.wanted = false;
    }
}

// Those that may be applied; returns how many, which then stand first in the stage.
std::uint32_t ReplicaStore::commit_some(const SnapshotHead& head) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < head.object_count; ++i) {
        if (actions_[i] != Action::apply) {
            refuse_state(head, i);
            continue;
        }
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

// What a state that came before its object replaced: whoever shows the object comes from there.
void ReplicaStore::log_rested() {
    for (std::size_t from = 0; from < rested_.size();) {
        std::size_t to = from + 1;
        while (to < rested_.size() && rested_[to].tick == rested_[from].tick &&
               rested_[to].logged.slot > rested_[to - 1].logged.slot) {
            ++to;
        }
        const std::uint32_t count = static_cast<std::uint32_t>(to - from);
        const std::span<LoggedState> room =
            log_.open(count, newest_state_, [&](const StateLog::Leaving& run) { leave_log(run); });
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
            kinds_[staged.slot] |= Kind::missed;
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
