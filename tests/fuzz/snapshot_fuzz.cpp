// SPDX-License-Identifier: MIT
//
// Hostile snapshots for a client that knows 32 objects: what is refused changes nothing, nothing
// makes or ends an object, and held data stays within its bound.
#include <array>

#include "engine/replication/replica_store.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"
#include "tests/support/replication_schemas.hpp"

namespace {

using namespace wt;
using namespace wt::replication;

constexpr std::uint32_t objects = 32;
constexpr std::uint32_t pre_spawn_max = 8;

void spawn_some(ReplicaStore& store) {
    std::array<std::uint8_t, control_head_bytes + objects * spawn_bytes> message{};
    write_control_head({.serial = 1, .tick = 100, .count = objects}, message.data());
    for (std::uint16_t i = 0; i < objects; ++i) {
        const SpawnRecord record{.id = {static_cast<std::uint16_t>(i * 3), 1},
                                 .kind = static_cast<std::uint16_t>(1 + i % 4),
                                 .state = {{i, i, i, 1, 1}}};
        write_spawn(record, message.data() + control_head_bytes + i * spawn_bytes);
    }
    WT_CHECK(store.on_control(ControlKind::spawn, message) == ControlStatus::ok);
}

void check_states(const SchemaSet& schemas, const ReplicaStore& store) {
    WT_CHECK(store.count() == objects);
    store.visit([&](const ReplicaView& one) {
        WT_CHECK(schemas.fits(one.schema, *one.state));
        std::uint32_t tick = one.tick;
        while (const State* before = store.state_before(one.id.slot, tick, tick))
            WT_CHECK(schemas.fits(one.schema, *before));
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const SchemaSet schemas = test_schemas();
    fuzz::FuzzBytes input(data, size);
    ReplicaStore store(schemas, {.objects_max = 64, .pre_spawn_max = pre_spawn_max});
    spawn_some(store);
    while (!input.empty()) {
        const ConstBytes message = input.bytes(input.u16() % 1'200u);
        const std::uint64_t sum = store.checksum();
        const SnapshotAck ack = store.ack();
        const std::size_t held = store.pre_spawn_count();
        SnapshotHead head{.tick = 77};
        const SnapshotStatus status = store.on_snapshot(message, head);
        if (status != SnapshotStatus::ok) {
            WT_CHECK(store.checksum() == sum);
            WT_CHECK(store.ack().newest == ack.newest);
            WT_CHECK(store.ack().mask == ack.mask);
            WT_CHECK(store.pre_spawn_count() == held);
            WT_CHECK(head.tick == 77);
        } else {
            // Twice is never new.
            const std::uint64_t after = store.checksum();
            WT_CHECK(store.on_snapshot(message, head) == SnapshotStatus::duplicate);
            WT_CHECK(store.checksum() == after);
        }
        WT_CHECK(store.pre_spawn_count() <= pre_spawn_max);
        check_states(schemas, store);
        std::array<std::uint8_t, request_bytes_max> room{};
        (void)store.next_keyframe_request(input.u8(), room);
    }
    return 0;
}
