// SPDX-License-Identifier: MIT
//
// The own player as prediction::Reconciler runs it on a client: step_player and nothing else.
#pragma once

#include "engine/arena/player.hpp"
#include "engine/prediction/reconciler.hpp"

namespace wt::arena {

struct PlayerSimulation {
    using State = PlayerState;
    using Command = arena::Command;

    Frequency rate{60};
    // Test hook: a client whose arithmetic is wrong by so much along x each tick.
    std::int32_t broken_by_mm = 0;

    [[nodiscard]] State step(const State& state, const Command& command, prediction::Tick) const {
        State next = state;
        (void)step_player(next, command, rate);
        if (broken_by_mm != 0) {
            next.x += millimetres(broken_by_mm);
            keep_inside(next);
        }
        return next;
    }
    [[nodiscard]] bool same(const State& a, const State& b) const { return same_on_wire(a, b); }
    [[nodiscard]] bool same_exactly(const State& a, const State& b) const { return a == b; }
};

// How far apart two states are, in whole mm: the size of a correction.
[[nodiscard]] inline std::uint32_t distance_mm(const PlayerState& a, const PlayerState& b) {
    const std::int64_t dx = (std::int64_t{a.x} - b.x);
    const std::int64_t dy = (std::int64_t{a.y} - b.y);
    return square_root(static_cast<std::uint64_t>(dx * dx + dy * dy)) / std::uint32_t{units_per_mm};
}

}  // namespace wt::arena
