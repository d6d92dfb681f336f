// SPDX-License-Identifier: MIT
//
// What a player wants in one tick, as the 32-bit word that inputs carry: bits 0-3 and 4-7 the
// signed move along x and y, 8-19 the aim, 20 shoot, 21 push, 22 pick up, others 0.
#pragma once

#include <cstdint>

namespace wt::arena {

inline constexpr std::int32_t move_max = 7;

struct Command {
    std::int8_t move_x = 0;  // -7..7: sevenths of full speed.
    std::int8_t move_y = 0;
    std::uint16_t aim = 0;  // 0..4,095.
    bool shoot = false;
    bool push = false;
    bool pick_up = false;

    friend constexpr bool operator==(const Command&, const Command&) = default;
};

inline constexpr std::uint32_t shoot_bit = 1u << 20;
inline constexpr std::uint32_t push_bit = 1u << 21;
inline constexpr std::uint32_t pick_up_bit = 1u << 22;
inline constexpr std::uint32_t command_bits = (1u << 23) - 1;
// What a server may repeat for a tick whose input is missing: walking and aiming, no deeds.
inline constexpr std::uint32_t repeatable_bits = (1u << 20) - 1;

[[nodiscard]] constexpr std::uint32_t pack(const Command& command) {
    const auto nibble = [](std::int8_t value) { return static_cast<std::uint32_t>(value) & 0xfu; };
    return nibble(command.move_x) | nibble(command.move_y) << 4 |
           (std::uint32_t{command.aim} & 0xfffu) << 8 | (command.shoot ? shoot_bit : 0) |
           (command.push ? push_bit : 0) | (command.pick_up ? pick_up_bit : 0);
}

// False, and `out` untouched, for words that no client of ours makes: a reserved bit, a move of -8.
[[nodiscard]] constexpr bool unpack(std::uint32_t word, Command& out) {
    const auto moved = [](std::uint32_t nibble) {
        return static_cast<std::int8_t>(nibble < 8 ? static_cast<std::int32_t>(nibble)
                                                   : static_cast<std::int32_t>(nibble) - 16);
    };
    const std::int8_t x = moved(word & 0xf);
    const std::int8_t y = moved(word >> 4 & 0xf);
    if ((word & ~command_bits) != 0 || x < -move_max || y < -move_max) return false;
    out = {.move_x = x,
           .move_y = y,
           .aim = static_cast<std::uint16_t>(word >> 8 & 0xfff),
           .shoot = (word & shoot_bit) != 0,
           .push = (word & push_bit) != 0,
           .pick_up = (word & pick_up_bit) != 0};
    return true;
}

}  // namespace wt::arena
