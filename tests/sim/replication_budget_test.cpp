// SPDX-License-Identifier: MIT
//
// Under a hard budget: everybody's wait ends, the nearest are nearly always there, spawns go on,
// and what rests costs nothing (F41, and the cost shapes of dormant objects).
#include <doctest/doctest.h>

#include "tests/support/replication_crowd.hpp"
#include "tests/support/replication_lab.hpp"

namespace wt::replication::replication_budget_test {
namespace {

constexpr std::uint32_t avatars = 40;
constexpr std::uint32_t objects = 1'000;
constexpr std::uint32_t snapshot_every = 3;

struct Famine {
    std::uint32_t worst_wait = 0;     // Ticks, of any object, once running.
    std::uint32_t nearest_share = 0;  // Per thousand, of the nearest 16 in all snapshots.
    std::uint32_t newcomer_wait = 0;  // Until the client has a spawn of then.
    std::uint32_t sent_each = 0;      // Objects a snapshot.
};

// Every object moves at every tick; the payload holds a quarter of what they need.
Famine run_famine(PeerFault fault) {
    ReplicationLab lab({.seed = 41, .payload_bytes = 4 * 1'052});
    Crowd players(lab.table, lab.luck(), avatars, avatar_kind);
    Crowd others(lab.table, lab.luck(), objects - avatars, crate_kind);
    const auto game = [&] {
        players.walk(100, 8);
        others.walk(100, 8);
    };
    lab.peer.set_fault(fault);
    for (int i = 0; i < 60; ++i)
        lab.step(game);
    // What all of them take, with nothing left over:
    lab.config.payload_bytes = 40'000;
    for (int i = 0; i < 30; ++i)
        lab.step(game);
    lab.config.payload_bytes = lab.last.bytes / 4;
    Famine out;
    std::uint64_t hits = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t sent = 0;
    for (int i = 0; i < 900; ++i) {
        lab.step(game);
        if (lab.tick() % snapshot_every != 0 || i < 300) continue;
        ++snapshots;
        sent += lab.last.objects;
        out.worst_wait = std::max(out.worst_wait, lab.peer.staleness(lab.table));
        // The client got it a tick later; here the server's word that it waits no more.
        std::vector<std::pair<std::uint64_t, ObjectId>> order;
        for (const ObjectId id : players.ids) {
            const std::uint64_t x = lab.table.x_of(id.slot);
            const std::uint64_t y = lab.table.y_of(id.slot);
            order.emplace_back(x * x + y * y, id);
        }
        std::sort(order.begin(), order.end());
        for (std::size_t n = 0; n < 16; ++n)
            hits += lab.peer.is_pending(order[n].second.slot) ? 0u : 1u;
    }
    out.nearest_share = static_cast<std::uint32_t>(hits * 1'000 / (snapshots * 16));
    out.sent_each = static_cast<std::uint32_t>(sent / snapshots);
    others.spawn(crate_kind);
    const ObjectId newcomer = others.ids.back();
    ReplicaView view;
    while (!lab.store.find(newcomer, view) && out.newcomer_wait < 600) {
        lab.step(game);
        ++out.newcomer_wait;
    }
    return out;
}

}  // namespace

TEST_CASE("F41: at a quarter of the budget every wait ends, and the nearest are there") {
    const Famine famine = run_famine(PeerFault::none);
    CHECK(famine.sent_each >= objects / 5);
    CHECK(famine.sent_each <= objects / 3);
    CHECK(famine.nearest_share >= 970);
    CHECK(famine.newcomer_wait <= 4);
    // The nearest 20 come every time; what is left serves the others in turns. The lightest have
    // half of an avatar's weight: while one of them waits, an avatar comes at most twice. So a turn
    // takes (others + 2 x avatars) / (sent - 20) snapshots, and one more for where it began.
    const std::uint32_t turn = (objects - avatars + 2 * avatars) / (famine.sent_each - 20) + 1;
    CHECK(famine.worst_wait <= (turn + 1) * snapshot_every);
    const Famine broken = run_famine(PeerFault::never_wait);
    CHECK(broken.worst_wait > (turn + 1) * snapshot_every);
}

TEST_CASE("budget: staleness is what was never put, not what is under way") {
    ReplicationLab lab({.seed = 5, .delay_min = 20, .delay_max = 20});
    Crowd crowd(lab.table, lab.luck(), 10, crate_kind);
    REQUIRE(lab.settle(120) <= 120);
    lab.step([&] { crowd.walk(100, 9); });
    while (lab.tick() % snapshot_every != 0) {
        CHECK(lab.peer.staleness(lab.table) <= snapshot_every);
        lab.step();
    }
    // Put, and far from acknowledged.
    CHECK(lab.peer.staleness(lab.table) == 0);
    CHECK_FALSE(lab.peer.is_settled());
}

TEST_CASE("dormancy: 10,000 objects at rest cost what 100 do") {
    struct Cost {
        std::uint64_t visited = 0;
        std::uint64_t bytes = 0;
        std::size_t memory = 0;
    };
    const auto run = [](std::uint32_t dormant) {
        ReplicationLab lab({.seed = 6, .objects_max = 16'384, .store = {.objects_max = 16'384}});
        Crowd movers(lab.table, lab.luck(), 50, crate_kind);
        Crowd sleepers(lab.table, lab.luck(), dormant, crate_kind);
        REQUIRE(lab.settle(600) <= 600);
        Cost cost;
        for (int i = 0; i < 120; ++i) {
            lab.step([&] { movers.walk(100, 9); });
            cost.visited += lab.peer.visited();
            if (lab.tick() % snapshot_every != 0) continue;
            cost.visited += lab.last.visited;
            cost.bytes += lab.last.bytes;
        }
        cost.memory = lab.peer.memory();
        return cost;
    };
    const Cost few = run(100);
    const Cost many = run(10'000);
    // Movers change cells now and then, at their own places: those visits alone may differ.
    CHECK(many.visited <= few.visited + 60);
    CHECK(few.visited >= 50 * 40);
    CHECK(many.bytes <= few.bytes + few.bytes / 50);
    // 6 B, a bit in each of 32 snapshots, and what rounding up to steps of 256 slots adds.
    CHECK(many.memory - few.memory <= 9'900 * 64);
    CHECK(many.memory - few.memory >= 9'900 * PeerReplication::entry_bytes);
}

}  // namespace wt::replication::replication_budget_test
