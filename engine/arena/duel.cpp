// SPDX-License-Identifier: MIT
#include "engine/arena/duel.hpp"

#include "engine/arena/hit.hpp"
#include "engine/base/check.hpp"
#include "engine/base/hash.hpp"

namespace wt::arena {

Duel::State Duel::opening() {
    State state;
    state.bodies[0] = {.x = millimetres(130'000), .y = millimetres(140'000)};
    state.bodies[1] = {.x = millimetres(134'000), .y = millimetres(140'000), .facing = 2'048};
    return state;
}

Duel::State Duel::step(const State& state, std::span<const Command> commands,
                       prediction::Tick tick) const {
    WT_CHECK(commands.size() == players);
    State next = state;
    std::array<Deeds, players> deeds{};
    std::array<Shove, players> shoves{};
    for (std::uint32_t i = 0; i < players; ++i)
        deeds[i] = step_player(next.bodies[i], commands[i], rate);
    (void)part(next.bodies[0], next.bodies[1], shoves[0], shoves[1]);
    for (std::uint32_t i = 0; i < players; ++i) {
        const PlayerState& other = next.bodies[1 - i];
        if (deeds[i].pushed) (void)push(next.bodies[i], other, shoves[1 - i]);
        std::int64_t along = 0;
        if (deeds[i].shot && line_of(next.bodies[i]).meets(other.x, other.y, along)) {
            knock_by_shot(next.bodies[i], shoves[1 - i]);
        }
    }
    for (std::uint32_t i = 0; i < players; ++i)
        apply(shoves[i], next.bodies[i]);
    if (broken_from != 0 && tick >= broken_from) {
        ++next.bodies[0].x;
        keep_inside(next.bodies[0]);
    }
    return next;
}

std::uint64_t Duel::checksum(const State& state) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < players; ++i)
        sum = mix(sum ^ 0x853c'49e6'748f'ea9b, hash_of(state.bodies[i], i));
    return sum;
}

}  // namespace wt::arena
