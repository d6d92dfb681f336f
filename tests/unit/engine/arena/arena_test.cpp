// SPDX-License-Identifier: MIT
//
// Goal: the world is a function of its inputs, its activity is what the README states, and its
// events obey their rules. Method: small worlds by hand, counts against the stated model.
#include <doctest/doctest.h>

#include <vector>

#include "engine/arena/arena.hpp"
#include "engine/arena/direction.hpp"
#include "engine/arena/schemas.hpp"

namespace wt::arena {
namespace {

using Inputs = std::vector<PlayerInput>;

std::uint64_t run(const ArenaConfig& config, std::uint32_t ticks) {
    Arena arena(config);
    Inputs inputs(config.players_max);
    for (std::uint32_t slot = 0; slot < config.players_max; ++slot)
        arena.join(slot);
    LuckStream luck(LuckKey::root(99));
    for (std::uint32_t tick = 0; tick < ticks; ++tick) {
        for (PlayerInput& input : inputs) {
            const bool ok =
                unpack(static_cast<std::uint32_t>(luck.next()) & command_bits, input.command);
            if (!ok) input.command = {.shoot = true};
        }
        arena.tick(inputs);
    }
    return arena.state_checksum();
}

TEST_CASE("equal inputs give equal worlds, another seed or tick another") {
    const ArenaConfig config{.players_max = 16,
                             .activity = {.teleports_per_hour = 3'600, .spawns_per_hour = 36'000}};
    const std::uint64_t sum = run(config, 200);
    CHECK(run(config, 200) == sum);
    CHECK(run(config, 201) != sum);
    ArenaConfig other = config;
    other.seed = 2;
    CHECK(run(other, 200) != sum);
}

TEST_CASE("exactly the stated share moves, and a tenth of it changes every 2 s") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        Arena arena({.tick_rate = {rate}, .players_max = 1});
        const Inputs inputs(1);
        std::vector<std::uint8_t> moved(1'000, 0);
        for (std::uint32_t tick = 1; tick <= 10 * rate; ++tick) {
            std::vector<ObjectState> before(arena.objects().begin(), arena.objects().end());
            arena.tick(inputs);
            std::uint32_t count = 0;
            for (std::uint32_t i = 0; i < 1'000; ++i) {
                const bool is_moving =
                    arena.objects()[i].x != before[i].x || arena.objects()[i].y != before[i].y;
                count += is_moving ? 1 : 0;
                if (is_moving) moved[i] = 1;
            }
            REQUIRE(count == 100);
            // What stopped in this tick changed as well.
            REQUIRE(arena.changed().size() == (tick % (2 * rate) == 0 ? 110 : 100));
        }
        std::uint32_t ever = 0;
        for (const std::uint8_t was : moved)
            ever += was;
        // Five shifts of ten; some may have gone back to one that moved before.
        CHECK(ever > 130);
        CHECK(ever <= 150);
    }
}

TEST_CASE("no share and the whole share are exact") {
    Arena still({.players_max = 1, .activity = {.moving = Chance::never()}});
    const Inputs inputs(1);
    still.tick(inputs);
    CHECK(still.changed().empty());
    Arena all({.players_max = 1, .activity = {.moving = Chance::always()}});
    for (int i = 0; i < 130; ++i)
        all.tick(inputs);
    CHECK(all.mover_count() == 1'000);
    CHECK(all.changed().size() == 1'000);
    Arena none({.players_max = 1, .activity = {.objects = 0, .teleports_per_hour = 3'600}});
    none.tick(inputs);
    CHECK(none.changed().empty());
}

TEST_CASE("jumps and births keep their rates, at every tick rate") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        // Each object once in 100 s, so 10 a second; 5 births a second.
        Arena arena(
            {.tick_rate = {rate},
             .players_max = 1,
             .activity = {
                 .moving = Chance::never(), .teleports_per_hour = 36, .spawns_per_hour = 18'000}});
        const Inputs inputs(1);
        std::uint32_t born = 0;
        std::uint32_t touched = 0;
        for (std::uint32_t tick = 0; tick < 20 * rate; ++tick) {
            arena.tick(inputs);
            born += static_cast<std::uint32_t>(arena.reborn().size());
            touched += static_cast<std::uint32_t>(arena.changed().size());
        }
        CHECK(born == 100);
        // Two may meet in one object; rarely.
        CHECK(touched >= 298);
        CHECK(touched <= 300);
        std::uint32_t newest = 0;
        for (const ObjectState& object : arena.objects())
            newest = std::max(newest, object.incarnation);
        CHECK(newest == 1'100);
    }
}

TEST_CASE("the checksum tells every field of every object and player") {
    Arena a({.players_max = 2});
    Arena b({.players_max = 2});
    a.join(0);
    b.join(0);
    CHECK(a.state_checksum() == b.state_checksum());
    b.join(1);
    CHECK(a.state_checksum() != b.state_checksum());
    a.join(1);
    CHECK(a.state_checksum() == b.state_checksum());
    b.teleport(1, b.player(1).x, b.player(1).y);
    CHECK(a.state_checksum() != b.state_checksum());
}

TEST_CASE("a pickup belongs to who took it until another does or its owner leaves") {
    Arena arena({.players_max = 2, .activity = {.moving = Chance::never()}});
    arena.join(0);
    arena.join(1);
    Inputs inputs(2);
    std::uint32_t pickup = 0;
    while (arena.objects()[pickup].kind != ObjectKind::pickup)
        ++pickup;
    const ObjectState where = arena.objects()[pickup];
    arena.teleport(0, where.x + millimetres(1'000), where.y);
    inputs[0].command.pick_up = true;
    arena.tick(inputs);
    REQUIRE(arena.objects()[pickup].owner == 0);
    REQUIRE(arena.changed().size() == 1);
    CHECK(arena.changed()[0] == pickup);
    REQUIRE(arena.happenings().size() == 1);
    CHECK(arena.happenings()[0].kind == HappeningKind::picked_up);
    CHECK(arena.happenings()[0].object == pickup);
    const std::uint64_t owned = arena.state_checksum();
    inputs[0].command.pick_up = false;
    arena.leave(0);
    CHECK(arena.objects()[pickup].owner == 0);
    arena.tick(inputs);
    CHECK(arena.objects()[pickup].owner == nobody);
    CHECK(arena.changed().size() == 1);
    CHECK(arena.state_checksum() != owned);
    // Out of reach.
    arena.teleport(1, where.x, where.y + millimetres(3'000));
    inputs[1].command.pick_up = true;
    arena.tick(inputs);
    CHECK(arena.objects()[pickup].owner == nobody);
}

TEST_CASE("five hits kill, and who dies appears elsewhere as a jump") {
    Arena arena({.players_max = 2, .activity = {.objects = 0}});
    arena.join(0);
    arena.join(1);
    Inputs inputs(2);
    std::uint32_t hits = 0;
    for (int tick = 0; tick < 400 && arena.counters().deaths == 0; ++tick) {
        arena.teleport(0, millimetres(60'000), millimetres(60'000));
        arena.teleport(1, millimetres(80'000), millimetres(70'000));
        inputs[0].command = {.aim = angle_of(20'000, 10'000), .shoot = true};
        arena.tick(inputs);
        for (const Happening& happening : arena.happenings())
            hits += happening.kind == HappeningKind::shot_hit ? 1 : 0;
    }
    CHECK(hits == 5);
    CHECK(arena.counters().deaths == 1);
    CHECK(arena.player(1).health == health_max);
    CHECK(arena.player(1).x != millimetres(80'000));
}

TEST_CASE("shots end at their range and meet the nearest body") {
    const auto shot_at = [](std::int32_t near_mm, std::int32_t far_mm) {
        Arena arena({.players_max = 3, .activity = {.objects = 0}});
        for (std::uint32_t slot = 0; slot < 3; ++slot)
            arena.join(slot);
        arena.teleport(0, millimetres(60'000), millimetres(60'000));
        arena.teleport(1, millimetres(60'000 + far_mm), millimetres(60'000));
        arena.teleport(2, millimetres(60'000 + near_mm), millimetres(60'000));
        Inputs inputs(3);
        inputs[0].command.shoot = true;
        arena.tick(inputs);
        return arena.happenings()[0].target;
    };
    CHECK(shot_at(10'000, 20'000) == 2);
    CHECK(shot_at(-10'000, 20'000) == 1);
    CHECK(shot_at(-10'000, shot_range_mm) == 1);
    CHECK(shot_at(-10'000, shot_range_mm + 1) == nobody);
}

}  // namespace
}  // namespace wt::arena
