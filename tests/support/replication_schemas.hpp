// SPDX-License-Identifier: MIT
//
// Schemas of a small game for tests of replication: two spatial kinds, one of its owner's and one
// of its team's.
#pragma once

#include "engine/base/check.hpp"
#include "engine/replication/schema.hpp"

namespace wt::replication {

inline Schema test_schema(std::uint16_t kind, const char* name) {
    Schema schema{.kind = kind, .name = name, .field_count = 5};
    schema.fields[0] = {.name = "x", .small_bits = 7, .medium_bits = 10};
    schema.fields[1] = {.name = "y", .small_bits = 7, .medium_bits = 10};
    schema.fields[2] = {.name = "facing", .bits = 12, .small_bits = 5, .medium_bits = 9};
    schema.fields[3] = {.name = "health", .bits = 8, .small_bits = 3, .medium_bits = 6};
    schema.fields[4] = {.name = "flags", .bits = 8, .small_bits = 2, .medium_bits = 4};
    schema.x_field = 0;
    schema.y_field = 1;
    return schema;
}

inline constexpr std::uint16_t avatar_kind = 1;
inline constexpr std::uint16_t crate_kind = 2;
inline constexpr std::uint16_t secret_kind = 3;  // Its owner's alone.
inline constexpr std::uint16_t flag_kind = 4;    // Its team's.

inline SchemaSet test_schemas() {
    SchemaSet set;
    Schema avatar = test_schema(avatar_kind, "avatar");
    avatar.nearest_first = true;
    avatar.weight = 8;
    Schema crate = test_schema(crate_kind, "crate");
    Schema secret = test_schema(secret_kind, "secret");
    secret.relevance = Relevance::owner;
    Schema flag = test_schema(flag_kind, "flag");
    flag.relevance = Relevance::team;
    for (const Schema& schema : {avatar, crate, secret, flag})
        WT_CHECK(set.add(schema) == SchemaStatus::ok);
    return set;
}

}  // namespace wt::replication
