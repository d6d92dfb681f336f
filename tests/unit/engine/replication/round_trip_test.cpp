// SPDX-License-Identifier: MIT
//
// The whole way in memory: table, peer, bytes, store. Perfect channel here; lossy ones in
// tests/sim/replication_*.
#include <doctest/doctest.h>

#include "tests/support/replication_crowd.hpp"
#include "tests/support/replication_lab.hpp"

namespace wt::replication::round_trip_test {

TEST_CASE("round trip: a walking crowd is the same at both ends, tick for tick") {
    ReplicationLab lab({.seed = 3});
    Crowd crowd(lab.table, lab.luck(), 200, crate_kind);
    for (int i = 0; i < 300; ++i)
        lab.step([&] { crowd.walk(30, 20); });
    CHECK(lab.differing == 0);
    CHECK(lab.resurrected == 0);
    CHECK(lab.settle(60) <= 12);
    CHECK(lab.store.count() == 200);
    CHECK(lab.store.checksum() == expected_checksum(lab.table, lab.peer));
    CHECK(lab.store.counters().baseline_misses == 0);
    CHECK(lab.store.counters().refused == 0);
    CHECK(lab.peer.counters().versions_lost == 0);
}

TEST_CASE("round trip: what rests is sent no more") {
    ReplicationLab lab({.seed = 4});
    Crowd crowd(lab.table, lab.luck(), 100, crate_kind);
    CHECK(lab.settle(30) <= 12);
    const std::uint64_t sent = lab.objects_sent;
    for (int i = 0; i < 60; ++i)
        lab.step();
    CHECK(lab.objects_sent == sent);
    CHECK(lab.last.visited == 0);
    CHECK(lab.last.bytes == head_bytes);
}

TEST_CASE("round trip: despawned objects go, and their slots live again") {
    ReplicationLab lab({.seed = 5});
    Crowd crowd(lab.table, lab.luck(), 50, crate_kind);
    CHECK(lab.settle(30) <= 12);
    const ObjectId gone = crowd.ids[10];
    lab.step([&] { crowd.despawn(10); });
    CHECK_FALSE(lab.table.is_alive(gone));
    CHECK(lab.settle(30) <= 12);
    CHECK(lab.store.count() == 49);
    ReplicaView view;
    CHECK_FALSE(lab.store.find(gone, view));
    lab.step([&] { crowd.spawn(avatar_kind, 7); });
    CHECK(lab.settle(30) <= 12);
    const ObjectId born = crowd.ids.back();
    CHECK(born.slot == gone.slot);
    CHECK(born.generation == gone.generation + 1);
    REQUIRE(lab.store.find(born, view));
    CHECK(view.kind == avatar_kind);
    CHECK(view.owner == 7);
}

}  // namespace wt::replication::round_trip_test
