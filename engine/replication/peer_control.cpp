// SPDX-License-Identifier: MIT
//
// Spawns, despawns and owners for one peer, over a lane that keeps its order. A message counts when
// it was taken; it is confirmed when the client says that it applied it, and only then does its
// slot's next life begin.  Spec: 001, replication (spawn and despawn are authoritative).
#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

SlotSet& PeerReplication::set_of(ControlKind kind) {
    switch (kind) {
        case ControlKind::spawn:
            return to_spawn_;
        case ControlKind::despawn:
            return to_despawn_;
        case ControlKind::owner:
            break;
    }
    return to_owner_;
}

bool PeerReplication::next_control(ObjectTable& table, MutableBytes room, ControlMessage& out) {
    sync(table);
    built_.clear();
    if (control_tick_ != table.tick()) {
        control_tick_ = table.tick();
        control_count_ = 0;
    }
    if (control_count_ >= config_.control_messages_per_tick && !mutated<"control-bound">()) {
        return false;
    }
    // Despawns first: they free room at the other end.
    const ControlKind kind = !to_despawn_.empty() ? ControlKind::despawn
                             : !to_spawn_.empty() ? ControlKind::spawn
                                                  : ControlKind::owner;
    const SlotSet& set = set_of(kind);
    if (set.empty()) return false;
    const std::size_t bytes = record_bytes(kind);
    const std::size_t room_bytes = std::min(room.size(), control_bytes_max);
    if (room_bytes < control_head_bytes + bytes) return false;
    const std::size_t fit = (room_bytes - control_head_bytes) / bytes;
    std::uint8_t* at = room.data() + control_head_bytes;
    // Spawns take turns, so that churn in low slots cannot keep high ones waiting.
    std::uint32_t slot = set.lowest_from(kind == ControlKind::spawn ? spawn_cursor_ : 0);
    for (; slot != slots_max && built_.size() < fit; slot = set.lowest_from(slot + 1)) {
        const ObjectId id = table.id_of(slot);
        if (kind == ControlKind::spawn) {
            write_spawn({.id = id,
                         .kind = table.schemas().at(table.schema_of(slot)).kind,
                         .owner = table.owner_of(slot),
                         .state = table.state_of(slot)},
                        at);
        } else if (kind == ControlKind::despawn) {
            write_despawn(id, at);
        } else {
            write_owner({.id = id, .owner = table.owner_of(slot)}, at);
        }
        at += bytes;
        built_.push_back(static_cast<std::uint16_t>(slot));
    }
    if (slot == slots_max && built_.empty()) {
        spawn_cursor_ = 0;
        return next_control(table, room, out);
    }
    const ControlHead head{.serial = static_cast<std::uint16_t>(sent_serial_ + 1),
                           .tick = static_cast<std::uint32_t>(table.tick()),
                           .count = static_cast<std::uint32_t>(built_.size())};
    write_control_head(head, room.data());
    built_kind_ = kind;
    out = {.kind = kind,
           .bytes = control_head_bytes + built_.size() * bytes,
           .serial = head.serial,
           .count = head.count};
    return true;
}

void PeerReplication::commit_control(ObjectTable& table) {
    WT_CHECK(!built_.empty());
    WT_CHECK(control_tick_ == table.tick());
    // Older changes must not make a newcomer wait: its spawn has its newest state.
    gather(table);
    ++sent_serial_;
    ++control_count_;
    for (const std::uint16_t slot : built_) {
        set_of(built_kind_).erase(slot);
        told_[slot].owner = table.owner_of(slot);
        if (built_kind_ == ControlKind::owner) continue;
        if (built_kind_ == ControlKind::spawn) {
            spawn_sent(table, slot);
            spawn_cursor_ = slot + 1u;
        } else {
            despawn_sent(table, slot);
        }
        outstanding_.push() = {.serial = sent_serial_, .slot = slot, .kind = built_kind_};
    }
    if (spawn_cursor_ >= table.capacity()) spawn_cursor_ = 0;
    built_.clear();
}

void PeerReplication::spawn_sent(ObjectTable& table, std::uint32_t slot) {
    ++counters_.spawns;
    told_[slot].owner = table.owner_of(slot);
    told_[slot].at = static_cast<std::uint16_t>(table.tick());
    forget_history(slot);
    confirmed_.erase(slot);
    baseless_.erase(slot);
    fresh_.insert(slot);
    table.hold(slot);
    held_.insert(slot);
    live_.insert(slot);
    to_owner_.erase(slot);
}

void PeerReplication::despawn_sent(ObjectTable& table, std::uint32_t slot) {
    ++counters_.despawns;
    confirmed_.erase(slot);
    leaving_.insert(slot);
    if (fault_ == PeerFault::reuse_at_once || mutated<"despawn-confirmed">())
        confirm_despawn(table, slot);
}

void PeerReplication::confirm_despawn(ObjectTable& table, std::uint32_t slot) {
    leaving_.erase(slot);
    held_.erase(slot);
    fresh_.erase(slot);
    table.release(slot);
    if (!relevant_.has(slot)) return;
    to_spawn_.insert(slot);  // It had come back meanwhile.
    told_[slot].waiting_since = static_cast<std::uint16_t>(table.tick());
}

void PeerReplication::confirm_control(ObjectTable& table, std::uint16_t serial) {
    if (serial == confirmed_serial_) return;
    confirmed_serial_ = serial;
    while (!outstanding_.empty() && !serial_newer(outstanding_.front().serial, serial)) {
        const Outstanding done = outstanding_.front();
        outstanding_.pop();
        const bool is_leaving = leaving_.has(done.slot);
        if (done.kind == ControlKind::spawn && held_.has(done.slot) && !is_leaving) {
            confirmed_.insert(done.slot);
            // The spawn's own state is a baseline, unless others went out before it was known to
            // have arrived: the client keeps only the newest of those.
            if (is_in_log(done.slot)) baseless_.insert(done.slot);
        } else if (done.kind == ControlKind::despawn && is_leaving) {
            confirm_despawn(table, done.slot);
        }
    }
}

}  // namespace wt::replication
