// SPDX-License-Identifier: MIT
//
// The arena on the wire: its kinds, their quantised fields, and the exact state that a client gets
// of its own player to reconcile with.
#pragma once

#include <cstdint>

#include "engine/arena/activity.hpp"
#include "engine/arena/player.hpp"
#include "engine/base/bytes.hpp"
#include "engine/prediction/blend.hpp"
#include "engine/replication/schema.hpp"

namespace wt::arena {

inline constexpr std::uint16_t avatar_kind = 1;
inline constexpr std::uint16_t crate_kind = 2;
inline constexpr std::uint16_t pickup_kind = 3;
inline constexpr std::uint16_t drone_kind = 4;

// In the order of the kinds; the same on every server and client of this version, who all read this
// one: its tables are 5 KiB, and everybody's own would push each other out of the cache.
[[nodiscard]] const replication::SchemaSet& schemas();
[[nodiscard]] std::uint16_t kind_of(ObjectKind kind);

[[nodiscard]] replication::State to_state(const PlayerState& player);
[[nodiscard]] replication::State to_state(const ObjectState& object);

// How remote poses are blended, for interpolator and rewind.
[[nodiscard]] prediction::PoseFields pose_fields(std::uint16_t kind);
inline constexpr std::uint8_t facing_bits = 8;

// The own player, exactly: x u32, y u32, vx i16, vy i16, facing u16, waits u8 u8, health u8,
// jumps u8.
inline constexpr std::size_t own_player_bytes = 18;
// False, and nothing written, when it does not fit.
[[nodiscard]] bool encode_own(const PlayerState& player, MutableBytes target);
// Reads the first own_player_bytes. False, and `out` untouched, for a state that no player can be
// in: outside the world, too fast, or facing nowhere.
[[nodiscard]] bool decode_own(ConstBytes source, PlayerState& out);

}  // namespace wt::arena
