// SPDX-License-Identifier: MIT
//
// Nothing is allocated in a tick once a world is running: commit, interest, control, encoding,
// decoding and acknowledging, with movers, churn and lost snapshots.
#include <doctest/doctest.h>

#include <array>
#include <optional>

#include "engine/replication/peer_replication.hpp"
#include "engine/replication/replica_store.hpp"
#include "tests/support/replication_crowd.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define WT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WT_SANITIZED 1
#endif
#endif

#ifndef WT_SANITIZED

#include "tests/support/counted_news.hpp"

using namespace wt;
using namespace wt::replication;

TEST_CASE("a running world allocates nothing") {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 2'048});
    LuckStream luck(LuckKey::root(1).with("allocation"));
    Crowd crowd(table, luck, 800, crate_kind);
    PeerReplication peer;
    peer.reset(table, {});
    ReplicaStore store(schemas);
    EncodeScratch scratch;
    std::array<std::uint8_t, control_bytes_max> room{};
    std::uint64_t counted = 0;
    std::uint64_t applied = 0;
    for (std::uint64_t tick = 1; tick <= 1'800; ++tick) {
        crowd.walk(30, 60);
        if (tick % 5 == 0) {
            crowd.despawn(luck.below(crowd.ids.size()));
            crowd.spawn(crate_kind);
        }
        const std::uint64_t before = test::news;
        table.commit(tick);
        peer.update_interest(table, {});
        ControlMessage message;
        while (peer.next_control(table, room, message)) {
            peer.commit_control(table);
            const ConstBytes bytes = ConstBytes(room).first(message.bytes);
            static_cast<void>(store.on_control(message.kind, bytes));
        }
        if (tick % 3 == 0) {
            const EncodeResult result = peer.encode(table, scratch, {}, room);
            SnapshotHead head;
            if (luck.below(10) != 0) {
                static_cast<void>(store.on_snapshot(ConstBytes(room).first(result.bytes), head));
            }
        }
        static_cast<void>(store.next_keyframe_request(tick, room));
        static_cast<void>(peer.on_ack(table, store.ack()));
        // 10 s to have seen every slot and every baseline age that there is.
        if (tick > 600) counted += test::news - before;
        applied = store.counters().states_applied;
    }
    CHECK(counted == 0);
    CHECK(applied > 50'000);
    CHECK(store.counters().refused == 0);
}

namespace {

// What the heap gets back when one peer goes to whom everything was told, and who has confirmed it.
std::int64_t heap_of_a_peer(std::uint32_t dormant) {
    const SchemaSet schemas = test_schemas();
    ObjectTable table(schemas, {.objects_max = 16'384});
    LuckStream luck(LuckKey::root(1).with("memory"));
    const Crowd crowd(table, luck, dormant, crate_kind);
    std::optional<PeerReplication> peer(std::in_place);
    peer->reset(table, {});
    ReplicaStore store(schemas, {.objects_max = 16'384});
    EncodeScratch scratch;
    std::array<std::uint8_t, control_bytes_max> room{};
    std::uint64_t tick = 0;
    while (tick < 2'000 && (tick < 10 || !peer->is_settled())) {
        table.commit(++tick);
        peer->update_interest(table, {});
        ControlMessage message;
        while (peer->next_control(table, room, message)) {
            peer->commit_control(table);
            const ConstBytes bytes = ConstBytes(room).first(message.bytes);
            static_cast<void>(store.on_control(message.kind, bytes));
        }
        const EncodeResult result = peer->encode(table, scratch, {}, room);
        SnapshotHead head;
        static_cast<void>(store.on_snapshot(ConstBytes(room).first(result.bytes), head));
        static_cast<void>(peer->on_ack(table, store.ack()));
    }
    CHECK(peer->is_settled());
    CHECK(store.count() == dormant);
    const std::int64_t before = test::live_bytes;
    peer.reset();
    return before - test::live_bytes;
}

}  // namespace

// The point 6, in bytes of the heap and not by the peer's own word. `peer_types.hpp` has
// the arithmetic: 20 B an entry and a handful of bits.
TEST_CASE("a dormant object costs a peer at most 64 B of the heap") {
    const std::int64_t few = heap_of_a_peer(100);
    const std::int64_t many = heap_of_a_peer(10'000);
    CHECK(many - few <= 9'900 * 64);
    CHECK(many - few >= 9'900 * 8);  // It does hold something for each.
    MESSAGE("bytes of the heap per dormant object and peer: " << (many - few) / 9'900);
}

#endif
