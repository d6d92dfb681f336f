// SPDX-License-Identifier: MIT
//
// The game by itself: a server's tick with its players and objects, a client's step and correction.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/arena/arena.hpp"
#include "engine/arena/player_simulation.hpp"
#include "engine/prediction/reconciler.hpp"

namespace wt::bench {

namespace {

using arena::Command;

// Everybody walks and shoots; all at once hold the pickup button.
void arena_tick(benchmark::State& state) {
    const std::uint32_t players = static_cast<std::uint32_t>(state.range(0));
    const std::uint32_t objects = static_cast<std::uint32_t>(state.range(1));
    arena::Arena world({.players_max = players, .activity = {.objects = objects}});
    std::vector<arena::PlayerInput> inputs(players);
    for (std::uint32_t slot = 0; slot < players; ++slot)
        world.join(slot);
    std::uint64_t tick = 0;
    for (auto _ : state) {
        for (std::uint32_t slot = 0; slot < players; ++slot) {
            const std::uint64_t turn = tick / 50 + slot;
            inputs[slot].command = {
                .move_x = static_cast<std::int8_t>(turn % 15),
                .move_y = static_cast<std::int8_t>(turn % 7),
                .aim = static_cast<std::uint16_t>((tick * 5 + slot * 97) % 4'096),
                .shoot = true,
                .pick_up = true};
            if (inputs[slot].command.move_x > 7) inputs[slot].command.move_x = -7;
            inputs[slot].has_view = tick > 20;
            if (tick > 20) {
                const std::uint64_t seen = tick - 8;
                inputs[slot].view = {
                    .at = prediction::TickTime::at(seen), .from = seen - 1, .span = 3};
            }
        }
        world.tick(inputs);
        ++tick;
    }
    benchmark::DoNotOptimize(world.state_checksum());
    state.SetItemsProcessed(state.iterations());
}

void client_step(benchmark::State& state) {
    const arena::PlayerSimulation simulation;
    arena::PlayerState player{.x = arena::millimetres(40'000), .y = arena::millimetres(40'000)};
    std::uint64_t tick = 0;
    for (auto _ : state) {
        ++tick;
        const std::int8_t way = tick / 64 % 2 == 0 ? std::int8_t{7} : std::int8_t{-7};
        player = simulation.step(player, {.move_x = way, .move_y = 2}, tick);
    }
    benchmark::DoNotOptimize(player);
}

// A snapshot that agrees (0) or corrects (1), ten ticks behind the newest prediction.
void client_snapshot(benchmark::State& state) {
    prediction::Reconciler<arena::PlayerSimulation> own;
    arena::PlayerState truth{.x = arena::millimetres(40'000), .y = arena::millimetres(40'000)};
    own.start(0, truth);
    std::uint64_t newest = 0;
    while (newest < 10)
        (void)own.predict(++newest, {});
    for (auto _ : state) {
        (void)own.predict(++newest, {});
        const arena::PlayerState* const predicted = own.at(newest - 10);
        arena::PlayerState confirmed = *predicted;
        if (state.range(0) != 0) confirmed.x += newest % 2 == 0 ? 5'000 : -5'000;
        arena::PlayerState was;
        benchmark::DoNotOptimize(own.confirm(newest - 10, confirmed, was));
    }
}

BENCHMARK(arena_tick)
    ->Args({16, 1'000})
    ->Args({128, 1'000})
    ->Args({128, 10'000})
    ->Args({2'000, 1'000});
BENCHMARK(client_step);
BENCHMARK(client_snapshot)->Arg(0)->Arg(1);

}  // namespace

}  // namespace wt::bench
