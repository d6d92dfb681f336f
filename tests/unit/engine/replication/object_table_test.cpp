// SPDX-License-Identifier: MIT
#include "engine/replication/object_table.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/base/rng.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication::object_table_test {

TEST_CASE("table: what cannot be is refused, and changes nothing") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 2});
    CHECK_FALSE(table.spawn(99, no_owner, {}));
    CHECK_FALSE(table.spawn(crate_kind, no_owner, {{0, 0, 0x1000, 0, 0}}));
    CHECK(table.slots_used() == 0);
    const std::optional<ObjectId> a = table.spawn(crate_kind, no_owner, {});
    const std::optional<ObjectId> b = table.spawn(crate_kind, 3, {});
    REQUIRE(a);
    REQUIRE(b);
    CHECK_FALSE(table.spawn(crate_kind, no_owner, {}));
    table.commit(1);
    CHECK(table.despawn(*a));
    CHECK_FALSE(table.despawn(*a));
    CHECK_FALSE(table.write(*a, {}));
    CHECK_FALSE(table.set_owner(*a, 1));
    CHECK_FALSE(table.set_team(*a, 1));
    CHECK(table.alive_count() == 1);
    const std::optional<ObjectId> c = table.spawn(crate_kind, no_owner, {});
    REQUIRE(c);
    CHECK(c->slot == a->slot);
    CHECK(c->generation == a->generation + 1);
    CHECK_FALSE(table.is_alive(*a));
    CHECK(table.is_alive(*c));
}

TEST_CASE("table: a held slot waits for its next life") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 1});
    const std::optional<ObjectId> first = table.spawn(crate_kind, no_owner, {});
    REQUIRE(first);
    table.hold(0);
    table.hold(0);
    CHECK(table.despawn(*first));
    CHECK_FALSE(table.spawn(crate_kind, no_owner, {}));
    table.release(0);
    CHECK_FALSE(table.spawn(crate_kind, no_owner, {}));
    table.release(0);
    CHECK(table.spawn(crate_kind, no_owner, {}));
}

TEST_CASE("table: generations skip 0 when they come round") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 1});
    std::uint16_t last = 0;
    for (std::uint32_t i = 1; i <= 65'537; ++i) {
        const std::optional<ObjectId> id = table.spawn(crate_kind, no_owner, {});
        REQUIRE(id);
        REQUIRE(id->generation != 0);
        last = id->generation;
        REQUIRE(table.despawn(*id));
    }
    CHECK(last == 2);
}

TEST_CASE("table: history is what was committed, for 64 ticks") {
    const SchemaSet schemas = test_schemas();
    // From 0, over the lap of the delta tags, and with gaps in the ticks.
    for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{65'400}}) {
        ObjectTable table(schemas, {.objects_max = 16});
        LuckStream luck(LuckKey::root(start).with("history"));
        std::map<std::uint64_t, std::array<State, 8>> model;
        std::array<State, 8> now{};
        std::array<ObjectId, 8> ids{};
        for (auto& id : ids)
            id = *table.spawn(crate_kind, no_owner, {});
        std::uint64_t tick = start;
        for (int i = 0; i < 600; ++i) {
            for (std::size_t n = 0; n < ids.size(); ++n) {
                // The first is busy, the last nearly asleep.
                if (luck.below(1 + n * n * n / 2) != 0) continue;
                now[n].fields[0] = static_cast<std::uint16_t>(luck.below(4));
                REQUIRE(table.write(ids[n], now[n]));
            }
            table.commit(tick);
            model[tick] = now;
            for (std::size_t n = 0; n < ids.size(); ++n) {
                for (std::uint64_t age = 0; age < 64 && age <= tick - start; ++age) {
                    const auto held = model.upper_bound(tick - age);
                    State then;
                    REQUIRE(table.state_at(ids[n].slot, tick - age, then));
                    REQUIRE(then == std::prev(held)->second[n]);
                }
                // The tick after this one is nobody's yet.
                State none{{9, 9, 9, 9, 9}};
                REQUIRE_FALSE(table.state_at(ids[n].slot, tick + 1, none));
                REQUIRE(none.fields[0] == 9);
            }
            const std::uint64_t step = luck.below(40) == 0 ? 1 + luck.below(80) : 1;
            tick += step;
        }
    }
}

TEST_CASE("table: deltas are shared within a tick and made anew in the next") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 4});
    const ObjectId id = *table.spawn(crate_kind, no_owner, {{100, 100, 0, 0, 0}});
    table.commit(1);
    for (std::uint16_t tick = 2; tick <= 200; ++tick) {
        const State state{{static_cast<std::uint16_t>(100 + tick * 3), 100, 0, 0, 0}};
        REQUIRE(table.write(id, state));
        table.commit(tick);
        const std::uint32_t age = tick <= 63 ? tick - 1u : 63u;
        State base;
        REQUIRE(table.state_at(id.slot, tick - age, base));
        const StateBits expected = make_delta(schemas.layout(1), base, state);
        const StateBits& first = table.delta_from(id.slot, age);
        CHECK(first.low == expected.low);
        CHECK(first.count == expected.count);
        CHECK(&table.delta_from(id.slot, age) == &first);
    }
}

TEST_CASE("table: cells follow their objects") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 64, .cell_bits = 12});
    LuckStream luck(LuckKey::root(3).with("cells"));
    std::vector<ObjectId> ids;
    for (std::uint64_t tick = 1; tick < 300; ++tick) {
        if (ids.size() < 40) {
            const State state{{static_cast<std::uint16_t>(luck.next()), 5, 0, 0, 0}};
            ids.push_back(*table.spawn(crate_kind, no_owner, state));
        }
        const std::size_t pick = luck.below(ids.size());
        const State state{{static_cast<std::uint16_t>(luck.next()),
                           static_cast<std::uint16_t>(luck.next()), 0, 0, 0}};
        REQUIRE(table.write(ids[pick], state));
        if (luck.below(5) == 0) {
            REQUIRE(table.despawn(ids.back()));
            ids.pop_back();
        }
        table.commit(tick);
        std::uint32_t found = 0;
        for (std::uint32_t row = 0; row < table.cells_across(); ++row) {
            for (std::uint32_t column = 0; column < table.cells_across(); ++column) {
                for (std::uint16_t slot = table.first_in(column, row); slot != ObjectTable::no_slot;
                     slot = table.next_in_cell(slot)) {
                    REQUIRE(table.cell_line(table.x_of(slot)) == column);
                    REQUIRE(table.cell_line(table.y_of(slot)) == row);
                    REQUIRE(table.is_alive(slot));
                    ++found;
                }
            }
        }
        REQUIRE(found == table.alive_count());
    }
}

}  // namespace wt::replication::object_table_test
