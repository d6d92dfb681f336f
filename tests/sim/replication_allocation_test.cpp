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

#endif
