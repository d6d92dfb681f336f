// SPDX-License-Identifier: MIT
#include "engine/arena/player.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::arena {

namespace {

constexpr std::int32_t radius = millimetres(player_radius_mm);
constexpr std::int32_t spacing = millimetres(pillar_spacing_mm);
constexpr std::int32_t reach = millimetres(pillar_half_mm + player_radius_mm);

std::int16_t approach(std::int16_t speed, std::int32_t wanted, std::int32_t by) {
    const std::int32_t next = speed + std::clamp(wanted - speed, -by, by);
    return static_cast<std::int16_t>(std::clamp(next, -speed_max, speed_max));
}

void keep_in_walls(std::int32_t& place, std::int16_t& speed) {
    if (place < radius) {
        place = radius;
        speed = std::max<std::int16_t>(speed, 0);
    } else if (place > world_units - 1 - radius) {
        place = world_units - 1 - radius;
        speed = std::min<std::int16_t>(speed, 0);
    }
}

// Distance from the middle of the square of 32 m that `place` lies in.
std::int32_t from_pillar(std::int32_t place) {
    return place % spacing - spacing / 2;
}

void push_out(std::int32_t& place, std::int16_t& speed, std::int32_t offset) {
    if (offset >= 0) {
        place += reach - offset;
        speed = std::max<std::int16_t>(speed, 0);
    } else {
        place -= reach + offset;
        speed = std::min<std::int16_t>(speed, 0);
    }
}

}  // namespace

void keep_inside(PlayerState& state) {
    keep_in_walls(state.x, state.vx);
    keep_in_walls(state.y, state.vy);
    const std::int32_t dx = from_pillar(state.x);
    const std::int32_t dy = from_pillar(state.y);
    const std::int32_t across = dx < 0 ? -dx : dx;
    const std::int32_t along = dy < 0 ? -dy : dy;
    if (across >= reach || along >= reach) return;
    // Out by the shorter way; a step is far shorter than a pillar, so nobody gets through.
    if (across >= along) {
        push_out(state.x, state.vx, dx);
    } else {
        push_out(state.y, state.vy, dy);
    }
}

Deeds step_player(PlayerState& state, const Command& command, Frequency rate) {
    WT_CHECK(rate.per_second >= tick_rate_min);
    WT_CHECK(rate.per_second <= tick_rate_max);
    std::int32_t wanted_x = command.move_x * walk_speed / move_max;
    std::int32_t wanted_y = command.move_y * walk_speed / move_max;
    if (command.move_x != 0 && command.move_y != 0) {
        // 181 / 256 is the cosine of 45 degrees: a diagonal is not faster.
        wanted_x = wanted_x * 181 / 256;
        wanted_y = wanted_y * 181 / 256;
    }
    const std::int32_t change = acceleration / static_cast<std::int32_t>(rate.per_second);
    state.vx = approach(state.vx, wanted_x, change);
    state.vy = approach(state.vy, wanted_y, change);
    state.x += way_of_tick(state.vx, rate);
    state.y += way_of_tick(state.vy, rate);
    keep_inside(state);
    state.facing = command.aim;

    if (state.shot_wait > 0) --state.shot_wait;
    if (state.push_wait > 0) --state.push_wait;
    Deeds deeds;
    if (command.shoot && state.shot_wait == 0) {
        deeds.shot = true;
        state.shot_wait = static_cast<std::uint8_t>(ticks_of_ms(shot_cooldown_ms, rate));
    }
    if (command.push && state.push_wait == 0) {
        deeds.pushed = true;
        state.push_wait = static_cast<std::uint8_t>(ticks_of_ms(push_cooldown_ms, rate));
    } else if (command.pick_up && state.push_wait == 0) {
        deeds.picked_up = true;
        state.push_wait = static_cast<std::uint8_t>(ticks_of_ms(pick_up_cooldown_ms, rate));
    }
    return deeds;
}

bool same_on_wire(const PlayerState& a, const PlayerState& b) {
    return to_quanta(a.x) == to_quanta(b.x) && to_quanta(a.y) == to_quanta(b.y) && a.vx == b.vx &&
           a.vy == b.vy && a.facing == b.facing && a.shot_wait == b.shot_wait &&
           a.push_wait == b.push_wait && a.jumps == b.jumps;
}

std::uint64_t hash_of(const PlayerState& p, std::uint32_t slot) {
    const std::uint64_t place =
        std::uint64_t{static_cast<std::uint32_t>(p.x)} << 32 | static_cast<std::uint32_t>(p.y);
    const std::uint64_t motion = std::uint64_t{static_cast<std::uint16_t>(p.vx)} << 48 |
                                 std::uint64_t{static_cast<std::uint16_t>(p.vy)} << 32 |
                                 std::uint64_t{p.facing} << 16 | std::uint64_t{p.shot_wait} << 8 |
                                 p.push_wait;
    const std::uint64_t rest = std::uint64_t{slot} << 16 | std::uint64_t{p.health} << 8 | p.jumps;
    return mix(mix(place ^ 0xbf58'476d'1ce4'e5b9, motion ^ 0x94d0'49bb'1331'11eb),
               rest ^ 0xff51'afd7'ed55'8ccd);
}

}  // namespace wt::arena
