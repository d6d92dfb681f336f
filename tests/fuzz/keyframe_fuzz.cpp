// SPDX-License-Identifier: MIT
//
// Keyframe requests and acknowledgements of a hostile client: what parses is written back byte for
// byte, nothing costs more than its budget, and every snapshot keeps to its room.
#include <algorithm>
#include <array>

#include "engine/replication/peer_replication.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"
#include "tests/support/replication_schemas.hpp"

namespace {

using namespace wt;
using namespace wt::replication;

void check_echo(ConstBytes bytes) {
    KeyframeRequest request;
    if (!read_request(bytes, request)) return;
    std::array<std::uint8_t, request_bytes_max> room{};
    const std::size_t size = write_request(request, room);
    WT_CHECK(size == bytes.size());
    WT_CHECK(std::equal(bytes.begin(), bytes.end(), room.begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const SchemaSet schemas = test_schemas();
    fuzz::FuzzBytes input(data, size);
    ObjectTable table(schemas, {.objects_max = 64});
    PeerReplication peer;
    peer.reset(table, {.player = 1});
    EncodeScratch scratch;
    std::uint64_t tick = 0;
    while (!input.empty()) {
        switch (input.u8() % 5) {
            case 0: {
                const ConstBytes bytes = input.bytes(input.u16() % 300u);
                check_echo(bytes);
                (void)peer.on_keyframe_request(table, bytes);
                break;
            }
            case 1:
                (void)peer.on_ack(
                    table,
                    {.newest = input.u16(), .mask = input.u32(), .control_serial = input.u16()});
                break;
            case 2:
                (void)table.spawn(static_cast<std::uint16_t>(1 + input.u8() % 4u), input.u8(),
                                  {{input.u16(), input.u16(), 0, 0, 0}});
                break;
            case 3: {
                const std::uint32_t slot = input.u8() % 64u;
                if (slot >= table.slots_used() || !table.is_alive(slot)) break;
                const State state{{input.u16(), input.u16(), 1, 1, 1}};
                WT_CHECK(table.write(table.id_of(slot), state));
                if (input.u8() % 4u == 0) WT_CHECK(table.despawn(table.id_of(slot)));
                break;
            }
            default: {
                table.commit(++tick);
                peer.update_interest(table, {input.u16(), input.u16()});
                std::array<std::uint8_t, control_bytes_max> room{};
                ControlMessage message;
                while (peer.next_control(table, room, message)) {
                    WT_CHECK(message.bytes <= room.size());
                    peer.commit_control(table);
                }
                const std::size_t limit = head_bytes + input.u8();
                const EncodeResult result =
                    peer.encode(table, scratch, {}, MutableBytes(room).first(limit));
                WT_CHECK(result.bytes <= limit);
                break;
            }
        }
        // Nothing waits longer than the world is old, and whoever has all waits for nothing.
        WT_CHECK(peer.staleness(table) <= tick);
        if (peer.is_settled()) WT_CHECK(peer.staleness(table) == 0);
        WT_CHECK(peer.counters().requests - peer.counters().requests_refused <= 4 + tick / 6);
    }
    peer.reset(table, {});
    return 0;
}
