// SPDX-License-Identifier: MIT
//
// What a bot's player wants, tick by tick. A function of (key, tick, what it sees): which frame or
// which machine asks does not matter. The habits are stated in the README; gates rest on them.
#pragma once

#include <cstdint>

#include "bots/behaviour_kind.hpp"
#include "engine/arena/command.hpp"
#include "engine/arena/player.hpp"
#include "engine/base/rng.hpp"

namespace wt::bots {

// What a player sees when it decides.
struct Sight {
    arena::PlayerState own{};
    // Something pushed it a short while ago, towards there: it gives way.
    bool was_shoved = false;
    std::uint16_t shove_angle = 0;
    // The nearest other avatar as it is shown, if there is one in reach of a shot.
    bool has_target = false;
    std::int32_t target_x = 0;  // In the arena's units.
    std::int32_t target_y = 0;
};

class Mind {
public:
    explicit Mind(LuckKey key) : key_(key) {}

    [[nodiscard]] arena::Command decide(BehaviourKind kind, std::uint64_t tick, Frequency rate,
                                        const Sight& sight) const;
    // Whether the tick is one in which the player would shoot or push if it had a target: what is
    // shown of others is looked at only then.
    [[nodiscard]] bool wants_target(BehaviourKind kind, std::uint64_t tick, Frequency rate) const;

private:
    [[nodiscard]] bool does(std::uint64_t purpose, std::uint64_t tick, Frequency rate,
                            std::uint32_t seconds) const;
    [[nodiscard]] std::uint32_t heading(std::uint64_t leg, const arena::PlayerState& own) const;

    LuckKey key_;
};

}  // namespace wt::bots
