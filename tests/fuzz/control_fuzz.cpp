// SPDX-License-Identifier: MIT
//
// Hostile control messages: refusals change nothing, serials go up by one, and there are never more
// objects than the limit. Each message is tried as it is, and once more under the right serial.
#include <algorithm>
#include <vector>

#include "engine/replication/replica_store.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"
#include "tests/support/replication_schemas.hpp"

namespace {

using namespace wt;
using namespace wt::replication;

constexpr std::uint32_t objects_max = 16;

void deliver(ReplicaStore& store, ControlKind kind, ConstBytes message) {
    const std::uint64_t sum = store.checksum();
    const std::uint32_t count = store.count();
    const std::uint16_t serial = store.applied_serial();
    const ControlStatus status = store.on_control(kind, message);
    if (status == ControlStatus::ok) {
        WT_CHECK(store.applied_serial() == static_cast<std::uint16_t>(serial + 1));
        WT_CHECK(store.on_control(kind, message) == ControlStatus::duplicate);
    } else {
        WT_CHECK(store.checksum() == sum);
        WT_CHECK(store.count() == count);
        WT_CHECK(store.applied_serial() == serial);
    }
    WT_CHECK(store.count() <= objects_max);
    std::uint32_t seen = 0;
    store.visit([&](const ReplicaView& one) {
        WT_CHECK(one.id.slot < slots_max);
        WT_CHECK(one.id.is_valid());
        ++seen;
    });
    WT_CHECK(seen == store.count());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const SchemaSet schemas = test_schemas();
    fuzz::FuzzBytes input(data, size);
    ReplicaStore store(schemas, {.objects_max = objects_max});
    while (!input.empty()) {
        const ControlKind kind = static_cast<ControlKind>(input.u8() % 3);
        const ConstBytes bytes = input.bytes(input.u16() % 1'200u);
        deliver(store, kind, bytes);
        std::vector<std::uint8_t> message(bytes.begin(), bytes.end());
        if (message.size() < control_head_bytes) continue;
        // The head that the length asks for, so that records are reached.
        const ControlHead head{.serial = static_cast<std::uint16_t>(store.applied_serial() + 1),
                               .tick = load_u32(message.data() + 2),
                               .count = static_cast<std::uint32_t>(
                                   (message.size() - control_head_bytes) / record_bytes(kind))};
        message.resize(control_head_bytes + head.count * record_bytes(kind));
        write_control_head(head, message.data());
        deliver(store, kind, message);
    }
    return 0;
}
