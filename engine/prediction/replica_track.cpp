// SPDX-License-Identifier: MIT
#include "engine/prediction/replica_track.hpp"

namespace wt::prediction {

std::span<const Version> versions_around(const replication::ReplicaView& replica, Tick reference,
                                         TickTime at, VersionPair& room) {
    const unsigned count = replica.versions->count;
    if (count == 0) return {};
    // From the newest back until one lies at or before the shown time; then one more where that was
    // the newest itself.
    room[1] = {.state = replica.state_at(0)};
    if (!widen_tick(reference, replica.tick_at(0), room[1].tick)) return {};
    for (unsigned back = 1; back < count; ++back) {
        room[0] = {.state = replica.state_at(back)};
        if (!widen_tick(reference, replica.tick_at(back), room[0].tick)) break;
        if (room[0].tick >= room[1].tick) break;
        if (TickTime::at(room[0].tick) <= at) return room;
        room[1] = room[0];
    }
    room[0] = room[1];
    return std::span<const Version>(room).first(1);
}

}  // namespace wt::prediction
