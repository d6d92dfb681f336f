// SPDX-License-Identifier: MIT
//
// From a client's replicas to the interpolator: the two versions of one object that matter at the
// shown time, found from the newest back, since that is where the shown time lies.
#pragma once

#include <array>
#include <span>

#include "engine/prediction/interpolator.hpp"
#include "engine/replication/replica_store.hpp"

namespace wt::prediction {

// Room for the versions of one object around one instant.
using VersionPair = std::array<Version, 2>;

// The last version at or before `at` and the first after it; at or beyond the newest the newest
// two; before the oldest that is kept that one alone. `reference` is a tick near the newest
// snapshot's, more than half a turn from the replica's: empty. The span lies in `room`.
[[nodiscard]] std::span<const Version> versions_around(const replication::ReplicaStore& store,
                                                       const replication::ReplicaView& replica,
                                                       Tick reference, TickTime at,
                                                       VersionPair& room);

}  // namespace wt::prediction
