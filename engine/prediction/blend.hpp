// SPDX-License-Identifier: MIT
//
// Between two quantised versions of an object: the one piece of arithmetic that client
// (interpolator) and server (rewind) share, so that both get the same pose to the last bit.
// Poses are in 1/1,024 of a quantum.
#pragma once

#include <cstdint>

#include "engine/prediction/ticks.hpp"
#include "engine/replication/schema.hpp"

namespace wt::prediction {

inline constexpr std::int32_t pose_one = 1'024;

struct Pose {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t angle = 0;  // Modulo 2^angle_bits quanta; 0 without an angle field.

    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

// Which fields of a state make its pose.
struct PoseFields {
    std::uint8_t x = replication::no_field;
    std::uint8_t y = replication::no_field;
    std::uint8_t angle = replication::no_field;
    std::uint8_t angle_bits = 0;
    std::uint8_t cut = replication::no_field;
};

[[nodiscard]] constexpr Pose pose_of(const replication::State& state, const PoseFields& fields) {
    const auto value = [&](std::uint8_t field) -> std::int32_t {
        return field == replication::no_field ? 0 : state.fields[field] * pose_one;
    };
    return {value(fields.x), value(fields.y), value(fields.angle)};
}

// Whether two versions belong to one motion.
[[nodiscard]] constexpr bool is_cut(const replication::State& a, const replication::State& b,
                                    const PoseFields& fields) {
    return fields.cut != replication::no_field && a.fields[fields.cut] != b.fields[fields.cut];
}

// a + (b - a) * part / whole, rounded down; `part` may lie outside [0, whole].
[[nodiscard]] constexpr std::int32_t blend(std::int32_t a, std::int32_t b, std::int64_t part,
                                           std::int64_t whole) {
    const std::int64_t product = std::int64_t{b - a} * part;
    const std::int64_t down = product >= 0 ? product / whole : -((-product + whole - 1) / whole);
    return static_cast<std::int32_t>(a + down);
}

// The pose at `at`, given versions at two different ticks. `angle_bits` as in PoseFields.
[[nodiscard]] constexpr Pose blend(const Pose& a, const Pose& b, TickTime from, TickTime to,
                                   TickTime at, std::uint8_t angle_bits) {
    const std::int64_t part = (at - from).q16;
    const std::int64_t whole = (to - from).q16;
    Pose out{.x = blend(a.x, b.x, part, whole), .y = blend(a.y, b.y, part, whole)};
    if (angle_bits == 0) return out;
    // The short way round.
    const std::int32_t turn = pose_one << angle_bits;
    std::int32_t by = (b.angle - a.angle) & (turn - 1);
    if (by >= turn / 2) by -= turn;
    out.angle = blend(a.angle, a.angle + by, part, whole) & (turn - 1);
    return out;
}

}  // namespace wt::prediction
