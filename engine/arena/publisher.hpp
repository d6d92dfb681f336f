// SPDX-License-Identifier: MIT
//
// The bridge at the tick's boundary: what changed in the arena goes into the object table, and
// nothing else is looked at. Objects that find no room in the table (slots that peers have not let
// go yet) wait and are tried again each tick.  Spec: 001, tick ownership, step 4.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/arena/arena.hpp"
#include "engine/replication/object_table.hpp"

namespace wt::arena {

class Publisher {
public:
    // Both must outlive the publisher; the table was made for schemas(). Publishes every object.
    Publisher(const Arena& arena, replication::ObjectTable& table);

    // After each Arena::tick(): writes what changed and commits the tick.
    void publish();

    // Not valid while the object waits, or for a slot nobody plays in.
    [[nodiscard]] replication::ObjectId object_id(std::uint32_t index) const {
        return object_ids_[index];
    }
    [[nodiscard]] replication::ObjectId avatar_id(std::uint32_t slot) const {
        return avatar_ids_[slot];
    }
    // Objects and avatars without room in the table.
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
    [[nodiscard]] std::uint64_t waits() const { return waits_; }

private:
    void write_object(std::uint32_t index);
    void spawn_object(std::uint32_t index);
    void publish_players();

    const Arena& arena_;
    replication::ObjectTable& table_;
    std::vector<replication::ObjectId> object_ids_;
    std::vector<std::uint16_t> object_owners_;  // As the table has them.
    std::vector<replication::ObjectId> avatar_ids_;
    std::vector<std::uint32_t> avatar_visits_;
    std::vector<std::uint32_t> waiting_;  // Object indices.
    std::vector<std::uint32_t> retried_;
    std::uint64_t waits_ = 0;  // Times that a spawn found no room.
};

}  // namespace wt::arena
