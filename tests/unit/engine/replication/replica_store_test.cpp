// SPDX-License-Identifier: MIT
#include "engine/replication/replica_store.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/hand_writer.hpp"

namespace wt::replication::replica_store_test {

namespace {

using Bytes = HandWriter::Bytes;

struct Hand : HandWriter {
    ReplicaStore store{schemas, {.objects_max = 3, .pre_spawn_max = 2}};
    SnapshotHead head{};

    State state_of(ObjectId id) const {
        ReplicaView view;
        REQUIRE(store.find(id, view));
        return *view.state;
    }
};

constexpr ObjectId one{5, 1};
constexpr State first{{1, 1, 1, 1, 1}};
constexpr State second{{2, 2, 2, 2, 2}};

}  // namespace

TEST_CASE("store: control messages keep their order, and each counts once") {
    Hand hand;
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(2, one, 10)) ==
          ControlStatus::out_of_order);
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10)) == ControlStatus::ok);
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10)) ==
          ControlStatus::duplicate);
    CHECK(hand.store.count() == 1);
    CHECK(hand.store.counters().refused == 2);
    CHECK(hand.store.ack().control_serial == 1);
    // The same object again is no second one; of what is unknown nothing is despawned.
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(2, one, 11)) == ControlStatus::ok);
    CHECK(hand.store.counters().spawns_repeated == 1);
    CHECK(hand.store.on_control(ControlKind::despawn, Hand::despawn(3, {9, 1})) ==
          ControlStatus::ok);
    CHECK(hand.store.counters().despawns_unknown == 1);
    CHECK(hand.store.on_control(ControlKind::despawn, Hand::despawn(4, {5, 2})) ==
          ControlStatus::ok);
    CHECK(hand.store.count() == 1);
    CHECK(hand.store.on_control(ControlKind::despawn, Hand::despawn(5, one)) == ControlStatus::ok);
    CHECK(hand.store.count() == 0);
}

TEST_CASE("store: objects_max is a limit, and a refused batch leaves nothing behind") {
    Hand hand;
    for (std::uint16_t i = 0; i < 3; ++i)
        CHECK(hand.store.on_control(ControlKind::spawn,
                                    Hand::spawn(static_cast<std::uint16_t>(i + 1), {i, 1}, 10)) ==
              ControlStatus::ok);
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(4, {3, 1}, 10)) ==
          ControlStatus::full);
    CHECK(hand.store.count() == 3);
    CHECK(hand.store.applied_serial() == 3);
    // One that lives there already takes no room.
    CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(4, {2, 2}, 10)) ==
          ControlStatus::ok);
    CHECK(hand.store.count() == 3);
    const auto refused = [&](ObjectId id, std::uint16_t kind, State state) {
        CHECK(hand.store.on_control(ControlKind::spawn, Hand::spawn(5, id, 10, kind, state)) ==
              ControlStatus::malformed);
    };
    refused({static_cast<std::uint16_t>(slots_max), 1}, crate_kind, {});
    refused({1, 0}, crate_kind, {});
    refused({1, 1}, 99, {});
    refused({1, 1}, crate_kind, {{0, 0, 0x1000, 0, 0}});
    CHECK(hand.store.applied_serial() == 4);
}

TEST_CASE("store: a late snapshot resurrects nothing") {
    Hand hand;
    const SnapshotHead before{.tick = 12, .number = 1, .control_serial = 1};
    const Bytes absolute = hand.snapshot(before, one, 1, first);
    const Bytes delta =
        hand.snapshot({.tick = 13, .number = 2, .control_serial = 1}, one, 1, second, 3, first);
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10, crate_kind, first)) ==
            ControlStatus::ok);
    REQUIRE(hand.store.on_control(ControlKind::despawn, Hand::despawn(2, one)) ==
            ControlStatus::ok);
    // Both are about what is gone; their other objects would count.
    CHECK(hand.store.on_snapshot(absolute, hand.head) == SnapshotStatus::ok);
    CHECK(hand.store.on_snapshot(delta, hand.head) == SnapshotStatus::ok);
    CHECK(hand.store.count() == 0);
    CHECK(hand.store.pre_spawn_count() == 0);
    CHECK(hand.store.counters().states_dead == 2);
    // The slot's next life is of another kind, and of a later tick.
    const ObjectId next{5, 2};
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(3, next, 20, avatar_kind,
                                                                  second)) == ControlStatus::ok);
    const SnapshotHead late{.tick = 14, .number = 3, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(late, one, 1, first, 4, first), hand.head) ==
          SnapshotStatus::late);
    CHECK(hand.store.on_snapshot(hand.snapshot(late, one, 1, first), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.state_of(next) == second);
    // Even with the right generation: the state is older than the life.
    const SnapshotHead older{.tick = 19, .number = 4, .control_serial = 2};
    CHECK(hand.store.on_snapshot(hand.snapshot(older, next, 0, first), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.state_of(next) == second);
}

TEST_CASE("store: early states wait for their object, in bounds") {
    Hand hand;
    const auto early = [&](std::uint16_t number, ObjectId id, const State& state) {
        const SnapshotHead about{.tick = 20u + number, .number = number, .control_serial = 3};
        return hand.store.on_snapshot(hand.snapshot(about, id, 1, state), hand.head);
    };
    CHECK(early(1, {1, 1}, first) == SnapshotStatus::ok);
    CHECK(early(2, {1, 1}, second) == SnapshotStatus::ok);
    CHECK(early(3, {2, 1}, first) == SnapshotStatus::ok);
    CHECK(hand.store.pre_spawn_count() == 2);
    CHECK(early(4, {3, 1}, second) == SnapshotStatus::ok);
    CHECK(hand.store.pre_spawn_count() == 2);
    CHECK(hand.store.counters().pre_spawn_refused == 1);
    CHECK(hand.store.count() == 0);
    Bytes room(request_bytes_max);
    CHECK(hand.store.next_keyframe_request(1, room) == 0);
    for (std::uint16_t slot = 1; slot <= 3; ++slot)
        REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(slot, {slot, 1}, 20)) ==
                ControlStatus::ok);
    CHECK(hand.store.pre_spawn_count() == 0);
    CHECK(hand.state_of({1, 1}) == second);
    CHECK(hand.state_of({2, 1}) == first);
    CHECK(hand.state_of({3, 1}) == State{});
    // The one that found no room is asked for, again and again, until it comes.
    KeyframeRequest request;
    for (const std::uint64_t now : {10u, 25u, 40u}) {
        CHECK(hand.store.next_keyframe_request(now, room) == request_head_bytes + despawn_bytes);
        CHECK(hand.store.next_keyframe_request(now + 14, room) == 0);
    }
    REQUIRE(read_request(ConstBytes(room).first(request_head_bytes + despawn_bytes), request));
    CHECK(request.ids[0] == ObjectId{3, 1});
    CHECK(early(5, {3, 1}, second) == SnapshotStatus::ok);
    CHECK(hand.state_of({3, 1}) == second);
    CHECK(hand.store.next_keyframe_request(99, room) == 0);
}

TEST_CASE("store: a delta without its baseline is skipped, and its object asked for") {
    Hand hand;
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10, crate_kind, first)) ==
            ControlStatus::ok);
    const SnapshotHead about{.tick = 13, .number = 1, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(about, one, 1, second, 2, first), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.store.counters().baseline_misses == 1);
    CHECK(hand.state_of(one) == first);
    Bytes room(request_bytes_max);
    CHECK(hand.store.next_keyframe_request(5, room) > 0);
    // A slot of which nothing was ever heard has no kind: the message cannot be read.
    CHECK(hand.store.on_snapshot(hand.snapshot({.tick = 14, .number = 2, .control_serial = 1},
                                               {6, 1}, 1, second, 2, first),
                                 hand.head) == SnapshotStatus::unknown);
    CHECK(hand.store.ack().newest == 1);
}

TEST_CASE("store: numbers, masks and ticks, also where they wrap") {
    Hand hand;
    const auto take = [&](std::uint16_t number, std::uint32_t tick) {
        Bytes bytes(head_bytes);
        CHECK(write_head({.tick = tick, .number = number}, bytes));
        return hand.store.on_snapshot(bytes, hand.head);
    };
    CHECK_FALSE(hand.store.ack().has_snapshot());
    CHECK(take(0xfffe, 0xffff'fff0) == SnapshotStatus::ok);
    CHECK(take(0xfffe, 0xffff'fff0) == SnapshotStatus::duplicate);
    CHECK(take(1, 5) == SnapshotStatus::ok);
    CHECK(hand.store.ack().newest == 1);
    CHECK(hand.store.ack().mask == 0b100);
    CHECK(take(0xffff, 2) == SnapshotStatus::ok);
    CHECK(hand.store.ack().mask == 0b110);
    CHECK(take(0xffff, 2) == SnapshotStatus::duplicate);
    // A newer number of an older tick, an older number of a newer tick.
    CHECK(take(2, 4) == SnapshotStatus::malformed);
    CHECK(take(0, 6) == SnapshotStatus::malformed);
    CHECK(hand.store.newest_tick() == 5);
    CHECK(take(33, 60) == SnapshotStatus::ok);
    CHECK(hand.store.ack().mask == 0x8000'0000);  // 1 is just in it.
    CHECK(take(1, 5) == SnapshotStatus::duplicate);
    CHECK(take(0, 5) == SnapshotStatus::stale);
    CHECK(take(34, 60) == SnapshotStatus::ok);
    CHECK(hand.store.ack().mask == 1);
}

TEST_CASE("store: states are kept for 80 ticks, newest first") {
    Hand hand;
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10)) ==
            ControlStatus::ok);
    for (std::uint16_t n = 1; n <= 30; ++n) {
        const State state{{n, 0, 0, 0, 0}};
        const SnapshotHead about{.tick = 10u + 3 * n, .number = n, .control_serial = 1};
        REQUIRE(hand.store.on_snapshot(hand.snapshot(about, one, 1, state), hand.head) ==
                SnapshotStatus::ok);
    }
    ReplicaView view;
    REQUIRE(hand.store.find(one, view));
    CHECK(view.tick == 100);
    CHECK(view.state->fields[0] == 30);
    std::uint32_t tick = view.tick;
    for (std::uint16_t n = 29; n >= 6; --n) {
        const State* state = hand.store.state_before(one.slot, tick, tick);
        REQUIRE(state != nullptr);
        CHECK(tick == 10u + 3 * n);
        CHECK(state->fields[0] == n);
    }
    // What came at 25 had its 80 ticks when the one after 103 came, and 28 had not.
    const SnapshotHead about{.tick = 106, .number = 31, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(about, one, 1, first), hand.head) ==
          SnapshotStatus::ok);
    const SnapshotHead next{.tick = 107, .number = 32, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(next, one, 1, second, 107 - 46, {{12, 0, 0, 0, 0}}),
                                 hand.head) == SnapshotStatus::ok);
    CHECK(hand.state_of(one) == second);
    CHECK(hand.store.state_before(one.slot, 29, tick) != nullptr);
    CHECK(tick == 28);
    CHECK(hand.store.state_before(one.slot, 28, tick) == nullptr);
    CHECK(hand.store.counters().baseline_misses == 0);
}

TEST_CASE("store: a newest state outlives the log, and what it was replaced by finds it") {
    Hand hand;
    const ObjectId other{4, 1};
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10)) ==
            ControlStatus::ok);
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(2, other, 10)) ==
            ControlStatus::ok);
    const auto take = [&](std::uint16_t number, ObjectId id, const State& state) {
        const SnapshotHead about{.tick = 10u + 3 * number, .number = number, .control_serial = 2};
        CHECK(hand.store.on_snapshot(hand.snapshot(about, id, 1, state), hand.head) ==
              SnapshotStatus::ok);
    };
    take(1, one, first);
    for (std::uint16_t number = 2; number <= 40; ++number) {
        take(number, other, {{number, 0, 0, 0, 0}});
        ReplicaView view;
        REQUIRE(hand.store.find(one, view));
        REQUIRE(view.tick == 13);
        REQUIRE(*view.state == first);
        std::uint32_t seen = 0;
        hand.store.visit([&](const ReplicaView& each) {
            CHECK(each.state->fields[0] == (each.id == one ? 1 : number));
            ++seen;
        });
        REQUIRE(seen == 2);
    }
    std::uint32_t tick = 0;
    CHECK(hand.store.state_before(one.slot, 13, tick) == nullptr);
    take(41, one, second);
    CHECK(hand.state_of(one) == second);
    const State* const before = hand.store.state_before(one.slot, 133, tick);
    REQUIRE(before != nullptr);
    CHECK(*before == first);
    CHECK(tick == 13);
    // 80 ticks later nobody asks for it any more.
    for (std::uint16_t number = 42; number <= 68; ++number)
        take(number, other, {{number, 0, 0, 0, 0}});
    CHECK(hand.store.state_before(one.slot, 133, tick) == nullptr);
    // The slot's next life has nothing of this one.
    REQUIRE(hand.store.on_control(ControlKind::despawn, Hand::despawn(3, one)) ==
            ControlStatus::ok);
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(4, {one.slot, 2}, 300)) ==
            ControlStatus::ok);
    CHECK(hand.state_of({one.slot, 2}) == State{});
    CHECK(hand.store.state_before(one.slot, 300, tick) == nullptr);
}

TEST_CASE("store: a baseline that nobody sent is missed, and asked for") {
    Hand hand;
    REQUIRE(hand.store.on_control(ControlKind::spawn, Hand::spawn(1, one, 10)) ==
            ControlStatus::ok);
    const SnapshotHead about{.tick = 50, .number = 1, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(about, one, 1, first, 39), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.state_of(one) == State{});
    CHECK(hand.store.counters().baseline_misses == 1);
    // The spawn's own state is one.
    const SnapshotHead next{.tick = 51, .number = 2, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(next, one, 1, first, 41), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.state_of(one) == first);
    // And stays one after it was replaced.
    const SnapshotHead last{.tick = 53, .number = 3, .control_serial = 1};
    CHECK(hand.store.on_snapshot(hand.snapshot(last, one, 1, second, 43), hand.head) ==
          SnapshotStatus::ok);
    CHECK(hand.state_of(one) == second);
    CHECK(hand.store.counters().baseline_misses == 1);
}

}  // namespace wt::replication::replica_store_test
