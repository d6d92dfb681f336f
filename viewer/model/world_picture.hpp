// SPDX-License-Identifier: MIT
//
// The world from above at one instant: where the server has its objects, and where one client
// believes them to be. Positions are the game's quanta, 0 to 65,535 across the world.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/run/world_builder.hpp"

namespace wt::viewer {

struct WorldObject {
    std::uint16_t slot = 0;
    std::uint16_t kind = 0;
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    bool is_own = false;       // The client's own avatar.
    bool is_relevant = false;  // Server's side: the client is being told of it.
};

struct WorldPicture {
    bool has_game = false;
    Instant at{};
    std::uint32_t bot = 0;  // Whose view; the first bot is 0.
    std::vector<WorldObject> truth{};
    std::vector<WorldObject> view{};
};

// Reads both ends; changes nothing.
[[nodiscard]] WorldPicture picture_of(const sim::BuiltWorld& built, std::uint32_t bot, Instant at);

}  // namespace wt::viewer
