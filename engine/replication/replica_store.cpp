// SPDX-License-Identifier: MIT
//
// Control messages, requests and queries; snapshots are in replica_decode.cpp.
#include "engine/replication/replica_store.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"

namespace wt::replication {

namespace {

// Room for so many more objects at least; a quarter more than there are, since twice as many would
// be most of what a client in a large world needs.
constexpr std::size_t replicas_step = 64;

}  // namespace

ReplicaStore::ReplicaStore(const SchemaSet& schemas, const StoreConfig& config)
    : schemas_(schemas),
      config_(config),
      log_({.runs = 4 * config.snapshots_expected,
            .states = config.snapshots_expected * config.states_expected}) {
    WT_CHECK(config_.objects_max <= slots_max);
    // At once, 20 B each: who comes before its spawn for the first time must not allocate.
    pre_spawn_.reserve(config_.pre_spawn_max);
    actions_.reserve(config_.states_expected);
    unborn_.reserve(config_.states_expected / 8);
    rested_.reserve(config_.states_expected / 16);
}

void ReplicaStore::reset() {
    kinds_.clear();
    places_.clear();
    replicas_.clear();
    free_.clear();
    known_.clear();
    count_ = 0;
    log_.clear();
    pre_spawn_.clear();
    wanted_.clear();
    has_requested_ = false;
    has_snapshot_ = false;
    newest_number_ = 0;
    received_mask_ = 0;
    newest_tick_ = 0;
    newest_state_ = 0;
    applied_serial_ = 0;
}

ControlStatus ReplicaStore::judge_records(ControlKind kind, ConstBytes bytes,
                                          const ControlHead& head) const {
    std::uint32_t fresh = 0;
    for (std::uint32_t i = 0; i < head.count; ++i) {
        const ObjectId id = kind == ControlKind::spawn     ? read_spawn(bytes, i).id
                            : kind == ControlKind::despawn ? read_despawn(bytes, i)
                                                           : read_owner(bytes, i).id;
        if (id.slot >= slots_max || !id.is_valid()) return ControlStatus::malformed;
        if (kind != ControlKind::spawn) continue;
        const SpawnRecord record = read_spawn(bytes, i);
        const std::uint8_t schema = schemas_.find(record.kind);
        if (schema == no_schema || !schemas_.fits(schema, record.state)) {
            return ControlStatus::malformed;
        }
        if (!is_here(id.slot)) ++fresh;
    }
    return count_ + fresh > config_.objects_max && !mutated<"objects-max">() ? ControlStatus::full
                                                                             : ControlStatus::ok;
}

ControlStatus ReplicaStore::on_control(ControlKind kind, ConstBytes bytes) {
    ControlHead head;
    ControlStatus status = ControlStatus::ok;
    if (!read_control_head(kind, bytes, head)) {
        status = ControlStatus::malformed;
    } else if (head.serial != static_cast<std::uint16_t>(applied_serial_ + 1) &&
               !mutated<"control-order">()) {
        status = serial_newer(head.serial, applied_serial_) ? ControlStatus::out_of_order
                                                            : ControlStatus::duplicate;
    } else {
        status = judge_records(kind, bytes, head);
    }
    if (status != ControlStatus::ok) {
        ++counters_.refused;
        return status;
    }
    rested_.clear();
    for (std::uint32_t i = 0; i < head.count; ++i) {
        if (kind == ControlKind::spawn) {
            spawn(read_spawn(bytes, i), head.tick);
            continue;
        }
        const OwnerRecord record = kind == ControlKind::owner
                                       ? read_owner(bytes, i)
                                       : OwnerRecord{.id = read_despawn(bytes, i)};
        ReplicaView view;
        if (!find(record.id, view)) {
            if (kind == ControlKind::despawn) ++counters_.despawns_unknown;
        } else if (kind == ControlKind::despawn) {
            drop(record.id.slot);
        } else {
            replica_at(record.id.slot).owner = record.owner;
        }
    }
    log_rested();
    applied_serial_ = head.serial;
    // What waited for a spawn that did not come waits for nothing.
    std::erase_if(pre_spawn_, [&](const PreSpawn& held) {
        return !serial_newer(held.serial, applied_serial_);
    });
    return ControlStatus::ok;
}

void ReplicaStore::make_slot(std::uint32_t slot) {
    if (slot < kinds_.size()) return;
    constexpr std::size_t step = 256;
    if (slot >= kinds_.capacity()) {
        kinds_.reserve((slot + step) / step * step);
        places_.reserve(kinds_.capacity());
    }
    known_.grow(std::min<std::uint32_t>(static_cast<std::uint32_t>(kinds_.capacity()), slots_max));
    kinds_.resize(slot + 1u, Kind::never);
    places_.resize(slot + 1u);
}

void ReplicaStore::spawn(const SpawnRecord& record, std::uint32_t tick) {
    const std::uint32_t slot = record.id.slot;
    make_slot(slot);
    if (is_here(slot)) {
        if (replica_at(slot).generation == record.id.generation) {
            ++counters_.spawns_repeated;
            return;
        }
        drop(slot);  // The server is the authority on what lives there.
    }
    if (free_.empty()) {
        if (replicas_.size() == replicas_.capacity()) {
            replicas_.reserve(replicas_.size() + std::max(replicas_step, replicas_.size() / 8));
            free_.reserve(replicas_.capacity());
        }
        free_.push_back(static_cast<std::uint16_t>(replicas_.size()));
        replicas_.emplace_back();
    }
    places_[slot] = free_.back();
    free_.pop_back();
    const bool missed = (kinds_[slot] & Kind::missed) != 0;
    const std::uint8_t schema = schemas_.find(record.kind);
    kinds_[slot] = static_cast<std::uint8_t>(schema | Kind::young);
    replica_at(slot) = {.state = record.state,
                        .generation = record.id.generation,
                        .tick = tick,
                        .spawn_tick = tick,
                        .owner = record.owner,
                        .schema = schema};
    if (count_ == 0 || serial_newer(tick, newest_state_)) newest_state_ = tick;
    known_.insert(slot);
    ++count_;
    if (missed) want(slot);
    take_held(slot, record.id.generation);
}

// The state that came before its object, if it is this life's.
void ReplicaStore::take_held(std::uint32_t slot, std::uint16_t generation) {
    const auto held = std::find_if(pre_spawn_.begin(), pre_spawn_.end(),
                                   [&](const PreSpawn& one) { return one.slot == slot; });
    if (held == pre_spawn_.end() || mutated<"early-state">()) return;
    Replica& replica = replica_at(slot);
    if (held->generation == (generation & 0xffu) && held->schema == replica.schema &&
        serial_newer(held->tick, replica.tick)) {
        if (serial_newer(held->tick, newest_state_)) newest_state_ = held->tick;
        rested_.push_back(
            {.tick = replica.tick, .logged = {replica.state, static_cast<std::uint16_t>(slot)}});
        replica.state = held->state;
        replica.tick = held->tick;
        replica.wanted = false;
        ++counters_.states_applied;
    }
    pre_spawn_.erase(held);
}

void ReplicaStore::drop(std::uint32_t slot) {
    const Replica& replica = replica_at(slot);
    if (replica.wanted) std::erase(wanted_, static_cast<std::uint16_t>(slot));
    free_.push_back(static_cast<std::uint16_t>(places_[slot] & Place::index));
    kinds_[slot] = static_cast<std::uint8_t>(replica.schema | Kind::gone);
    places_[slot] = replica.spawn_tick;
    known_.erase(slot);
    --count_;
}

void ReplicaStore::want(std::uint32_t slot) {
    if (replica_at(slot).wanted) return;
    replica_at(slot).wanted = true;
    wanted_.reserve(request_ids_max);
    wanted_.push_back(static_cast<std::uint16_t>(slot));
}

std::size_t ReplicaStore::next_keyframe_request(std::uint64_t now, MutableBytes target) {
    std::erase_if(wanted_,
                  [&](std::uint16_t slot) { return !is_here(slot) || !replica_at(slot).wanted; });
    if (wanted_.empty()) return 0;
    const bool is_early = has_requested_ && now - requested_at_ < config_.request_interval_ticks;
    if (is_early && !mutated<"request-coalesced">()) return 0;
    KeyframeRequest request{.everything = wanted_.size() > request_ids_max};
    for (const std::uint16_t slot : wanted_) {
        if (request.everything) break;
        request.ids[request.count++] = {slot, replica_at(slot).generation};
    }
    const std::size_t bytes = write_request(request, target);
    if (bytes == 0) return 0;
    ++counters_.keyframe_requests;
    has_requested_ = true;
    requested_at_ = now;
    return bytes;
}

SnapshotAck ReplicaStore::ack() const {
    return {.newest = newest_number_, .mask = received_mask_, .control_serial = applied_serial_};
}

// With one walk slots must go up.
ReplicaStore::Newest ReplicaStore::newest_of(std::uint32_t slot, Walk& walk) const {
    const std::uint32_t place = places_[slot];
    const Replica& replica = replicas_[place & Place::index];
    if ((place & Place::in_log) == 0) return {&replica.state, replica.tick};
    const std::uint32_t run = place & ~Place::index;
    if (run != walk.place) {
        const std::uint16_t number = static_cast<std::uint16_t>(place >> Place::run_shift);
        walk.run = log_.from_slot(number, slot, walk.tick);
        walk.place = run;
    }
    const State* const state = StateLog::next(walk.run, slot);
    WT_CHECK(state != nullptr);
    return {state, walk.tick};
}

ReplicaView ReplicaStore::view_of(std::uint32_t slot, Walk& walk) const {
    const Replica& replica = replica_at(slot);
    const Newest newest = newest_of(slot, walk);
    return {.id = {static_cast<std::uint16_t>(slot), replica.generation},
            .kind = schemas_.at(replica.schema).kind,
            .owner = replica.owner,
            .schema = replica.schema,
            .tick = newest.tick,
            .state = newest.state};
}

const State* ReplicaStore::state_before(std::uint32_t slot, std::uint32_t tick,
                                        std::uint32_t& at) const {
    std::uint32_t found = 0;
    const State* state = log_.find_before(tick, spawn_tick_of(slot), slot, found);
    // What rested until it was replaced stays with its object, and is as old as what is in the log.
    if (is_here(slot) && is_logged(slot)) {
        const Replica& rest = replica_at(slot);
        const bool is_kept = newest_state_ - rest.moved < StateLog::kept_ticks;
        const bool is_newer = state == nullptr || serial_newer(rest.tick, found);
        if (is_kept && is_newer && serial_newer(tick, rest.tick)) {
            state = &rest.state;
            found = rest.tick;
        }
    }
    if (state != nullptr) at = found;
    return state;
}

bool ReplicaStore::find_slot(std::uint32_t slot, ReplicaView& out) const {
    if (!is_here(slot)) return false;
    Walk walk;
    out = view_of(slot, walk);
    return true;
}

bool ReplicaStore::find(ObjectId id, ReplicaView& out) const {
    ReplicaView view;
    if (!find_slot(id.slot, view) || view.id != id) return false;
    out = view;
    return true;
}

std::uint64_t ReplicaStore::checksum() const {
    std::uint64_t sum = 1;
    visit([&](const ReplicaView& one) {
        sum = chain_object(sum, one.id, one.kind, one.owner, *one.state);
    });
    return sum;
}

std::size_t ReplicaStore::memory() const {
    return sizeof *this + replicas_.capacity() * sizeof(Replica) + kinds_.capacity() +
           places_.capacity() * 4 + free_.capacity() * 2 + known_.memory() + log_.memory() +
           actions_.capacity() * sizeof(Action) + unborn_.capacity() * sizeof(Unborn) +
           rested_.capacity() * sizeof(Rested) + pre_spawn_.capacity() * sizeof(PreSpawn) +
           wanted_.capacity() * 2;
}

}  // namespace wt::replication
