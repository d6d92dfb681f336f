// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "engine/arena/command.hpp"
#include "engine/arena/contact.hpp"
#include "engine/arena/direction.hpp"
#include "engine/arena/player.hpp"
#include "engine/arena/schemas.hpp"

namespace wt::arena {
namespace {

PlayerState at_mm(std::int32_t x, std::int32_t y) {
    return {.x = millimetres(x), .y = millimetres(y)};
}

TEST_CASE("directions have length one and exact corners") {
    for (std::uint32_t angle = 0; angle < turn; ++angle) {
        const Direction at = direction(angle);
        const std::int64_t square = std::int64_t{at.x} * at.x + std::int64_t{at.y} * at.y;
        const std::int64_t off = square - std::int64_t{direction_one} * direction_one;
        // Each part is rounded by at most half a unit.
        CHECK(off <= 2 * direction_one);
        CHECK(off >= -2 * direction_one);
        CHECK(angle_of(at.x, at.y) == angle);
    }
    CHECK(direction(0).x == direction_one);
    CHECK(direction(0).y == 0);
    CHECK(direction(512).x == 11'585);  // 16,384 / sqrt 2.
    CHECK(direction(512).y == 11'585);
    CHECK(direction(1'024).x == 0);
    CHECK(direction(1'024).y == direction_one);
    CHECK(direction(2'048).x == -direction_one);
    CHECK(direction(3'072).y == -direction_one);
    CHECK(direction(341).y == 8'185);  // 16,384 sin 29.97 degrees = 8,184.7.
    CHECK(angle_of(0, 0) == 0);
    CHECK(angle_of(-5, 0) == 2'048);
}

TEST_CASE("every command word means one command or nothing") {
    for (std::int8_t x = -7; x <= 7; ++x) {
        for (std::int8_t y = -7; y <= 7; ++y) {
            const Command command{.move_x = x, .move_y = y, .aim = 4'095, .push = true};
            Command back;
            REQUIRE(unpack(pack(command), back));
            CHECK(back == command);
        }
    }
    Command untouched{.aim = 5};
    CHECK_FALSE(unpack(0x8, untouched));
    CHECK_FALSE(unpack(0x80, untouched));
    CHECK_FALSE(unpack(1u << 23, untouched));
    CHECK(untouched == Command{.aim = 5});
    CHECK(unpack(shoot_bit | push_bit | pick_up_bit, untouched));
    CHECK((pack({.shoot = true}) & repeatable_bits) == 0);
}

TEST_CASE("a walker covers the same ground at every rate") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        PlayerState player = at_mm(40'000, 40'000);
        for (std::uint32_t i = 0; i < 2 * rate; ++i)
            (void)step_player(player, {.move_x = 7}, {rate});
        CHECK(player.vx == walk_speed);
        // 2 s at 6 m/s less what the start costs: v^2 / 2a = 500 mm; one tick of difference.
        const std::int32_t way = player.x / units_per_mm - 40'000;
        CHECK(way >= 11'500);
        CHECK(way <= 11'500 + 2 * walk_speed / static_cast<std::int32_t>(rate));
        CHECK(player.y == millimetres(40'000));
    }
}

TEST_CASE("a diagonal is as fast as an axis, and letting go brakes") {
    PlayerState player = at_mm(40'000, 40'000);
    for (int i = 0; i < 60; ++i)
        (void)step_player(player, {.move_x = 7, .move_y = -7}, {60});
    const std::int64_t square =
        std::int64_t{player.vx} * player.vx + std::int64_t{player.vy} * player.vy;
    CHECK(square_root(static_cast<std::uint64_t>(square)) == 5'999);
    CHECK(player.vy == -player.vx);
    for (int i = 0; i < 10; ++i)
        (void)step_player(player, {}, {60});
    CHECK(player.vx == 0);
    CHECK(player.vy == 0);
}

TEST_CASE("nobody leaves the world or enters a pillar, at any rate and speed") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        for (std::uint32_t angle = 0; angle < turn; angle += 64) {
            const Direction way = direction(angle);
            PlayerState player = at_mm(16'384 + 3'000 * way.x / direction_one,
                                       16'384 + 3'000 * way.y / direction_one);
            for (std::uint32_t i = 0; i < rate; ++i) {
                // Flung at the pillar's middle again and again.
                player.vx = static_cast<std::int16_t>(-speed_max * way.x / direction_one);
                player.vy = static_cast<std::int16_t>(-speed_max * way.y / direction_one);
                (void)step_player(player, {}, {rate});
                const std::int32_t dx = player.x - millimetres(16'384);
                const std::int32_t dy = player.y - millimetres(16'384);
                const std::int32_t reach = millimetres(pillar_half_mm + player_radius_mm);
                const bool is_inside = dx < reach && dx > -reach && dy < reach && dy > -reach;
                REQUIRE_FALSE(is_inside);
            }
        }
    }
    PlayerState corner = at_mm(500, 500);
    for (int i = 0; i < 60; ++i)
        (void)step_player(corner, {.move_x = -7, .move_y = -7}, {60});
    CHECK(corner.x == millimetres(player_radius_mm));
    CHECK(corner.y == millimetres(player_radius_mm));
    CHECK(corner.vx == 0);
    PlayerState far = at_mm(world_mm - 500, world_mm - 500);
    for (int i = 0; i < 60; ++i)
        (void)step_player(far, {.move_x = 7, .move_y = 7}, {60});
    CHECK(far.x == world_units - 1 - millimetres(player_radius_mm));
}

TEST_CASE("cooldowns let through two shots a second at every rate") {
    for (const std::uint32_t rate : {30u, 60u, 128u}) {
        PlayerState player = at_mm(40'000, 40'000);
        int shots = 0;
        int pushes = 0;
        for (std::uint32_t i = 0; i < 4 * rate; ++i) {
            const Deeds deeds = step_player(player, {.shoot = true, .push = true}, {rate});
            shots += deeds.shot ? 1 : 0;
            pushes += deeds.pushed ? 1 : 0;
        }
        CHECK(shots == 8);
        CHECK(pushes >= 5);
        CHECK(pushes <= 6);
    }
    PlayerState player = at_mm(40'000, 40'000);
    CHECK(step_player(player, {.pick_up = true}, {60}).picked_up);
    CHECK_FALSE(step_player(player, {.pick_up = true}, {60}).picked_up);
    CHECK_FALSE(step_player(player, {.push = true}, {60}).pushed);
}

TEST_CASE("bodies part evenly, wherever they meet") {
    PlayerState a = at_mm(50'000, 50'000);
    PlayerState b = at_mm(50'600, 50'000);
    Shove to_a;
    Shove to_b;
    REQUIRE(part(a, b, to_a, to_b));
    CHECK(to_a.x == -to_b.x);
    CHECK(to_a.vx == -knock_speed);
    apply(to_a, a);
    apply(to_b, b);
    CHECK(b.x - a.x == 2 * millimetres(player_radius_mm));
    CHECK_FALSE(part(a, b, to_a, to_b));
    // On top of each other: the lower slot goes left.
    a = at_mm(50'000, 50'000);
    b = a;
    to_a = {};
    to_b = {};
    REQUIRE(part(a, b, to_a, to_b));
    CHECK(to_a.x < 0);
    CHECK(to_a.x == -to_b.x);
}

TEST_CASE("a push reaches who stands in front") {
    const PlayerState pusher = at_mm(50'000, 50'000);
    Shove shove;
    CHECK(push(pusher, at_mm(51'600, 50'000), shove));
    CHECK(shove.vx == push_speed);
    CHECK_FALSE(push(pusher, at_mm(51'601, 50'000), shove));
    CHECK_FALSE(push(pusher, at_mm(49'000, 50'000), shove));
    CHECK(shove.vx == push_speed);
}

TEST_CASE("the own player travels exactly; states that cannot be are refused") {
    PlayerState player{.x = 123'456,
                       .y = world_units - 1,
                       .vx = -12'000,
                       .vy = 1,
                       .facing = 4'095,
                       .shot_wait = 1,
                       .push_wait = 2,
                       .health = 3,
                       .jumps = 4};
    std::vector<std::uint8_t> bytes(own_player_bytes);
    CHECK_FALSE(encode_own(player, MutableBytes(bytes).first(own_player_bytes - 1)));
    REQUIRE(encode_own(player, bytes));
    PlayerState back;
    REQUIRE(decode_own(bytes, back));
    CHECK(back == player);
    const auto refused = [&](PlayerState bad) {
        CHECK(encode_own(bad, bytes));
        PlayerState untouched{.x = 7};
        const bool ok = decode_own(bytes, untouched);
        return !ok && untouched == PlayerState{.x = 7};
    };
    PlayerState bad = player;
    bad.y = world_units;
    CHECK(refused(bad));
    bad = player;
    bad.vx = 12'001;
    CHECK(refused(bad));
    bad = player;
    bad.facing = 4'096;
    CHECK(refused(bad));
    bad = player;
    bad.health = 101;
    CHECK(refused(bad));
    CHECK_FALSE(decode_own(ConstBytes(bytes).first(17), back));
}

TEST_CASE("all that the arena sends fits its schemas") {
    const replication::SchemaSet set = schemas();
    CHECK(set.count() == 4);
    PlayerState player{.x = world_units - 1, .y = world_units - 1, .facing = 4'095, .jumps = 255};
    const replication::State state = to_state(player);
    CHECK(set.fits(set.find(avatar_kind), state));
    CHECK(state.fields[0] == 65'535);
    CHECK(state.fields[2] == 255);
    for (const ObjectKind kind : {ObjectKind::crate, ObjectKind::pickup, ObjectKind::drone}) {
        const ObjectState object{
            .x = world_units - 1, .y = 0, .facing = 4'095, .kind = kind, .jumps = 255};
        CHECK(set.fits(set.find(kind_of(kind)), to_state(object)));
    }
    CHECK(schemas().hash() == set.hash());
}

}  // namespace
}  // namespace wt::arena
