// SPDX-License-Identifier: MIT
#include "engine/arena/publisher.hpp"

#include "engine/arena/schemas.hpp"
#include "engine/base/check.hpp"

namespace wt::arena {

static_assert(nobody == replication::no_owner);

Publisher::Publisher(const Arena& arena, replication::ObjectTable& table)
    : arena_(arena),
      table_(table),
      object_ids_(arena.objects().size()),
      object_owners_(arena.objects().size(), nobody),
      avatar_ids_(arena.slot_count()),
      avatar_visits_(arena.slot_count(), 0) {
    waiting_.reserve(object_ids_.size());
    retried_.reserve(object_ids_.size());
    for (std::uint32_t i = 0; i < object_ids_.size(); ++i)
        spawn_object(i);
}

void Publisher::spawn_object(std::uint32_t index) {
    const ObjectState& object = arena_.objects()[index];
    const std::optional<replication::ObjectId> id =
        table_.spawn(kind_of(object.kind), object.owner, to_state(object));
    object_ids_[index] = id.value_or(replication::ObjectId{});
    object_owners_[index] = object.owner;
    if (id.has_value()) return;
    ++waits_;
    waiting_.push_back(index);
}

void Publisher::write_object(std::uint32_t index) {
    const replication::ObjectId id = object_ids_[index];
    if (!id.is_valid()) return;
    const ObjectState& object = arena_.objects()[index];
    WT_CHECK(table_.write(id, to_state(object)));
    if (object_owners_[index] == object.owner) return;
    object_owners_[index] = object.owner;
    WT_CHECK(table_.set_owner(id, object.owner));
}

void Publisher::publish() {
    for (const std::uint32_t index : arena_.reborn()) {
        replication::ObjectId& id = object_ids_[index];
        // One that still waits is spawned as what it is by now.
        if (!id.is_valid()) continue;
        WT_CHECK(table_.despawn(id));
        id = {};
        waiting_.push_back(index);
    }
    // Those first that have waited longest.
    retried_.swap(waiting_);
    for (const std::uint32_t index : retried_)
        spawn_object(index);
    retried_.clear();
    for (const std::uint32_t index : arena_.changed())
        write_object(index);
    publish_players();
    table_.commit(arena_.current_tick());
}

void Publisher::publish_players() {
    for (std::uint32_t slot = 0; slot < arena_.slot_count(); ++slot) {
        replication::ObjectId& id = avatar_ids_[slot];
        // Another visit is another avatar, even if the slot was never seen empty.
        const bool is_gone = !arena_.is_playing(slot) || avatar_visits_[slot] != arena_.visit(slot);
        if (id.is_valid() && is_gone) {
            WT_CHECK(table_.despawn(id));
            id = {};
        }
        if (!arena_.is_playing(slot)) continue;
        const replication::State state = to_state(arena_.player(slot));
        if (id.is_valid()) {
            WT_CHECK(table_.write(id, state));
            continue;
        }
        id = table_.spawn(avatar_kind, static_cast<std::uint16_t>(slot), state)
                 .value_or(replication::ObjectId{});
        avatar_visits_[slot] = arena_.visit(slot);
        if (!id.is_valid()) ++waits_;
    }
}

}  // namespace wt::arena
