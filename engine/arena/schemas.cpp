// SPDX-License-Identifier: MIT
#include "engine/arena/schemas.hpp"

#include "engine/base/check.hpp"

namespace wt::arena {

namespace {

using replication::FieldSpec;
using replication::Schema;
using replication::SchemaSet;
using replication::SchemaStatus;
using replication::State;

// At 20 snapshots a second a walker covers up to 300 mm, 75 quanta, between two of them: 8 bits
// with its sign; a knocked-about one 150: 9 bits. The middle class covers two lost ones more.
constexpr FieldSpec place(const char* name) {
    return {.name = name, .bits = 16, .small_bits = 8, .medium_bits = 10};
}
constexpr FieldSpec facing = {
    .name = "facing", .bits = facing_bits, .small_bits = 4, .medium_bits = 6};
// Jumps modulo 8: two versions of one motion can be told from two of different ones.
constexpr FieldSpec jumps = {.name = "jumps", .bits = 3, .small_bits = 2, .medium_bits = 3};
constexpr FieldSpec health = {.name = "health", .bits = 7, .small_bits = 6, .medium_bits = 7};

Schema make(std::uint16_t kind, const char* name) {
    Schema schema{.kind = kind, .name = name};
    schema.field_count = 3;
    schema.fields = {place("x"), place("y"), jumps};
    schema.hot_count = 2;
    schema.x_field = 0;
    schema.y_field = 1;
    schema.cut_field = 2;
    return schema;
}

std::uint16_t facing_quanta(std::uint16_t facing_steps) {
    // 4,096 directions in 256 steps.
    return static_cast<std::uint16_t>(facing_steps >> 4);
}

SchemaSet make_schemas() {
    SchemaSet set;
    Schema avatar = make(avatar_kind, "avatar");
    avatar.field_count = 5;
    avatar.fields = {place("x"), place("y"), facing, jumps, health};
    avatar.hot_count = 3;
    avatar.cut_field = 3;
    avatar.weight = 8;
    avatar.nearest_first = true;
    Schema drone = make(drone_kind, "drone");
    drone.field_count = 4;
    drone.fields = {place("x"), place("y"), facing, jumps};
    drone.cut_field = 3;
    WT_CHECK(set.add(avatar) == SchemaStatus::ok);
    WT_CHECK(set.add(make(crate_kind, "crate")) == SchemaStatus::ok);
    WT_CHECK(set.add(make(pickup_kind, "pickup")) == SchemaStatus::ok);
    WT_CHECK(set.add(drone) == SchemaStatus::ok);
    return set;
}

}  // namespace

const SchemaSet& schemas() {
    static const SchemaSet set = make_schemas();
    return set;
}

std::uint16_t kind_of(ObjectKind kind) {
    switch (kind) {
        case ObjectKind::crate:
            return crate_kind;
        case ObjectKind::pickup:
            return pickup_kind;
        case ObjectKind::drone:
            return drone_kind;
    }
    return crate_kind;
}

State to_state(const PlayerState& player) {
    State state;
    state.fields = {to_quanta(player.x), to_quanta(player.y), facing_quanta(player.facing),
                    static_cast<std::uint16_t>(player.jumps % 8), player.health};
    return state;
}

State to_state(const ObjectState& object) {
    State state;
    const std::uint16_t jump = object.jumps % 8;
    if (object.kind == ObjectKind::drone) {
        state.fields = {to_quanta(object.x), to_quanta(object.y), facing_quanta(object.facing),
                        jump};
    } else {
        state.fields = {to_quanta(object.x), to_quanta(object.y), jump};
    }
    return state;
}

prediction::PoseFields pose_fields(std::uint16_t kind) {
    const bool has_facing = kind == avatar_kind || kind == drone_kind;
    prediction::PoseFields fields{.x = 0, .y = 1, .cut = 2};
    if (has_facing) {
        fields.angle = 2;
        fields.angle_bits = facing_bits;
        fields.cut = 3;
    }
    return fields;
}

bool encode_own(const PlayerState& player, MutableBytes target) {
    if (target.size() < own_player_bytes) return false;
    ByteWriter writer(target);
    writer.u32(static_cast<std::uint32_t>(player.x));
    writer.u32(static_cast<std::uint32_t>(player.y));
    writer.u16(static_cast<std::uint16_t>(player.vx));
    writer.u16(static_cast<std::uint16_t>(player.vy));
    writer.u16(player.facing);
    writer.u8(player.shot_wait);
    writer.u8(player.push_wait);
    writer.u8(player.health);
    writer.u8(player.jumps);
    return !writer.failed();
}

bool decode_own(ConstBytes source, PlayerState& out) {
    ByteReader reader(source);
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint16_t vx = 0;
    std::uint16_t vy = 0;
    PlayerState staged;
    (void)reader.u32(x);
    (void)reader.u32(y);
    (void)reader.u16(vx);
    (void)reader.u16(vy);
    (void)reader.u16(staged.facing);
    (void)reader.u8(staged.shot_wait);
    (void)reader.u8(staged.push_wait);
    (void)reader.u8(staged.health);
    (void)reader.u8(staged.jumps);
    if (reader.failed()) return false;
    staged.vx = static_cast<std::int16_t>(vx);
    staged.vy = static_cast<std::int16_t>(vy);
    const auto is_speed = [](std::int16_t v) { return v >= -speed_max && v <= speed_max; };
    if (x >= world_units || y >= world_units || staged.facing > 4'095) return false;
    if (!is_speed(staged.vx) || !is_speed(staged.vy) || staged.health > health_max) return false;
    staged.x = static_cast<std::int32_t>(x);
    staged.y = static_cast<std::int32_t>(y);
    out = staged;
    return true;
}

}  // namespace wt::arena
