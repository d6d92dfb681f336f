// SPDX-License-Identifier: MIT
#include "engine/replication/object_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/base/rng.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication::object_table_test {

namespace {

std::uint16_t luck_of(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint16_t>(mix(a + 1, b + 7));
}

}  // namespace

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

TEST_CASE("table: a stretch that peers share has the bits of its objects, and one place a tick") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 128});
    std::vector<ObjectId> ids;
    for (int i = 0; i < 100; ++i)
        ids.push_back(*table.spawn(crate_kind, no_owner, {{100, 100, 0, 0, 0}}));
    table.commit(1);
    const std::uint64_t some = 0x8000'0001'0040'1030;  // Gaps of 4 and of 8 bits.
    for (std::uint64_t tick = 2; tick <= 5; ++tick) {
        for (std::uint16_t i = 0; i < 100; ++i) {
            const std::uint16_t x = static_cast<std::uint16_t>(100 + tick * i);
            REQUIRE(table.write(ids[i], {{x, 100, 0, 0, 0}}));
        }
        table.commit(tick);
        const SharedRun* const run = table.run_from(0, some, 1);
        REQUIRE(run != nullptr);
        CHECK(run->first_slot() == 4);
        CHECK(run->last_slot() == 63);
        std::vector<std::uint8_t> shared(64);
        BitPacker whole(shared);
        whole.append(table.bits_of(*run), run->bits);
        std::vector<std::uint8_t> single(64);
        BitPacker each(single);
        PlaceBefore before{.slot = 5, .age = 1};
        put(each, table.delta_from(4, 1));
        for (const std::uint32_t slot : {5u, 12u, 22u, 32u, 63u}) {
            const Spelling place = spell_place(before, slot, 1);
            each.put(place.bits, place.width);
            put(each, table.delta_from(slot, 1));
            before.slot = slot + 1;
        }
        CHECK(whole.bit_count() == each.bit_count());
        CHECK(whole.finish() == each.finish());
        CHECK(shared == single);
        // The same again, and another one of the same beginning: that is nobody's.
        CHECK(table.run_from(0, some, 1) == run);
        CHECK(table.run_from(0, some & 0xffff, 1) == nullptr);
        CHECK(table.run_from(0, some & ~std::uint64_t{0x10}, 1) != nullptr);
    }
}

TEST_CASE("table: stretches find no room for ever, and then nothing is shared") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 64});
    for (int i = 0; i < 64; ++i)
        REQUIRE(table.spawn(crate_kind, no_owner, {{100, 100, 0, 0, 0}}));
    std::uint64_t made = 0;
    for (std::uint64_t tick = 1; tick <= 63; ++tick) {
        for (std::uint32_t i = 0; i < 64; ++i)
            REQUIRE(
                table.write(table.id_of(i), {{luck_of(tick, i), luck_of(tick, 64 + i), 0, 0, 0}}));
        table.commit(tick);
    }
    // 64 slots are good for 1,024 bytes; each of these has 64 deltas of 32 bits and more.
    for (std::uint32_t age = 1; age < 40; ++age)
        made += table.run_from(0, ~std::uint64_t{0}, age) != nullptr ? 1u : 0u;
    CHECK(made >= 2);
    CHECK(made <= 4);
    table.commit(64);
    CHECK(table.run_from(0, ~std::uint64_t{0}, 40) != nullptr);
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
