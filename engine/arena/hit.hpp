// SPDX-License-Identifier: MIT
//
// A shot's straight line and the body it meets.
#pragma once

#include <cstdint>

#include "engine/arena/contact.hpp"
#include "engine/arena/direction.hpp"

namespace wt::arena {

inline constexpr std::uint8_t shot_damage = 20;
inline constexpr std::int32_t shot_range_mm = 40'000;
inline constexpr std::int32_t shot_knock_speed = 2'000;  // mm/s along the shot.

struct ShotLine {
    std::int32_t x = 0;
    std::int32_t y = 0;
    Direction way{};

    // Whether the line passes through a body within range; then `along` is how far its middle is.
    [[nodiscard]] bool meets(std::int32_t body_x, std::int32_t body_y, std::int64_t& along) const {
        const std::int64_t dx = std::int64_t{body_x} - x;
        const std::int64_t dy = std::int64_t{body_y} - y;
        const std::int64_t forward = (dx * way.x + dy * way.y) / direction_one;
        const std::int64_t aside = (dx * way.y - dy * way.x) / direction_one;
        constexpr std::int64_t radius = millimetres(player_radius_mm);
        if (forward <= 0 || forward > millimetres(shot_range_mm)) return false;
        if (aside > radius || aside < -radius) return false;
        along = forward;
        return true;
    }
};

[[nodiscard]] inline ShotLine line_of(const PlayerState& shooter) {
    return {.x = shooter.x, .y = shooter.y, .way = direction(shooter.facing)};
}

inline void knock_by_shot(const PlayerState& shooter, Shove& shove) {
    const Direction way = direction(shooter.facing);
    shove.vx += shot_knock_speed * way.x / direction_one;
    shove.vy += shot_knock_speed * way.y / direction_one;
}

}  // namespace wt::arena
