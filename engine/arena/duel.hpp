// SPDX-License-Identifier: MIT
//
// Players of the arena alone, as one value: what a rollback game needs. Contact and pushes count,
// shots meet bodies where they are: with everybody's inputs known there is nothing to rewind.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/arena/contact.hpp"
#include "engine/arena/player.hpp"
#include "engine/prediction/rollback.hpp"

namespace wt::arena {

struct Duel {
    static constexpr std::uint32_t players = 2;

    using Command = arena::Command;
    struct State {
        std::array<PlayerState, players> bodies{};

        friend bool operator==(const State&, const State&) = default;
    };

    Frequency rate{60};
    // Test hook: from this tick on the first body drifts by a hair, as on a machine that computes
    // otherwise. 0: never.
    prediction::Tick broken_from = 0;

    // Both facing each other, a walk apart.
    [[nodiscard]] static State opening();
    [[nodiscard]] State step(const State& state, std::span<const Command> commands,
                             prediction::Tick tick) const;
    [[nodiscard]] std::uint64_t checksum(const State& state) const;
};

}  // namespace wt::arena
