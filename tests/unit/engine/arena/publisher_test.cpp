// SPDX-License-Identifier: MIT
//
// Goal: the object table holds what the arena holds after every tick, through births, jumps, joins,
// leaves and a table without room. Method: a lively world, compared whole.
#include <doctest/doctest.h>

#include <vector>

#include "engine/arena/publisher.hpp"
#include "engine/arena/schemas.hpp"

namespace wt::arena {
namespace {

using replication::ObjectTable;

void check_object(const Arena& arena, const ObjectTable& table, const Publisher& publisher,
                  std::uint32_t index) {
    const replication::ObjectId id = publisher.object_id(index);
    if (!id.is_valid()) return;
    const ObjectState& object = arena.objects()[index];
    REQUIRE(table.is_alive(id));
    REQUIRE(table.state_of(id.slot) == to_state(object));
    REQUIRE(table.owner_of(id.slot) == object.owner);
    REQUIRE(table.schemas().at(table.schema_of(id.slot)).kind == kind_of(object.kind));
}

std::uint32_t check_equal(const Arena& arena, const ObjectTable& table,
                          const Publisher& publisher) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < arena.objects().size(); ++i) {
        count += publisher.object_id(i).is_valid() ? 1u : 0u;
        check_object(arena, table, publisher, i);
    }
    for (std::uint32_t slot = 0; slot < arena.slot_count(); ++slot) {
        const replication::ObjectId id = publisher.avatar_id(slot);
        REQUIRE(id.is_valid() == arena.is_playing(slot));
        if (!id.is_valid()) continue;
        ++count;
        REQUIRE(table.state_of(id.slot) == to_state(arena.player(slot)));
        REQUIRE(table.owner_of(id.slot) == slot);
    }
    REQUIRE(table.alive_count() == count);
    REQUIRE(table.tick() == arena.current_tick());
    return count;
}

TEST_CASE("the table follows the arena") {
    const replication::SchemaSet set = schemas();
    Arena arena(
        {.first_tick = 0xffff'ffe0,
         .players_max = 8,
         .activity = {.objects = 200, .teleports_per_hour = 36'000, .spawns_per_hour = 360'000}});
    ObjectTable table(set, {.objects_max = 1'024});
    Publisher publisher(arena, table);
    std::vector<PlayerInput> inputs(8);
    for (PlayerInput& input : inputs)
        input.command = {.move_x = 3, .move_y = -2, .pick_up = true};
    for (std::uint32_t tick = 0; tick < 300; ++tick) {
        if (tick % 30 == 5) arena.join(tick / 30 % 8);
        if (tick % 30 == 25) arena.leave(tick / 30 % 8);
        arena.tick(inputs);
        publisher.publish();
        (void)check_equal(arena, table, publisher);
    }
    CHECK(publisher.waits() == 0);
}

TEST_CASE("a slot that changes hands between two ticks is another avatar") {
    const replication::SchemaSet set = schemas();
    Arena arena({.players_max = 1, .activity = {.objects = 0}});
    ObjectTable table(set, {.objects_max = 8});
    Publisher publisher(arena, table);
    const std::vector<PlayerInput> inputs(1);
    arena.join(0);
    arena.tick(inputs);
    publisher.publish();
    const replication::ObjectId first = publisher.avatar_id(0);
    arena.leave(0);
    arena.join(0);
    arena.tick(inputs);
    publisher.publish();
    CHECK(publisher.avatar_id(0) != first);
    CHECK_FALSE(table.is_alive(first));
}

TEST_CASE("what finds no room waits and comes in later") {
    const replication::SchemaSet set = schemas();
    Arena arena(
        {.players_max = 1,
         .activity = {.objects = 10, .moving = Chance::never(), .spawns_per_hour = 216'000}});
    ObjectTable table(set, {.objects_max = 10});
    Publisher publisher(arena, table);
    const std::vector<PlayerInput> inputs(1);
    arena.tick(inputs);
    publisher.publish();
    REQUIRE(check_equal(arena, table, publisher) == 10);
    // A peer holds all slots: what vanishes does not make room.
    for (std::uint32_t slot = 0; slot < 10; ++slot)
        table.hold(slot);
    for (int i = 0; i < 5; ++i) {
        arena.tick(inputs);
        publisher.publish();
        (void)check_equal(arena, table, publisher);
    }
    CHECK(publisher.waiting() > 0);
    CHECK(publisher.waits() >= publisher.waiting());
    for (std::uint32_t slot = 0; slot < 10; ++slot)
        table.release(slot);
    arena.tick(inputs);
    publisher.publish();
    CHECK(publisher.waiting() == 0);
    CHECK(check_equal(arena, table, publisher) == 10);
}

}  // namespace
}  // namespace wt::arena
