// SPDX-License-Identifier: MIT
#include "engine/replication/schema.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace wt::replication::schema_test {

namespace {

Schema crate() {
    Schema schema{.kind = 2, .name = "crate", .field_count = 4};
    schema.fields[0] = {.name = "x"};
    schema.fields[1] = {.name = "y"};
    schema.fields[2] = {.name = "facing", .bits = 12};
    schema.fields[3] = {.name = "lid", .bits = 1, .small_bits = 1, .medium_bits = 1};
    schema.x_field = 0;
    schema.y_field = 1;
    return schema;
}

SchemaStatus status_after(const std::function<void(Schema&)>& change) {
    Schema schema = crate();
    change(schema);
    SchemaSet set;
    const SchemaStatus status = set.add(schema);
    CHECK(set.count() == (status == SchemaStatus::ok ? 1 : 0));
    return status;
}

}  // namespace

TEST_CASE("schemas: boundary pairs of every field") {
    CHECK(status_after([](Schema&) {}) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.kind = 0; }) == SchemaStatus::bad_kind);
    CHECK(status_after([](Schema& s) { s.field_count = 0; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.field_count = 5; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.field_count = 6; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.hot_count = 4; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.hot_count = 5; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.fields[2].bits = 17; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.fields[2].bits = 9; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.fields[2].bits = 8; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.fields[2].small_bits = 0; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.fields[2].small_bits = 9; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.fields[2].small_bits = 10; }) == SchemaStatus::bad_field);
    CHECK(status_after([](Schema& s) { s.x_field = no_field; }) == SchemaStatus::bad_place);
    CHECK(status_after([](Schema& s) { s.cut_field = 3; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.cut_field = 4; }) == SchemaStatus::bad_place);
    CHECK(status_after([](Schema& s) { s.weight = 0; }) == SchemaStatus::bad_weight);
    CHECK(status_after([](Schema& s) { s.weight = 16; }) == SchemaStatus::ok);
    CHECK(status_after([](Schema& s) { s.weight = 17; }) == SchemaStatus::bad_weight);
}

TEST_CASE("schemas: sixteen kinds, each once") {
    SchemaSet set;
    for (std::uint16_t kind = 1; kind <= schemas_max; ++kind) {
        Schema schema = crate();
        schema.kind = kind;
        CHECK(set.add(schema) == SchemaStatus::ok);
    }
    CHECK(set.add(crate()) == SchemaStatus::bad_kind);
    Schema more = crate();
    more.kind = 17;
    CHECK(set.add(more) == SchemaStatus::full);
    CHECK(set.count() == schemas_max);
    CHECK(set.find(1) == 0);
    CHECK(set.find(16) == 15);
    CHECK(set.find(17) == no_schema);
}

TEST_CASE("schemas: the hash sees what both ends must agree on, and nothing else") {
    const auto hash_after = [](const std::function<void(Schema&)>& change) {
        Schema schema = crate();
        change(schema);
        SchemaSet set;
        CHECK(set.add(schema) == SchemaStatus::ok);
        return set.hash();
    };
    const std::uint64_t base = hash_after([](Schema&) {});
    CHECK(base == hash_after([](Schema& s) { s.weight = 9; }));
    CHECK(base == hash_after([](Schema& s) { s.relevance = Relevance::team; }));
    CHECK(base != hash_after([](Schema& s) { s.version = 2; }));
    CHECK(base != hash_after([](Schema& s) { s.name = "crates"; }));
    CHECK(base != hash_after([](Schema& s) { s.fields[0].small_bits = 6; }));
    CHECK(base != hash_after([](Schema& s) { s.fields[1].name = "z"; }));
    CHECK(base != hash_after([](Schema& s) { s.hot_count = 2; }));
    CHECK(base != hash_after([](Schema& s) { s.cut_field = 3; }));
}

TEST_CASE("states: what fits a schema") {
    SchemaSet set;
    REQUIRE(set.add(crate()) == SchemaStatus::ok);
    CHECK(set.fits(0, {{0xffff, 0xffff, 0x0fff, 1, 0}}));
    CHECK_FALSE(set.fits(0, {{0, 0, 0x1000, 0, 0}}));
    CHECK_FALSE(set.fits(0, {{0, 0, 0, 2, 0}}));
    CHECK_FALSE(set.fits(0, {{0, 0, 0, 0, 1}}));
    CHECK(dirty_mask({{1, 2, 3, 4, 5}}, {{1, 0, 3, 4, 0}}) == 0b10010);
}

}  // namespace wt::replication::schema_test
