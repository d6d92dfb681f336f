// SPDX-License-Identifier: MIT
//
// Shots of the arena: a straight line from where the shooter stands, against the bodies as the
// shooter saw them.
#include <algorithm>

#include "engine/arena/arena.hpp"
#include "engine/arena/hit.hpp"
#include "engine/base/check.hpp"

namespace wt::arena {

void Arena::shoot(std::uint32_t slot, const PlayerInput& input) {
    ++counters_.shots;
    const PlayerState& shooter = players_[slot];
    const ShotLine line = line_of(shooter);
    // Poses of this tick are not recorded yet: the newest that anybody can have seen is the last.
    const std::uint64_t newest = next_tick_ - 1;
    std::uint32_t hit = nobody;
    std::int64_t nearest = 0;
    // A body may have been a way off its cell of today: what it can run in the rewind, and a jump
    // cuts it off. Half the range around the middle of the line covers the line itself.
    constexpr std::int32_t half = millimetres(shot_range_mm) / 2;
    const std::int32_t x =
        line.x + static_cast<std::int32_t>(std::int64_t{half} * line.way.x / direction_one);
    const std::int32_t y =
        line.y + static_cast<std::int32_t>(std::int64_t{half} * line.way.y / direction_one);
    const std::int32_t box = half + PlayerGrid::cell_units;
    grid_.near(x, y, box, [&](std::uint32_t target) {
        if (target == slot) return;
        std::int32_t body_x = players_[target].x;
        std::int32_t body_y = players_[target].y;
        if (input.has_view && has_ticked_) {
            prediction::Pose pose;
            const prediction::RewindStatus status =
                poses_.rebuild(newest, target, input.view, pose);
            if (status == prediction::RewindStatus::not_eligible) return;
            body_x = pose.x + quantum_units / 2;
            body_y = pose.y + quantum_units / 2;
        }
        std::int64_t along = 0;
        if (!line.meets(body_x, body_y, along)) return;
        const bool is_nearer = hit == nobody || along < nearest;
        if (!is_nearer && !(along == nearest && target < hit)) return;
        hit = target;
        nearest = along;
    });
    note({.kind = hit == nobody ? HappeningKind::shot_missed : HappeningKind::shot_hit,
          .actor = static_cast<std::uint16_t>(slot),
          .target = static_cast<std::uint16_t>(hit)});
    if (hit != nobody) damage(slot, hit);
}

void Arena::damage(std::uint32_t shooter, std::uint32_t target) {
    ++counters_.hits;
    PlayerState& body = players_[target];
    if (body.health > shot_damage) {
        body.health = static_cast<std::uint8_t>(body.health - shot_damage);
        Shove shove;
        knock_by_shot(players_[shooter], shove);
        apply(shove, body);
        return;
    }
    ++counters_.deaths;
    place(target);
    ++body.jumps;
    note({.kind = HappeningKind::died,
          .actor = static_cast<std::uint16_t>(shooter),
          .target = static_cast<std::uint16_t>(target)});
}

}  // namespace wt::arena
