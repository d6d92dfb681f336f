// SPDX-License-Identifier: MIT
//
// One player and the pure function that moves it: the same on the server and in prediction, since
// it knows nothing of other players. What others do to a player (contact, a push, a hit) happens
// on the server alone and reaches its client as a correction.
#pragma once

#include <cstdint>

#include "engine/arena/command.hpp"
#include "engine/arena/units.hpp"

namespace wt::arena {

inline constexpr std::int32_t player_radius_mm = 400;
inline constexpr std::int32_t walk_speed = 6'000;     // mm/s along an axis at full move.
inline constexpr std::int32_t speed_max = 12'000;     // Along an axis, when knocked about.
inline constexpr std::int32_t acceleration = 36'000;  // mm/s^2 towards the wanted speed.
inline constexpr std::uint32_t shot_cooldown_ms = 500;
inline constexpr std::uint32_t push_cooldown_ms = 800;
inline constexpr std::uint32_t pick_up_cooldown_ms = 300;  // Hands are busy with one thing.
inline constexpr std::uint8_t health_max = 100;

// Pillars: squares of 2 m in the middle of each square of 32 m. Nobody walks through them.
inline constexpr std::int32_t pillar_spacing_mm = 32'768;
inline constexpr std::int32_t pillar_half_mm = 1'000;

struct PlayerState {
    std::int32_t x = 0;  // 1/256 mm; [0, world_units).
    std::int32_t y = 0;
    std::int16_t vx = 0;  // mm/s.
    std::int16_t vy = 0;
    std::uint16_t facing = 0;    // 0..4,095.
    std::uint8_t shot_wait = 0;  // Ticks.
    std::uint8_t push_wait = 0;  // Until the hands are free: push and pick up.
    std::uint8_t health = health_max;
    std::uint8_t jumps = 0;  // Counts teleports and respawns, so that a jump is known for one.

    friend constexpr bool operator==(const PlayerState&, const PlayerState&) = default;
};

// What the command of this tick set off, cooldowns permitting.
struct Deeds {
    bool shot = false;
    bool pushed = false;
    bool picked_up = false;
};

// Rates of 20 to 250 Hz: a cooldown in ticks must fit a byte.
inline constexpr std::uint32_t tick_rate_min = 20;
inline constexpr std::uint32_t tick_rate_max = 250;

Deeds step_player(PlayerState& state, const Command& command, Frequency rate);

// Back inside walls and out of pillars, losing the speed that led there.
void keep_inside(PlayerState& state);

// Whether prediction holds: every field that step_player computes, as it goes over the wire.
// Health is the server's alone.
[[nodiscard]] bool same_on_wire(const PlayerState& a, const PlayerState& b);

// Every bit of every field counts, and the slot.
[[nodiscard]] std::uint64_t hash_of(const PlayerState& player, std::uint32_t slot);

}  // namespace wt::arena
