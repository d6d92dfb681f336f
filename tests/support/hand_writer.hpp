// SPDX-License-Identifier: MIT
//
// A server's messages about single objects, written by hand: no table, no peer. What a client makes
// of them is the test's business.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "engine/replication/bit_pack.hpp"
#include "engine/replication/state_codec.hpp"
#include "engine/replication/wire.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication {

struct HandWriter {
    using Bytes = std::vector<std::uint8_t>;

    SchemaSet schemas = test_schemas();

    static Bytes spawn(std::uint16_t serial, ObjectId id, std::uint32_t tick,
                       std::uint16_t kind = crate_kind, State state = {}) {
        Bytes bytes(control_head_bytes + spawn_bytes);
        write_control_head({.serial = serial, .tick = tick, .count = 1}, bytes.data());
        write_spawn({.id = id, .kind = kind, .state = state}, bytes.data() + control_head_bytes);
        return bytes;
    }
    static Bytes despawn(std::uint16_t serial, ObjectId id) {
        Bytes bytes(control_head_bytes + despawn_bytes);
        write_control_head({.serial = serial, .count = 1}, bytes.data());
        write_despawn(id, bytes.data() + control_head_bytes);
        return bytes;
    }
    // A snapshot of one state, absolute or from a state `age` ticks before.
    Bytes snapshot(SnapshotHead about, ObjectId id, std::uint8_t schema, const State& state,
                   unsigned age = 0, const State& base = {}) const {
        about.object_count = 1;
        Bytes bytes(100);
        CHECK(write_head(about, bytes));
        BitPacker packer(MutableBytes(bytes).subspan(head_bytes));
        const GapCode gap = gap_code(id.slot);
        packer.put(gap.bits, gap.width);
        packer.put(age == 0 ? 1 : age << 1, age == 0 ? 1 : 7);
        if (age == 0) {
            packer.put(schema | (id.generation & 0xffu) << 4, 12);
            put(packer, make_absolute(schemas.layout(schema), state));
        } else {
            put(packer, make_delta(schemas.layout(schema), base, state));
        }
        bytes.resize(head_bytes + packer.finish());
        return bytes;
    }
};

}  // namespace wt::replication
