// SPDX-License-Identifier: MIT
//
// What players do to each other without shooting: bodies that overlap part and are knocked back, a
// push moves whoever stands in front. Effects of one tick are gathered first and applied together,
// so that no order of players is an advantage.
#pragma once

#include <cstdint>

#include "engine/arena/player.hpp"

namespace wt::arena {

inline constexpr std::int32_t knock_speed = 1'500;  // mm/s apart, each tick of contact.
inline constexpr std::int32_t push_speed = 6'000;
inline constexpr std::int32_t push_reach_mm = 1'600;  // Between the two middles.

// What a tick adds to one player.
struct Shove {
    std::int32_t x = 0;  // 1/256 mm.
    std::int32_t y = 0;
    std::int32_t vx = 0;  // mm/s.
    std::int32_t vy = 0;
};

// Two players, `a` the lower slot. True if they touch; then both shoves grow.
bool part(const PlayerState& a, const PlayerState& b, Shove& to_a, Shove& to_b);

// Whether `target` stands within reach and in front; then its shove grows.
bool push(const PlayerState& pusher, const PlayerState& target, Shove& to_target);

void apply(const Shove& shove, PlayerState& state);

}  // namespace wt::arena
