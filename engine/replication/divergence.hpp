// SPDX-License-Identifier: MIT
//
// How far a client's copy is from the server's truth, for whoever can see both ends: tests and the
// metric peers.divergence. Nothing in a protocol depends on it.
#pragma once

#include <cstdint>

#include "engine/replication/object_table.hpp"
#include "engine/replication/peer_replication.hpp"
#include "engine/replication/replica_store.hpp"

namespace wt::replication {

struct Divergence {
    std::uint32_t differing = 0;    // Another kind, or another state than the server had at the
                                    // replica's own tick.
    std::uint32_t owners = 0;       // Another owner than it has now; no fault by itself.
    std::uint32_t behind = 0;       // Not the newest state; no fault by itself.
    std::uint32_t missing = 0;      // Relevant, not at the client.
    std::uint32_t extra = 0;        // At the client, not relevant (any more).
    std::uint32_t resurrected = 0;  // At the client, and the server counts on it being gone.
    std::uint32_t unknown = 0;      // Of a tick that the server has forgotten.
    std::uint32_t under_way = 0;    // Of missing and extra: their spawn or despawn was sent and is
                                    // not confirmed, so nobody can say that they should be there.

    [[nodiscard]] std::uint32_t total() const { return differing + missing + extra; }
    // What no message under way will mend.
    [[nodiscard]] std::uint32_t unexplained() const { return total() - under_way; }
    // Nothing is different, late or unknown: the copy is the table.
    [[nodiscard]] bool is_converged() const { return total() + owners + behind + unknown == 0; }
};

// After commit() and update_interest() of the table's tick.
[[nodiscard]] Divergence compare(const ObjectTable& table, const PeerReplication& peer,
                                 const ReplicaStore& store);

// ReplicaStore::checksum() of a client that has exactly what is relevant to `peer` now.
[[nodiscard]] std::uint64_t expected_checksum(const ObjectTable& table,
                                              const PeerReplication& peer);

}  // namespace wt::replication
