// SPDX-License-Identifier: MIT
#include "engine/replication/object_table.hpp"

#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/replication/wire.hpp"

namespace wt::replication {

namespace {

// Cached deltas are tagged with their tick in 16 bits; 0 means none. Before a tag comes round,
// all are wiped.
constexpr std::uint64_t tag_lap = 0xffff;

std::uint16_t tag_of(std::uint64_t tick) {
    return static_cast<std::uint16_t>(tick % tag_lap + 1);
}

// Of shared stretches, for each slot: a mover's delta takes 4 or 5 bytes at each of a few ages.
constexpr std::size_t run_bytes = 16;

}  // namespace

ObjectTable::ObjectTable(const SchemaSet& schemas, const TableConfig& config)
    : schemas_(schemas),
      config_(config),
      capacity_(config.objects_max),
      runs_(run_bytes * config.objects_max) {
    WT_CHECK(capacity_ >= 1);
    WT_CHECK(capacity_ <= slots_max);
    WT_CHECK(config_.cell_bits >= 9);
    WT_CHECK(config_.cell_bits <= 16);
    objects_.resize(capacity_);
    for (SlotSet* set : {&alive_, &free_, &nearest_first_, &active_, &written_, &shifted_})
        set->reset(capacity_);
    for (std::uint32_t i = 0; i < history_ticks; ++i) {
        dirty_[i].reset(capacity_);
        moved_[i].reset(capacity_);
        rows_[i].resize(capacity_);
        if (i > 0) deltas_[i].resize(capacity_);
    }
    cell_first_.assign(std::size_t{cells_across()} * cells_across(), no_slot);
}

std::optional<ObjectId> ObjectTable::spawn(std::uint16_t kind, PlayerSlot owner,
                                           const State& state) {
    const std::uint8_t schema = schemas_.find(kind);
    if (schema == no_schema || !schemas_.fits(schema, state)) return std::nullopt;
    std::uint32_t slot = free_.lowest();
    if (slot != slots_max) {
        free_.erase(slot);
    } else if (slots_used_ < capacity_) {
        slot = slots_used_++;
    } else {
        return std::nullopt;
    }
    Object& object = objects_[slot];
    // 0 means nothing, also after 65,535 lives.
    const unsigned next = object.generation + 1u;
    const unsigned first = mutated<"generation-zero">() ? 0 : 1;
    const std::uint16_t generation = static_cast<std::uint16_t>(next > 0xffff ? first : next);
    object = Object{.state = state, .generation = generation, .owner = owner, .schema = schema};
    object.changed = tick_ + 1;  // Until commit() knows better.
    alive_.insert(slot);
    ++alive_count_;
    active_.erase(slot);
    written_.erase(slot);
    shifted_.insert(slot);
    if (schemas_.at(schema).nearest_first) nearest_first_.insert(slot);
    enter_cell(slot);
    return id_of(slot);
}

bool ObjectTable::despawn(ObjectId id) {
    if (!is_alive(id)) return false;
    const std::uint32_t slot = id.slot;
    leave_cell(slot);
    alive_.erase(slot);
    --alive_count_;
    nearest_first_.erase(slot);
    active_.erase(slot);
    written_.erase(slot);
    shifted_.insert(slot);
    if (objects_[slot].holders == 0 || mutated<"held-slot">()) free_.insert(slot);
    return true;
}

bool ObjectTable::set_owner(ObjectId id, PlayerSlot owner) {
    if (!is_alive(id)) return false;
    if (objects_[id.slot].owner == owner) return true;
    objects_[id.slot].owner = owner;
    shifted_.insert(id.slot);
    return true;
}

bool ObjectTable::set_team(ObjectId id, std::uint8_t team) {
    if (!is_alive(id)) return false;
    if (objects_[id.slot].team == team) return true;
    objects_[id.slot].team = team;
    shifted_.insert(id.slot);
    return true;
}

bool ObjectTable::write(ObjectId id, const State& state) {
    if (!is_alive(id)) return false;
    Object& object = objects_[id.slot];
    if (object.state == state) return true;
    WT_CHECK(schemas_.fits(object.schema, state));
    // Spawned in this very tick: still its first state.
    const bool is_new = object.changed > tick_ || !begun_;
    if (!is_new && !written_.has(id.slot)) {
        if (!active_.has(id.slot)) {
            object.rest = object.state;
            object.rest_since = object.changed;
        }
        written_.insert(id.slot);
    }
    object.state = state;
    if (cell_of(object) != object.cell) {
        leave_cell(id.slot);
        enter_cell(id.slot);
        shifted_.insert(id.slot);
    }
    return true;
}

// Ticks that nobody committed: nothing changed in them, and rows must not show older ticks.
void ObjectTable::skip_to(std::uint64_t tick) {
    const std::uint64_t from = tick - tick_ > history_ticks ? tick - history_ticks : tick_ + 1;
    for (std::uint64_t t = from; t < tick; ++t) {
        dirty_[t % history_ticks].clear();
        moved_[t % history_ticks].clear();
        // The row of tick_ itself may be among them, which then keeps what it has.
        active_.visit([&](std::uint32_t slot) {
            rows_[t % history_ticks][slot] = rows_[tick_ % history_ticks][slot];
        });
    }
}

void ObjectTable::commit(std::uint64_t tick) {
    WT_CHECK(!begun_ || tick > tick_);
    if (begun_ && tick != tick_ + 1) skip_to(tick);
    const bool lap = !begun_ || tick / tag_lap != tick_ / tag_lap;
    if (lap) {
        for (auto& row : deltas_)
            row.assign(row.size(), StateBits{});
    }
    SlotSet& dirty = dirty_[tick % history_ticks];
    SlotSet& moved = moved_[tick % history_ticks];
    dirty.clear();
    moved.clear();
    dirty.unite(written_);
    moved.unite(shifted_);
    moved.visit([&](std::uint32_t slot) {
        Object& object = objects_[slot];
        if (object.changed > tick_ || !begun_) object.changed = tick;
    });
    written_.visit([&](std::uint32_t slot) {
        if (!active_.has(slot)) objects_[slot].active_since = tick;
        active_.insert(slot);
        objects_[slot].changed = tick;
    });
    Row& row = rows_[tick % history_ticks];
    active_.visit([&](std::uint32_t slot) {
        if (tick - objects_[slot].changed >= history_ticks) {
            active_.erase(slot);
        } else {
            row[slot] = objects_[slot].state;
        }
    });
    written_.clear();
    shifted_.clear();
    tick_ = tick;
    tag_ = tag_of(tick);
    runs_.begin();
    begun_ = true;
}

bool ObjectTable::is_alive(ObjectId id) const {
    return id.slot < slots_used_ && alive_.has(id.slot) &&
           (objects_[id.slot].generation == id.generation || mutated<"generation-checked">());
}

bool ObjectTable::state_at(std::uint32_t slot, std::uint64_t at, State& out) const {
    if (at > tick_ || !alive_.has(slot)) return false;
    const Object& object = objects_[slot];
    if (at >= object.changed) {
        out = object.state;
        return true;
    }
    if (!active_.has(slot)) return false;
    if (at >= object.active_since) {
        if (tick_ - at >= history_ticks) return false;
        out = rows_[at % history_ticks][slot];
        return true;
    }
    if (at < object.rest_since) return false;
    out = object.rest;
    return true;
}

const SlotSet& ObjectTable::dirty_in(std::uint64_t tick) const {
    WT_CHECK(tick <= tick_);
    WT_CHECK(tick_ - tick < history_ticks);
    return dirty_[tick % history_ticks];
}

const SlotSet& ObjectTable::moved_in(std::uint64_t tick) const {
    WT_CHECK(tick <= tick_);
    WT_CHECK(tick_ - tick < history_ticks);
    return moved_[tick % history_ticks];
}

const StateBits& ObjectTable::make_delta_from(std::uint32_t slot, std::uint32_t age) {
    std::vector<StateBits>& row = deltas_[age];
    State before;
    WT_CHECK(state_at(slot, tick_ - age, before));
    const Object& object = objects_[slot];
    StateBits& bits = row[slot];
    bits = make_delta(schemas_.layout(object.schema), before, object.state);
    bits.tag = tag_;
    return bits;
}

const SharedRun* ObjectTable::run_from(std::uint32_t word, std::uint64_t slots, std::uint32_t age) {
    const std::uint32_t first = word * 64 + static_cast<std::uint32_t>(std::countr_zero(slots));
    SharedRun& run = runs_.place_of(first, age);
    if (runs_.is_current(run)) {
        return run.slots == slots && run.word == word && run.age == age ? &run : nullptr;
    }
    BitPacker packer(runs_.room());
    std::uint32_t previous = first;
    for (std::uint64_t rest = slots; rest != 0; rest &= rest - 1) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        if (slot != first) {
            const GapCode gap = gap_code(slot - previous);
            packer.put(gap.bits | 1u << gap.width, gap.width + 1);
        }
        put(packer, delta_from(slot, age));
        previous = slot + 1;
    }
    const std::size_t bits = packer.bit_count();
    const std::size_t bytes = packer.finish();
    if (packer.overran()) return nullptr;
    run.slots = slots;
    run.bits = static_cast<std::uint16_t>(bits);
    run.word = static_cast<std::uint16_t>(word);
    run.age = static_cast<std::uint8_t>(age);
    runs_.take(run, bytes);
    return &run;
}

void ObjectTable::hold(std::uint32_t slot) {
    ++objects_[slot].holders;
}

void ObjectTable::release(std::uint32_t slot) {
    WT_CHECK(objects_[slot].holders > 0);
    --objects_[slot].holders;
    if (objects_[slot].holders == 0 && !alive_.has(slot)) free_.insert(slot);
}

std::uint16_t ObjectTable::x_of(std::uint32_t slot) const {
    return objects_[slot].state.fields[schemas_.at(objects_[slot].schema).x_field];
}

std::uint16_t ObjectTable::y_of(std::uint32_t slot) const {
    return objects_[slot].state.fields[schemas_.at(objects_[slot].schema).y_field];
}

std::uint16_t ObjectTable::cell_of(const Object& object) const {
    const Schema& schema = schemas_.at(object.schema);
    if (schema.x_field == no_field) return no_slot;
    const std::uint32_t column = cell_line(object.state.fields[schema.x_field]);
    const std::uint32_t row = cell_line(object.state.fields[schema.y_field]);
    return static_cast<std::uint16_t>(row * cells_across() + column);
}

void ObjectTable::enter_cell(std::uint32_t slot) {
    Object& object = objects_[slot];
    object.cell = cell_of(object);
    object.previous = no_slot;
    object.next = no_slot;
    if (object.cell == no_slot) return;
    object.next = cell_first_[object.cell];
    if (object.next != no_slot) objects_[object.next].previous = static_cast<std::uint16_t>(slot);
    cell_first_[object.cell] = static_cast<std::uint16_t>(slot);
}

void ObjectTable::leave_cell(std::uint32_t slot) {
    Object& object = objects_[slot];
    if (object.cell == no_slot) return;
    if (object.previous != no_slot) {
        objects_[object.previous].next = object.next;
    } else {
        cell_first_[object.cell] = object.next;
    }
    if (object.next != no_slot) objects_[object.next].previous = object.previous;
    object.cell = no_slot;
}

}  // namespace wt::replication
