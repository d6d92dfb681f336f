// SPDX-License-Identifier: MIT
//
// Objects that a test's game moves about in a table.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/rng.hpp"
#include "engine/replication/object_table.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication {

// A crowd of objects that walk: `moving` of every hundred take steps of up to `stride` each tick.
class Crowd {
public:
    Crowd(ObjectTable& table, LuckStream& luck, std::uint32_t count, std::uint16_t kind)
        : table_(table), luck_(luck) {
        for (std::uint32_t i = 0; i < count; ++i)
            spawn(kind);
    }
    void spawn(std::uint16_t kind, PlayerSlot owner = no_owner) {
        State state;
        for (unsigned i = 0; i < 2; ++i)
            state.fields[i] = static_cast<std::uint16_t>(luck_.next());
        state.fields[2] = static_cast<std::uint16_t>(luck_.below(1u << 12));
        state.fields[3] = 100;
        const std::optional<ObjectId> id = table_.spawn(kind, owner, state);
        if (id) ids.push_back(*id);
    }
    void despawn(std::size_t index) {
        WT_CHECK(table_.despawn(ids[index]));
        ids[index] = ids.back();
        ids.pop_back();
    }
    void walk(std::uint64_t moving_percent, std::uint64_t stride) {
        for (const ObjectId id : ids) {
            if (id.slot % 100 >= moving_percent) continue;
            State state = table_.state_of(id.slot);
            for (unsigned i = 0; i < 2; ++i) {
                const std::uint64_t by = luck_.below(2 * stride + 1);
                state.fields[i] = static_cast<std::uint16_t>(state.fields[i] + by - stride);
            }
            const std::uint64_t turn = luck_.below(31);
            state.fields[2] = static_cast<std::uint16_t>((state.fields[2] + turn - 15) & 0xfff);
            if (luck_.below(64) == 0)
                state.fields[3] = static_cast<std::uint16_t>(luck_.below(256));
            WT_CHECK(table_.write(id, state));
        }
    }

    std::vector<ObjectId> ids{};

private:
    ObjectTable& table_;
    LuckStream& luck_;
};

}  // namespace wt::replication
