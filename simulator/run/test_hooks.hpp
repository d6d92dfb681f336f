// SPDX-License-Identifier: MIT
//
// Deliberate breaks of the game's parts, for tests that must see their oracle fail. Nothing in the
// language and no option of the command line reaches them.
#pragma once

#include <cstdint>

#include "engine/replication/peer_types.hpp"

namespace wt::sim {

struct TestHooks {
    // Each client's own player goes so much too far along x in each tick that it predicts.
    std::int32_t broken_prediction_mm = 0;
    // Clients take the snapshot that follows the last one and no other.
    bool clients_want_every_snapshot = false;
    // The server sends each snapshot a second time where nothing may be lost.
    bool reliable_snapshots = false;
    replication::PeerFault replication = replication::PeerFault::none;
};

}  // namespace wt::sim
