// SPDX-License-Identifier: MIT
//
// Reports from the field about replication (FIELD_REPORTS, F30 to F41), each with an oracle and,
// where one rule stands against it, the same run with that rule broken.
#include <doctest/doctest.h>

#include "tests/support/replication_crowd.hpp"
#include "tests/support/replication_lab.hpp"

namespace wt::replication::replication_field_test {
namespace {

Chance percent(std::uint32_t n) {
    return Chance::ppm(n * 10'000);
}

struct LostRequests {
    std::uint64_t requests = 0;
    std::uint64_t misses = 0;
    bool settled = false;
};

// 40 movers; the control lane stands still for a second, so that more early states come than the
// client may hold, and the first three keyframe requests are lost.
LostRequests run_lost_requests(PeerFault fault) {
    ReplicationLab lab({.seed = 30, .delay_min = 3, .delay_max = 3, .store = {.pre_spawn_max = 5}});
    lab.peer.set_fault(fault);
    Crowd crowd(lab.table, lab.luck(), 40, crate_kind);
    const std::uint64_t begin = lab.tick();
    lab.hold_control = [&] { return lab.tick() < begin + 60; };
    std::uint64_t asked = 0;
    lab.swallow_request = [&](ConstBytes) { return ++asked <= 3; };
    // They stop before the spawns arrive: no later change can repair what is missing.
    for (int i = 0; i < 30; ++i)
        lab.step([&] { crowd.walk(100, 9); });
    const bool settled = lab.settle(240) <= 240;
    return {lab.store.counters().keyframe_requests, lab.store.counters().baseline_misses, settled};
}

}  // namespace

TEST_CASE("F30: a keyframe request that is lost three times is asked again") {
    const LostRequests right = run_lost_requests(PeerFault::none);
    CHECK(right.settled);
    CHECK(right.requests == 4);
    const LostRequests broken = run_lost_requests(PeerFault::ignore_requests);
    CHECK_FALSE(broken.settled);
}

TEST_CASE("F30: a flood of keyframe requests costs its budget and no more") {
    ReplicationLab lab({.seed = 31});
    Crowd crowd(lab.table, lab.luck(), 500, crate_kind);
    REQUIRE(lab.settle(60) <= 60);
    std::array<std::uint8_t, request_bytes_max> room{};
    const std::size_t bytes = write_request({.everything = true}, room);
    const std::uint64_t bits_before = lab.object_bits;
    std::uint64_t taken = 0;
    constexpr int ticks = 600;
    for (int i = 0; i < ticks; ++i) {
        lab.step();
        for (int n = 0; n < 20; ++n) {
            const RequestStatus status =
                lab.peer.on_keyframe_request(lab.table, ConstBytes(room).first(bytes));
            taken += status == RequestStatus::ok ? 1 : 0;
        }
    }
    // A burst of 4 and one each 6 ticks; never more than the snapshots' own budget.
    CHECK(taken <= 4 + ticks / 6 + 1);
    CHECK(lab.peer.counters().requests_refused == 20 * ticks - taken);
    CHECK(lab.object_bits - bits_before <= std::uint64_t{ticks} / 3 * 1'052 * 8);
    // Coalesced: what waits already is not taken again.
    CHECK(lab.peer.counters().ids_coalesced > 0);
    CHECK(lab.settle(240) <= 240);
}

TEST_CASE("F31: 1,000 spawns and despawns a second at 10 % loss and reordering leak nothing") {
    const auto run = [](PeerFault fault) {
        ReplicationLab lab({.seed = 32,
                            .objects_max = 4'096,
                            .loss = percent(10),
                            .duplicate = percent(2),
                            .delay_min = 2,
                            .delay_max = 6});
        lab.peer.set_fault(fault);
        Crowd crowd(lab.table, lab.luck(), 400, crate_kind);
        for (int i = 0; i < 600; ++i) {
            lab.step([&] {
                // 60 ticks of 17 each way are 1,020 a second.
                for (int n = 0; n < 17; ++n) {
                    crowd.spawn(static_cast<std::uint16_t>(1 + lab.luck().below(2)));
                    crowd.despawn(lab.luck().below(crowd.ids.size()));
                }
                // Some live for less than a tick: no peer may hear of them.
                crowd.spawn(crate_kind);
                crowd.despawn(crowd.ids.size() - 1);
                crowd.walk(30, 30);
            });
        }
        const bool settled = lab.settle(240) <= 240;
        CHECK(lab.peer.counters().spawns > 9'000);
        CHECK(lab.store.counters().despawns_unknown == 0);
        const bool equal = lab.store.count() == 400 &&
                           lab.store.checksum() == expected_checksum(lab.table, lab.peer);
        return settled && equal && lab.resurrected == 0 && lab.differing == 0;
    };
    CHECK(run(PeerFault::none));
    CHECK_FALSE(run(PeerFault::reuse_at_once));
}

TEST_CASE("F33: objects at tick 0, without state, and for late comers") {
    ReplicationLab lab({.seed = 33, .first_tick = 0});
    const std::optional<ObjectId> empty = lab.table.spawn(crate_kind, no_owner, {});
    REQUIRE(empty.has_value());
    REQUIRE(lab.settle(30) <= 12);
    ReplicaView view;
    REQUIRE(lab.store.find(*empty, view));
    CHECK(*view.state == State{});
    CHECK(view.tick == 0);
    // An hour later somebody else joins, and then the object moves for the first time.
    for (int i = 0; i < 3 * 60 * 60; ++i)
        lab.step();
    lab.reconnect();
    REQUIRE(lab.settle(30) <= 12);
    REQUIRE(lab.store.find(*empty, view));
    CHECK(*view.state == State{});
    lab.step([&] { lab.table.write(*empty, {{1, 0, 0, 0, 0}}); });
    REQUIRE(lab.settle(30) <= 12);
    REQUIRE(lab.store.find(*empty, view));
    CHECK(*view.state == State{{1, 0, 0, 0, 0}});
}

TEST_CASE("F37: a join whose control lane takes 5 s while the world churns leaves no ghosts") {
    const auto run = [](std::uint32_t held, PeerFault fault) {
        ReplicationLab lab({.seed = 37,
                            .loss = percent(5),
                            .delay_min = 2,
                            .delay_max = 5,
                            .store = {.pre_spawn_max = held}});
        lab.peer.set_fault(fault);
        Crowd crowd(lab.table, lab.luck(), 300, crate_kind);
        const std::uint64_t begin = lab.tick();
        lab.hold_control = [&] { return lab.tick() <= begin + 300; };
        for (int i = 0; i < 300; ++i) {
            lab.step([&] {
                crowd.walk(40, 25);
                crowd.spawn(crate_kind);
                crowd.despawn(lab.luck().below(crowd.ids.size()));
            });
            CHECK(lab.store.pre_spawn_count() <= held);
        }
        CHECK(lab.store.count() == 0);
        const bool settled = lab.settle(300) <= 300;
        return settled && lab.store.count() == 300 && lab.differing == 0 && lab.resurrected == 0;
    };
    for (const std::uint32_t held : {0u, 16u, 256u}) {
        CAPTURE(held);
        CHECK(run(held, PeerFault::none));
        CHECK_FALSE(run(held, PeerFault::reuse_at_once));
    }
}

TEST_CASE("F39: old acknowledgements mean nothing to a new epoch") {
    ReplicationLab lab({.seed = 39, .delay_min = 2, .delay_max = 2});
    Crowd crowd(lab.table, lab.luck(), 60, crate_kind);
    for (int i = 0; i < 120; ++i)
        lab.step([&] { crowd.walk(100, 20); });
    const SnapshotAck old = lab.store.ack();
    lab.reconnect();
    // Nothing was sent in this epoch yet, later nothing under that number.
    const SnapshotAck late{.newest = old.newest, .mask = old.mask};
    CHECK(lab.peer.on_ack(lab.table, late) == AckStatus::from_future);
    for (int i = 0; i < 240; ++i) {
        lab.step([&] { crowd.walk(100, 20); });
        if (i >= 3) CHECK(lab.peer.on_ack(lab.table, late) == AckStatus::ok);
    }
    CHECK(lab.store.counters().baseline_misses == 0);
    CHECK(lab.differing == 0);
    CHECK(lab.settle(60) <= 30);
}

TEST_CASE("F39: a round trip of many snapshots, and a restart of the server in it") {
    // 3 s at 20 snapshots a second: 60 under way, none of which can be a baseline in time.
    ReplicationLab lab({.seed = 40, .delay_min = 90, .delay_max = 90});
    Crowd crowd(lab.table, lab.luck(), 30, crate_kind);
    for (int i = 0; i < 600; ++i)
        lab.step([&] { crowd.walk(100, 20); });
    CHECK(lab.store.counters().baseline_misses == 0);
    CHECK(lab.differing == 0);
    CHECK(lab.store.counters().states_applied > 1'000);
    lab.reconnect();
    for (int i = 0; i < 300; ++i)
        lab.step([&] { crowd.walk(100, 20); });
    CHECK(lab.store.counters().baseline_misses == 0);
    CHECK(lab.settle(600) <= 600);
}

TEST_CASE("F39: the base is what was acknowledged, never just the frame before") {
    const auto misses = [](PeerFault fault) {
        ReplicationLab lab({.seed = 41, .loss = percent(10), .delay_min = 6, .delay_max = 6});
        lab.peer.set_fault(fault);
        Crowd crowd(lab.table, lab.luck(), 30, crate_kind);
        for (int i = 0; i < 300; ++i)
            lab.step([&] { crowd.walk(100, 20); });
        return lab.store.counters().baseline_misses;
    };
    CHECK(misses(PeerFault::none) == 0);
    CHECK(misses(PeerFault::assume_delivered) > 0);
}

TEST_CASE("F40: storms of despawns leave the updates of others alone") {
    const auto worst_age = [](bool storms) {
        ReplicationLab lab({.seed = 41, .delay_min = 2, .delay_max = 4});
        Crowd steady(lab.table, lab.luck(), 50, avatar_kind);
        Crowd others(lab.table, lab.luck(), 400, crate_kind);
        CHECK(lab.settle(60) <= 60);
        std::uint32_t worst = 0;
        for (int i = 0; i < 300; ++i) {
            lab.step([&] {
                steady.walk(100, 20);
                if (!storms || i % 30 != 0) return;
                for (int n = 0; n < 200; ++n) {
                    others.despawn(lab.luck().below(others.ids.size()));
                    others.spawn(crate_kind);
                }
            });
            for (const ObjectId id : steady.ids) {
                ReplicaView view;
                if (i < 20 || !lab.store.find(id, view)) continue;
                worst = std::max(worst, static_cast<std::uint32_t>(lab.tick()) - view.tick);
            }
        }
        CHECK(lab.statuses[static_cast<std::size_t>(SnapshotStatus::late)] == 0);
        return worst;
    };
    const std::uint32_t calm = worst_age(false);
    // A snapshot each 3 ticks, up to 4 under way, seen in the tick after.
    CHECK(calm <= 3 + 4 + 1);
    CHECK(worst_age(true) <= calm + 3);
}

}  // namespace wt::replication::replication_field_test
