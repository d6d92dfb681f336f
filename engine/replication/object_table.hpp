// SPDX-License-Identifier: MIT
//
// The server's objects as replication sees them: the game writes quantised states during a tick,
// commit() closes the tick, and then every peer reads from here. Gathered and quantised once,
// whatever the number of peers. Nothing walks what did not change.
// Spec: 001, replication (gather once per tick, dirty tracking, uniform grid).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/replication/run_cache.hpp"
#include "engine/replication/schema.hpp"
#include "engine/replication/slot_set.hpp"
#include "engine/replication/state_codec.hpp"

namespace wt::replication {

struct TableConfig {
    std::uint32_t objects_max = 2'048;  // 1..slots_max, the dying ones included.
    std::uint8_t cell_bits = 12;        // A grid cell is 2^n position units wide (9..16).
};

class ObjectTable {
public:
    // How many ticks back a state can be asked for, the newest included. A delta's baseline is at
    // most history_ticks - 1 old.
    static constexpr std::uint32_t history_ticks = 64;
    static constexpr std::uint16_t no_slot = 0xffff;

    // `schemas` must outlive the table.
    ObjectTable(const SchemaSet& schemas, const TableConfig& config);

    // --- the game, during a tick ---
    // Nothing when every slot is alive or waits for peers to confirm its despawn, the kind is
    // unknown or the state does not fit its schema.
    std::optional<ObjectId> spawn(std::uint16_t kind, PlayerSlot owner, const State& state);
    // Each is false, and changes nothing, for an id that is not alive.
    bool despawn(ObjectId id);
    bool set_owner(ObjectId id, PlayerSlot owner);
    bool set_team(ObjectId id, std::uint8_t team);
    // A state that does not fit the schema is a bug of the game. Equal states cost nothing.
    bool write(ObjectId id, const State& state);
    // Ends the tick: what was written since the last call belongs to `tick`. Ticks only go up; a
    // gap is a stretch in which nothing changed.
    void commit(std::uint64_t tick);

    // --- what there is ---
    [[nodiscard]] const SchemaSet& schemas() const { return schemas_; }
    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
    // One past the highest slot ever used.
    [[nodiscard]] std::uint32_t slots_used() const { return slots_used_; }
    [[nodiscard]] const SlotSet& alive() const { return alive_; }
    [[nodiscard]] std::uint32_t alive_count() const { return alive_count_; }
    [[nodiscard]] bool is_alive(ObjectId id) const;
    [[nodiscard]] bool is_alive(std::uint32_t slot) const { return alive_.has(slot); }
    [[nodiscard]] ObjectId id_of(std::uint32_t slot) const {
        return {static_cast<std::uint16_t>(slot), objects_[slot].generation};
    }
    [[nodiscard]] std::uint8_t schema_of(std::uint32_t slot) const { return objects_[slot].schema; }
    [[nodiscard]] PlayerSlot owner_of(std::uint32_t slot) const { return objects_[slot].owner; }
    [[nodiscard]] std::uint8_t team_of(std::uint32_t slot) const { return objects_[slot].team; }
    [[nodiscard]] const State& state_of(std::uint32_t slot) const { return objects_[slot].state; }
    // Tick of the last change; spawning is one.
    [[nodiscard]] std::uint64_t changed_at(std::uint32_t slot) const {
        return objects_[slot].changed;
    }
    // The state as it was committed at `at`; false when that is not known any more.
    [[nodiscard]] bool state_at(std::uint32_t slot, std::uint64_t at, State& out) const;
    // The alive ones of schemas with nearest_first.
    [[nodiscard]] const SlotSet& nearest_first() const { return nearest_first_; }

    // --- for peers, after commit ---
    // The slots whose state changed in one of the last history_ticks ticks.
    [[nodiscard]] const SlotSet& dirty_in(std::uint64_t tick) const;
    // Those that were spawned, despawned, given to another owner or team, or moved to another cell.
    [[nodiscard]] const SlotSet& moved_in(std::uint64_t tick) const;
    // Difference of the newest state from that of `age` ticks ago: 1..history_ticks - 1, and
    // state_at() must hold then. Made once for all peers that share the baseline.
    [[nodiscard]] const StateBits& delta_from(std::uint32_t slot, std::uint32_t age) {
        WT_CHECK(age - 1 < history_ticks - 1);
        const std::vector<StateBits>& row = deltas_[age];
        return row[slot].tag == tag_ ? row[slot] : make_delta_from(slot, age);
    }

    // The deltas of `slots`, some of those of a word of 64, from `age` ticks ago. Null where
    // another stretch has its place in this tick, or no room is left. Valid until the next commit.
    [[nodiscard]] const SharedRun* run_from(std::uint32_t word, std::uint64_t slots,
                                            std::uint32_t age);
    [[nodiscard]] const std::uint8_t* bits_of(const SharedRun& run) const {
        return runs_.bits_of(run);
    }

    // A slot is not used again before everybody who holds it has let go.
    void hold(std::uint32_t slot);
    void release(std::uint32_t slot);

    // --- the grid ---
    [[nodiscard]] std::uint32_t cells_across() const { return 1u << (16 - config_.cell_bits); }
    // Column or row of a position.
    [[nodiscard]] std::uint32_t cell_line(std::uint16_t position) const {
        return static_cast<std::uint32_t>(position >> config_.cell_bits);
    }
    [[nodiscard]] bool has_place(std::uint32_t slot) const {
        return schemas_.at(objects_[slot].schema).x_field != no_field;
    }
    [[nodiscard]] std::uint16_t x_of(std::uint32_t slot) const;
    [[nodiscard]] std::uint16_t y_of(std::uint32_t slot) const;
    // Walk of one cell's alive objects: first, then next until no_slot.
    [[nodiscard]] std::uint16_t first_in(std::uint32_t column, std::uint32_t row) const {
        return cell_first_[row * cells_across() + column];
    }
    [[nodiscard]] std::uint16_t next_in_cell(std::uint32_t slot) const {
        return objects_[slot].next;
    }

private:
    struct Object {
        State state{};
        State
            rest{};  // The state before it began to move, for ticks in [rest_since, active_since).
        std::uint16_t generation = 0;
        std::uint16_t holders = 0;
        PlayerSlot owner = no_owner;
        std::uint16_t next = no_slot;  // In its cell.
        std::uint16_t previous = no_slot;
        std::uint16_t cell = no_slot;
        std::uint8_t schema = no_schema;
        std::uint8_t team = 0;
        std::uint64_t changed = 0;
        std::uint64_t rest_since = 0;
        std::uint64_t active_since = 0;
    };
    using Row = std::vector<State>;

    void enter_cell(std::uint32_t slot);
    void leave_cell(std::uint32_t slot);
    [[nodiscard]] std::uint16_t cell_of(const Object& object) const;
    void skip_to(std::uint64_t tick);
    const StateBits& make_delta_from(std::uint32_t slot, std::uint32_t age);

    const SchemaSet& schemas_;
    TableConfig config_;
    std::uint32_t capacity_;
    std::uint32_t slots_used_ = 0;
    std::uint32_t alive_count_ = 0;
    std::uint64_t tick_ = 0;
    std::uint16_t tag_ = 0;  // Of the deltas that are this tick's.
    bool begun_ = false;
    std::vector<Object> objects_;
    SlotSet alive_;
    SlotSet free_;  // Below slots_used_, and nobody holds it.
    SlotSet nearest_first_;
    SlotSet active_;   // Changed within the last history_ticks ticks: has rows of its own.
    SlotSet written_;  // Since the last commit.
    SlotSet shifted_;  // Likewise, for moved_in().
    std::array<SlotSet, history_ticks> dirty_;
    std::array<SlotSet, history_ticks> moved_;
    std::array<Row, history_ticks> rows_;
    std::vector<std::uint16_t> cell_first_;
    std::array<std::vector<StateBits>, history_ticks> deltas_;  // By age, then slot.
    RunCache runs_;
};

}  // namespace wt::replication
