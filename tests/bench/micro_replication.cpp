// SPDX-License-Identifier: MIT
//
// Encoding and decoding at the 128-peer gate's size: 1,128 objects of which 228 move, 128 peers,
// 20 snapshots a second of at most 1,052 B, acknowledged 100 ms later. Per object and snapshot.
#include <benchmark/benchmark.h>

#include <deque>
#include <memory>
#include <vector>

#include "engine/replication/peer_replication.hpp"
#include "engine/replication/replica_store.hpp"
#include "tests/support/replication_crowd.hpp"

namespace wt::bench {

namespace {

using namespace replication;

constexpr std::uint32_t ack_delay = 2;  // Snapshots.

struct Control {
    ControlKind kind = ControlKind::spawn;
    std::vector<std::uint8_t> bytes{};
};

struct Peer {
    PeerReplication replication;
    std::deque<std::uint16_t> flying{};
    std::vector<Control> control{};  // What its client was told.
};

class Field {
public:
    Field(std::uint32_t peer_count, std::uint32_t player_count)
        : players_(table_, luck_, player_count, avatar_kind),
          crates_(table_, luck_, 1'000, crate_kind) {
        for (std::uint32_t i = 0; i < peer_count; ++i) {
            peers_.push_back(std::make_unique<Peer>());
            peers_.back()->replication.reset(table_, {});
        }
        for (int i = 0; i < 60; ++i)
            advance();
        for (auto& peer : peers_)
            settle(*peer);
    }

    // Three ticks of the game: 10 % of the crates move, and every player.
    void advance() {
        for (int i = 0; i < 3; ++i) {
            players_.walk(100, 25);
            crates_.walk(10, 25);
            table_.commit(++tick_);
        }
    }
    void interest() {
        for (auto& peer : peers_)
            peer->replication.update_interest(table_, {});
    }
    void acknowledge() {
        for (auto& peer : peers_)
            acknowledge(*peer);
    }
    EncodeResult encode(std::size_t index, MutableBytes room) {
        Peer& peer = *peers_[index];
        const EncodeResult result = peer.replication.encode(table_, scratch_, {}, room);
        peer.flying.push_back(result.number);
        return result;
    }
    [[nodiscard]] std::size_t peer_count() const { return peers_.size(); }
    const std::vector<Control>& control() const { return peers_[0]->control; }
    const SchemaSet& schemas() const { return schemas_; }

private:
    void acknowledge(Peer& peer) {
        if (peer.flying.size() <= ack_delay) return;
        const SnapshotAck ack{.newest = peer.flying.front(),
                              .mask = 0xffff'ffff,
                              .control_serial = peer.replication.sent_serial()};
        (void)peer.replication.on_ack(table_, ack);
        peer.flying.pop_front();
    }
    void settle(Peer& peer) {
        std::vector<std::uint8_t> room(control_bytes_max);
        peer.replication.update_interest(table_, {});
        ControlMessage message;
        for (int turn = 0; turn < 40; ++turn) {
            while (peer.replication.next_control(table_, room, message)) {
                peer.replication.commit_control(table_);
                const auto end = room.begin() + static_cast<std::ptrdiff_t>(message.bytes);
                peer.control.push_back({message.kind, {room.begin(), end}});
            }
            (void)peer.replication.on_ack(table_,
                                          {.control_serial = peer.replication.sent_serial()});
            table_.commit(++tick_);
            peer.replication.update_interest(table_, {});
        }
    }

    SchemaSet schemas_ = test_schemas();
    ObjectTable table_{schemas_, {}};
    LuckStream luck_{LuckKey::root(1).with("bench")};
    std::uint64_t tick_ = 0;
    Crowd players_;
    Crowd crates_;
    std::vector<std::unique_ptr<Peer>> peers_{};
    EncodeScratch scratch_;
};

void snapshot_encode(benchmark::State& state) {
    const std::uint32_t peers = static_cast<std::uint32_t>(state.range(0));
    Field field(peers, peers);
    std::vector<std::uint8_t> room(1'052);
    std::uint64_t objects = 0;
    std::uint64_t bits = 0;
    std::uint64_t absolutes = 0;
    const auto round = [&](bool counts) {
        for (std::size_t i = 0; i < field.peer_count(); ++i) {
            const EncodeResult result = field.encode(i, room);
            if (!counts) continue;
            objects += result.objects;
            bits += result.object_bits;
            absolutes += result.absolutes;
        }
    };
    for (int i = 0; i < 20; ++i) {
        field.advance();
        field.acknowledge();
        field.interest();
        round(false);
    }
    for (auto _ : state) {
        state.PauseTiming();
        field.advance();
        state.ResumeTiming();
        field.acknowledge();
        field.interest();
        round(true);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(objects));
    state.counters["bits/object"] = static_cast<double>(bits) / static_cast<double>(objects);
    state.counters["objects/snapshot"] =
        static_cast<double>(objects) /
        static_cast<double>(state.iterations() * static_cast<std::int64_t>(peers));
    state.counters["absolute"] = static_cast<double>(absolutes) / static_cast<double>(objects);
    state.counters["ns/object"] =
        benchmark::Counter(static_cast<double>(objects) / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// As many stores as peers, each fed with one peer's snapshots, so that caches are as cold as in a
// run.
void snapshot_decode(benchmark::State& state) {
    const std::size_t clients = static_cast<std::size_t>(state.range(0));
    Field field(1, 128);
    std::vector<std::unique_ptr<ReplicaStore>> stores;
    for (std::size_t i = 0; i < clients; ++i)
        stores.push_back(std::make_unique<ReplicaStore>(field.schemas()));
    for (const Control& message : field.control()) {
        for (auto& store : stores) {
            const ControlStatus status = store->on_control(message.kind, message.bytes);
            if (status != ControlStatus::ok) state.SkipWithError("control message refused");
        }
    }
    std::uint64_t objects = 0;
    std::vector<std::uint8_t> bytes(1'052);
    const auto round = [&] {
        field.advance();
        field.acknowledge();
        field.interest();
        return field.encode(0, bytes);
    };
    SnapshotHead head;
    for (int i = 0; i < 40; ++i) {
        const std::size_t size = round().bytes;
        for (auto& store : stores)
            (void)store->on_snapshot(ConstBytes(bytes).first(size), head);
    }
    for (auto _ : state) {
        state.PauseTiming();
        const EncodeResult result = round();
        state.ResumeTiming();
        for (auto& store : stores) {
            const SnapshotStatus status =
                store->on_snapshot(ConstBytes(bytes).first(result.bytes), head);
            if (status != SnapshotStatus::ok) state.SkipWithError("snapshot refused");
        }
        objects += result.objects * clients;
    }
    if (stores[0]->counters().baseline_misses > 0) state.SkipWithError("baseline missed");
    state.SetItemsProcessed(static_cast<std::int64_t>(objects));
    state.counters["ns/object"] =
        benchmark::Counter(static_cast<double>(objects) / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(snapshot_encode)->Arg(16)->Arg(128)->Unit(benchmark::kMicrosecond);
BENCHMARK(snapshot_decode)->Arg(1)->Arg(128)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace wt::bench
