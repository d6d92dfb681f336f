// SPDX-License-Identifier: MIT
#include "engine/arena/contact.hpp"

#include <algorithm>

#include "engine/arena/direction.hpp"

namespace wt::arena {

bool part(const PlayerState& a, const PlayerState& b, Shove& to_a, Shove& to_b) {
    constexpr std::int64_t touch = 2 * millimetres(player_radius_mm);
    std::int64_t dx = std::int64_t{b.x} - a.x;
    std::int64_t dy = std::int64_t{b.y} - a.y;
    if (dx > touch || dx < -touch || dy > touch || dy < -touch) return false;
    const std::int64_t square = dx * dx + dy * dy;
    if (square >= touch * touch) return false;
    std::int64_t distance = square_root(static_cast<std::uint64_t>(square));
    if (distance == 0) {
        // Exactly on top of each other: the lower slot goes left.
        dx = 1;
        dy = 0;
        distance = 1;
    }
    const std::int64_t half = (touch - distance + 1) / 2;
    const auto along = [&](std::int64_t by, std::int64_t axis) {
        return static_cast<std::int32_t>(by * axis / distance);
    };
    to_a.x -= along(half, dx);
    to_a.y -= along(half, dy);
    to_a.vx -= along(knock_speed, dx);
    to_a.vy -= along(knock_speed, dy);
    to_b.x += along(half, dx);
    to_b.y += along(half, dy);
    to_b.vx += along(knock_speed, dx);
    to_b.vy += along(knock_speed, dy);
    return true;
}

bool push(const PlayerState& pusher, const PlayerState& target, Shove& to_target) {
    constexpr std::int64_t reach = millimetres(push_reach_mm);
    const std::int64_t dx = std::int64_t{target.x} - pusher.x;
    const std::int64_t dy = std::int64_t{target.y} - pusher.y;
    if (dx * dx + dy * dy > reach * reach) return false;
    const Direction facing = direction(pusher.facing);
    // In front: less than a quarter turn off.
    if (dx * facing.x + dy * facing.y <= 0) return false;
    to_target.vx += push_speed * facing.x / direction_one;
    to_target.vy += push_speed * facing.y / direction_one;
    return true;
}

void apply(const Shove& shove, PlayerState& state) {
    const auto sped = [](std::int16_t speed, std::int32_t by) {
        return static_cast<std::int16_t>(std::clamp(speed + by, -speed_max, speed_max));
    };
    // Of a crowd on one spot nobody flies farther than a body's length.
    constexpr std::int32_t far = 2 * millimetres(player_radius_mm);
    state.x += std::clamp(shove.x, -far, far);
    state.y += std::clamp(shove.y, -far, far);
    state.vx = sped(state.vx, shove.vx);
    state.vy = sped(state.vy, shove.vy);
    keep_inside(state);
}

}  // namespace wt::arena
