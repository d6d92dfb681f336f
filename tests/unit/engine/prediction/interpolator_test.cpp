// SPDX-License-Identifier: MIT
//
// Goal: what is shown lies between versions of one motion and nowhere else, and rewind takes a
// client's word only within its bounds (F42). Method: hand-made versions and views.
#include <doctest/doctest.h>

#include <vector>

#include "engine/prediction/interpolator.hpp"
#include "engine/prediction/replica_track.hpp"
#include "engine/prediction/rewind.hpp"
#include "tests/support/hand_writer.hpp"

namespace wt::prediction {
namespace {

constexpr PoseFields fields{.x = 0, .y = 1, .angle = 2, .angle_bits = 8, .cut = 3};

Version version(Tick tick, std::uint16_t x, std::uint16_t angle = 0, std::uint16_t cut = 0) {
    return {.tick = tick, .state = {.fields = {x, 500, angle, cut}}};
}
TickTime half_after(Tick tick) {
    return TickTime::at(tick) + TickTime{tick_one / 2};
}

AppliedTicks applied_to(std::initializer_list<Tick> ticks) {
    AppliedTicks applied;
    for (const Tick tick : ticks)
        applied.add(tick);
    return applied;
}

TEST_CASE("between two versions a blend, at one of them itself") {
    const std::vector<Version> all = {version(10, 100), version(13, 103), version(16, 112)};
    const AppliedTicks applied = applied_to({10, 13, 16});
    const Stream stream{.applied = applied};
    Shown shown = show({.versions = all}, stream, fields, half_after(14));
    CHECK(shown.as == ShownAs::interpolated);
    CHECK(shown.pose.x == (103 * pose_one + 9 * pose_one / 2));
    CHECK(shown.pose.y == 500 * pose_one);
    CHECK(shown.view == View{.at = half_after(14), .from = 13, .span = 3});
    shown = show({.versions = all}, stream, fields, TickTime::at(13));
    CHECK(shown.as == ShownAs::exact);
    CHECK(shown.pose.x == 103 * pose_one);
    shown = show({.versions = all}, stream, fields, TickTime::at(5));
    CHECK(shown.as == ShownAs::held);
    CHECK(shown.pose.x == 100 * pose_one);
    CHECK(shown.view == View{.at = TickTime::at(10), .from = 10, .span = 0});
}

TEST_CASE("beyond the newest it goes on for a while and then stands") {
    const std::vector<Version> all = {version(10, 100), version(13, 103)};
    const AppliedTicks applied = applied_to({10, 13});
    const Stream stream{.applied = applied, .beyond_ticks = 6};
    Shown shown = show({.versions = all}, stream, fields, TickTime::at(19));
    CHECK(shown.as == ShownAs::extrapolated);
    CHECK(shown.pose.x == 109 * pose_one);
    shown = show({.versions = all}, stream, fields, TickTime::at(25));
    CHECK(shown.as == ShownAs::held);
    CHECK(shown.pose.x == 109 * pose_one);
    // Where the stream went on without the object, it rests.
    const AppliedTicks later = applied_to({10, 13, 16});
    shown = show({.versions = all}, {.applied = later}, fields, TickTime::at(15));
    CHECK(shown.as == ShownAs::held);
    CHECK(shown.pose.x == 103 * pose_one);
}

TEST_CASE("a rest ends with the last snapshot that said nothing; a hole is bridged") {
    const std::vector<Version> all = {version(10, 100), version(40, 130)};
    const AppliedTicks rested = applied_to({10, 13, 37, 40});
    Shown shown = show({.versions = all}, {.applied = rested}, fields, TickTime::at(36));
    CHECK(shown.as == ShownAs::held);
    CHECK(shown.pose.x == 100 * pose_one);
    shown = show({.versions = all}, {.applied = rested}, fields, TickTime::at(38));
    CHECK(shown.pose.x == 110 * pose_one);
    CHECK(shown.view.from == 37);
    CHECK(shown.view.span == 3);
    const AppliedTicks lost = applied_to({10, 40});
    shown = show({.versions = all}, {.applied = lost}, fields, TickTime::at(25));
    CHECK(shown.as == ShownAs::interpolated);
    CHECK(shown.pose.x == 115 * pose_one);
    CHECK(shown.view.span == 30);
}

TEST_CASE("jumps and new owners are not blended over") {
    const std::vector<Version> jump = {version(10, 100, 0, 1), version(13, 900, 0, 2)};
    const AppliedTicks applied = applied_to({10, 13});
    CHECK(show({.versions = jump}, {.applied = applied}, fields, half_after(12)).pose.x ==
          100 * pose_one);
    CHECK(show({.versions = jump}, {.applied = applied}, fields, TickTime::at(15)).pose.x ==
          900 * pose_one);
    const std::vector<Version> same = {version(10, 100), version(13, 130)};
    const Track taken{.versions = same, .since = 12};
    CHECK(show(taken, {.applied = applied}, fields, half_after(11)).as == ShownAs::held);
    CHECK(show(taken, {.applied = applied}, fields, TickTime::at(15)).pose.x == 130 * pose_one);
}

TEST_CASE("angles take the short way round") {
    const std::vector<Version> all = {version(10, 0, 250), version(12, 0, 4)};
    const AppliedTicks applied = applied_to({10, 12});
    CHECK(show({.versions = all}, {.applied = applied}, fields, TickTime::at(11)).pose.angle ==
          255 * pose_one);
    const std::vector<Version> back = {version(10, 0, 4), version(12, 0, 250)};
    CHECK(show({.versions = back}, {.applied = applied}, fields, half_after(11)).pose.angle ==
          (252 * pose_one + pose_one / 2));
}

TEST_CASE("the two versions around a time are found in a store, across the wrap") {
    // 10 quanta a snapshot, three ticks apart, the last one past the wrap.
    const replication::HandWriter server;
    replication::ReplicaStore store(server.schemas);
    constexpr replication::ObjectId id{5, 1};
    const Tick last = 0x1'0000'0004;
    const auto wire = [&](Tick before) { return static_cast<std::uint32_t>(last - before); };
    REQUIRE(store.on_control(replication::ControlKind::spawn,
                             server.spawn(1, id, wire(9), replication::crate_kind, {{100}})) ==
            replication::ControlStatus::ok);
    for (std::uint16_t n = 1; n < 4; ++n) {
        const replication::State state{{static_cast<std::uint16_t>(100 + 10 * n)}};
        replication::SnapshotHead head{.tick = wire(9 - 3u * n), .number = n, .control_serial = 1};
        REQUIRE(store.on_snapshot(server.snapshot(head, id, 1, state), head) ==
                replication::SnapshotStatus::ok);
    }
    replication::ReplicaView view;
    REQUIRE(store.find(id, view));
    CHECK(view.tick == 4);
    VersionPair room;
    const auto found = [&](TickTime at) { return versions_around(store, view, last, at, room); };
    CHECK(found(TickTime::at(last + 5)).size() == 2);
    CHECK(room[1].tick == last);
    CHECK(room[0].tick == last - 3);
    CHECK(found(TickTime::at(last - 4)).size() == 2);
    CHECK(room[0].tick == last - 6);
    CHECK(room[0].state.fields[0] == 110);
    // The state of the spawn was replaced, and is there all the same.
    CHECK(found(TickTime::at(last - 50)).size() == 1);
    CHECK(room[0].tick == last - 9);
    CHECK(room[0].state.fields[0] == 100);
}

// An avatar that walks 10 quanta a tick, from tick 100 on.
PoseHistory walker(const RewindConfig& config, Tick until) {
    PoseHistory poses(config);
    for (Tick tick = 100; tick <= until; ++tick)
        poses.record(tick, 0, {.x = static_cast<std::int32_t>(tick - 100) * 10 * pose_one}, 7);
    return poses;
}

TEST_CASE("rewind is bounded by the history, not by the client's word") {
    PoseHistory poses = walker({.slots = 2, .ticks_max = 30, .span_max = 9}, 200);
    Pose pose;
    View view{.at = half_after(171), .from = 170, .span = 3};
    CHECK(poses.rebuild(200, 0, view, pose) == RewindStatus::ok);
    CHECK(pose.x == 715 * pose_one);
    // One tick beside is ten quanta beside: what the oracle of F42 would find.
    view.at = view.at + TickTime{tick_one};
    CHECK(poses.rebuild(200, 0, view, pose) == RewindStatus::ok);
    CHECK(pose.x == 725 * pose_one);
    CHECK(poses.rebuild(200, 0, {.at = TickTime::at(170), .from = 170}, pose) == RewindStatus::ok);
    CHECK(pose.x == 700 * pose_one);
    const View older{.at = TickTime::at(170) + TickTime{-1}, .from = 168, .span = 3};
    CHECK(poses.rebuild(200, 0, older, pose) == RewindStatus::clamped);
    CHECK(pose.x == 700 * pose_one);
    CHECK(poses.rebuild(200, 0, {.at = TickTime::at(5'000), .from = 4'999, .span = 1}, pose) ==
          RewindStatus::clamped);
    CHECK(pose.x == 1'000 * pose_one);
    CHECK(poses.rebuild(200, 0, {}, pose) == RewindStatus::clamped);
    CHECK(pose.x == 700 * pose_one);
}

TEST_CASE("versions that no client can have are replaced by the ticks around the time") {
    PoseHistory poses = walker({.slots = 1, .ticks_max = 30, .span_max = 9, .beyond_max = 6}, 200);
    Pose pose;
    for (const View& view : {View{.at = half_after(180), .from = 185, .span = 3},
                             View{.at = half_after(180), .from = 175, .span = 10},
                             View{.at = half_after(180), .from = 171, .span = 2},
                             View{.at = half_after(180), .from = 120, .span = 0}}) {
        CHECK(poses.rebuild(200, 0, view, pose) == RewindStatus::ok);
        CHECK(pose.x == 805 * pose_one);
    }
    CHECK(poses.counters().implausible == 4);
    // From 172 with a span of 2 the time lies just within the extrapolation.
    CHECK(poses.rebuild(200, 0, {.at = half_after(180), .from = 172, .span = 2}, pose) ==
          RewindStatus::ok);
    CHECK(poses.counters().implausible == 4);
}

TEST_CASE("who was not there, or jumped in between, is not hit") {
    PoseHistory poses = walker({.slots = 2}, 200);
    Pose pose{.x = 5};
    const View view{.at = half_after(180), .from = 180, .span = 3};
    CHECK(poses.rebuild(200, 1, view, pose) == RewindStatus::not_eligible);
    CHECK(pose.x == 5);
    poses.record(183, 0, {.x = 1}, 8);
    CHECK(poses.rebuild(200, 0, view, pose) == RewindStatus::not_eligible);
    CHECK(pose.x == 5);
    CHECK(poses.counters().not_eligible == 2);
    poses.reset();
    CHECK(poses.rebuild(200, 0, view, pose) == RewindStatus::not_eligible);
}

}  // namespace
}  // namespace wt::prediction
