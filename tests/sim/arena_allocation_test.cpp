// SPDX-License-Identifier: MIT
//
// Nothing is allocated in a tick of the arena and its publication, with fighters, movers, jumps,
// births, joins and leaves; nor in a frame of a client's prediction.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "engine/arena/player_simulation.hpp"
#include "engine/arena/publisher.hpp"
#include "engine/arena/schemas.hpp"
#include "engine/prediction/input_history.hpp"
#include "engine/prediction/jitter_buffer.hpp"
#include "engine/prediction/lead_controller.hpp"
#include "engine/prediction/server_inputs.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define WT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WT_SANITIZED 1
#endif
#endif

#ifndef WT_SANITIZED

#include "tests/support/counted_news.hpp"

namespace wt::arena {
namespace {

TEST_CASE("a tick of the world allocates nothing") {
    const replication::SchemaSet set = schemas();
    constexpr std::uint32_t players = 64;
    Arena arena({.players_max = players,
                 .activity = {.teleports_per_hour = 36, .spawns_per_hour = 36'000}});
    replication::ObjectTable table(set, {.objects_max = 2'048});
    Publisher publisher(arena, table);
    std::vector<PlayerInput> inputs(players);
    for (std::uint32_t slot = 1; slot < players; ++slot)
        arena.join(slot);
    std::uint64_t before = 0;
    for (std::uint32_t tick = 0; tick < 600; ++tick) {
        // The first second fills what keeps its room.
        if (tick == 60) before = test::news;
        for (std::uint32_t slot = 0; slot < players; ++slot) {
            inputs[slot].command = {.move_x = static_cast<std::int8_t>(slot % 15 - 7u),
                                    .aim = static_cast<std::uint16_t>(tick * 7 % 4'096),
                                    .shoot = true,
                                    .push = tick % 2 == 0,
                                    .pick_up = true};
            if (tick < 20) continue;
            const prediction::Tick seen = tick - 10;
            inputs[slot].has_view = true;
            inputs[slot].view = {.at = prediction::TickTime::at(seen), .from = seen - 1, .span = 3};
        }
        if (tick % 20 == 0) arena.join(0);
        if (tick % 20 == 15) arena.leave(0);
        arena.tick(inputs);
        publisher.publish();
    }
    CHECK(before > 0);
    CHECK(test::news == before);
    CHECK(arena.counters().shots > 1'000);
}

TEST_CASE("a client's frame and a server's inputs allocate nothing") {
    using namespace wt::prediction;
    const std::uint64_t before = test::news;
    constexpr Frequency rate{60};
    ServerInputs inputs({});
    ClockSync clock(rate);
    LeadController lead({});
    JitterBuffer jitter({});
    InputHistory history;
    Reconciler<PlayerSimulation> own;
    std::array<std::uint8_t, input_bytes_max> bytes{};
    std::uint64_t sent = 0;
    for (Tick tick = 0; tick < 600; ++tick) {
        const Instant now = rate.tick(tick);
        (void)inputs.take(tick);
        if (tick % 3 == 0) {
            const Feedback feedback = inputs.feedback(now, tick);
            clock.on_snapshot(now, tick, feedback);
            jitter.on_snapshot(now, tick);
            if (!lead.is_synchronised() && clock.has_estimate()) lead.synchronise(now, clock);
            lead.on_snapshot(now, tick, feedback);
            PlayerState predicted;
            (void)own.confirm(tick, {.x = 900'000, .y = 900'000}, predicted);
        }
        lead.advance(now, clock);
        jitter.advance(now);
        Tick made = 0;
        while (lead.next_tick(made)) {
            history.record(made, 7, nullptr);
            (void)own.predict(made, {.move_x = 7});
        }
        InputMessage message{.newest_tick = static_cast<std::uint32_t>(tick)};
        (void)history.next_message(2, message);
        message.client_clock_us = ClockSync::wire_clock(now);
        const std::size_t size = encode_input(message, bytes);
        InputMessage heard;
        if (decode_input(ConstBytes(bytes).first(size), heard) != InputDecode::ok) continue;
        (void)inputs.on_message(now, heard, {.next = tick + 1, .at = rate.tick(tick + 1)});
        ++sent;
    }
    CHECK(test::news == before);
    CHECK(sent == 600);
    CHECK(inputs.counters().accepted > 500);
}

}  // namespace
}  // namespace wt::arena

#endif
