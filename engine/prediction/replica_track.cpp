// SPDX-License-Identifier: MIT
#include "engine/prediction/replica_track.hpp"

namespace wt::prediction {

std::span<const Version> versions_around(const replication::ReplicaStore& store,
                                         const replication::ReplicaView& replica, Tick reference,
                                         TickTime at, VersionPair& room) {
    // From the newest back until one lies at or before the shown time; then one more where that was
    // the newest itself.
    room[1] = {.state = *replica.state};
    if (!widen_tick(reference, replica.tick, room[1].tick)) return {};
    for (std::uint32_t tick = replica.tick;;) {
        const replication::State* state = store.state_before(replica.id.slot, tick, tick);
        if (state == nullptr) break;
        room[0] = {.state = *state};
        if (!widen_tick(reference, tick, room[0].tick)) break;
        if (TickTime::at(room[0].tick) <= at) return room;
        room[1] = room[0];
    }
    room[0] = room[1];
    return std::span<const Version>(room).first(1);
}

}  // namespace wt::prediction
