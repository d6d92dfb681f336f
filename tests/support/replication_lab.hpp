// SPDX-License-Identifier: MIT
//
// One server's table, one peer and one client, with a channel of the test's making between them:
// it loses, delays, reorders and repeats by counter luck. The control lane keeps its order and
// loses nothing; a lost control message only takes longer, and those behind it wait.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/rng.hpp"
#include "engine/replication/divergence.hpp"
#include "tests/support/replication_schemas.hpp"

namespace wt::replication {

struct LabConfig {
    std::uint64_t seed = 1;
    std::uint32_t objects_max = 2'048;
    std::uint64_t first_tick = 1;
    std::uint32_t snapshot_every = 3;
    std::size_t payload_bytes = 1'052;
    std::uint8_t batches = 1;
    Chance loss{};
    Chance duplicate{};
    std::uint64_t delay_min = 1;  // Ticks, each way.
    std::uint64_t delay_max = 1;
    std::uint64_t control_retry = 12;  // Ticks that a lost control message takes longer.
    PeerConfig peer{};
    StoreConfig store{};
};

class ReplicationLab {
public:
    explicit ReplicationLab(const LabConfig& lab)
        : config(lab),
          schemas(test_schemas()),
          table(schemas, {.objects_max = lab.objects_max}),
          store(schemas, lab.store),
          luck_(LuckKey::root(lab.seed).with("replication lab")),
          tick_(lab.first_tick - 1) {
        peer.reset(table, lab.peer);
    }

    LabConfig config;
    SchemaSet schemas;
    ObjectTable table;
    PeerReplication peer;
    ReplicaStore store;
    EncodeScratch scratch;
    Viewpoint view{};
    EncodeResult last{};
    std::array<std::uint64_t, 6> statuses{};  // Of on_snapshot().
    std::uint64_t snapshots_sent = 0;
    std::uint64_t object_bits = 0;
    std::uint64_t objects_sent = 0;
    std::uint64_t resurrected = 0;
    std::uint64_t differing = 0;
    std::function<bool(ConstBytes)> swallow_request{};
    std::function<bool()> hold_control{};  // True: what is sent now waits.

    [[nodiscard]] std::uint64_t tick() const { return tick_; }
    LuckStream& luck() { return luck_; }

    // One tick: the game, the server, what arrives.
    void step(const std::function<void()>& game = {}) {
        if (game) game();
        ++tick_;
        table.commit(tick_);
        arrive();
        peer.update_interest(table, view);
        send_control();
        if (tick_ % config.snapshot_every == 0) send_snapshots();
        const Divergence now = compare(table, peer, store);
        resurrected += now.resurrected;
        differing += now.differing;
    }
    [[nodiscard]] Divergence divergence() const { return compare(table, peer, store); }
    // Ticks until the copy is the table and all is confirmed, `most` at most; then most + 1.
    std::uint64_t settle(std::uint64_t most) {
        for (std::uint64_t i = 0; i < most; ++i) {
            step();
            if (divergence().is_converged() && peer.is_settled()) return i;
        }
        return most + 1;
    }
    // A new epoch: what is under way of the old one is not delivered (the session sees to it).
    void reconnect() {
        peer.reset(table, config.peer);
        store.reset();
        flying_.clear();
        control_ready_ = 0;
    }

private:
    enum class What : std::uint8_t { snapshot, ack, request };
    struct Flying {
        std::uint64_t due = 0;
        std::uint64_t order = 0;
        What what = What::snapshot;
        SnapshotAck ack{};
        std::vector<std::uint8_t> bytes{};
    };
    struct Control {
        std::uint64_t due = 0;
        ControlKind kind = ControlKind::spawn;
        std::vector<std::uint8_t> bytes{};
    };

    void fly(What what, ConstBytes bytes, const SnapshotAck& ack = {}) {
        const bool lost = luck_.holds(config.loss);
        const bool twice = luck_.holds(config.duplicate);
        for (int copy = 0; copy < (twice ? 2 : 1); ++copy) {
            const std::uint64_t jitter = luck_.below(config.delay_max - config.delay_min + 1);
            if (lost) continue;
            flying_.push_back({tick_ + config.delay_min + jitter, order_++, what, ack,
                               std::vector<std::uint8_t>(bytes.begin(), bytes.end())});
        }
    }
    void send_control() {
        std::array<std::uint8_t, control_bytes_max> room{};
        ControlMessage message;
        while (peer.next_control(table, room, message)) {
            peer.commit_control(table);
            std::uint64_t due = tick_ + config.delay_min;
            while (luck_.holds(config.loss))
                due += config.control_retry;
            control_ready_ = std::max(control_ready_, due);
            control_.push_back(
                {control_ready_, message.kind,
                 std::vector<std::uint8_t>(
                     room.begin(), room.begin() + static_cast<std::ptrdiff_t>(message.bytes))});
        }
    }
    void send_snapshots() {
        std::vector<std::uint8_t> room(config.payload_bytes);
        for (std::uint8_t batch = 0; batch < config.batches; ++batch) {
            last =
                peer.encode(table, scratch, {.batch = batch, .batch_limit = config.batches}, room);
            WT_CHECK(last.bytes > 0);
            WT_CHECK(last.bytes <= room.size());
            ++snapshots_sent;
            object_bits += last.object_bits;
            objects_sent += last.objects;
            fly(What::snapshot, ConstBytes(room).first(last.bytes));
            if (last.left == 0) break;
        }
    }
    void arrive() {
        while (!control_.empty() && control_.front().due <= tick_ &&
               !(hold_control && hold_control())) {
            const ControlStatus status =
                store.on_control(control_.front().kind, control_.front().bytes);
            WT_CHECK(status == ControlStatus::ok);
            control_.erase(control_.begin());
        }
        std::vector<Flying> due;
        std::vector<Flying> later;
        for (Flying& one : flying_)
            (one.due <= tick_ ? due : later).push_back(std::move(one));
        flying_ = std::move(later);
        std::sort(due.begin(), due.end(), [](const Flying& a, const Flying& b) {
            return a.due != b.due ? a.due < b.due : a.order < b.order;
        });
        for (const Flying& one : due)
            deliver(one);
        answer();
    }
    void deliver(const Flying& one) {
        if (one.what == What::snapshot) {
            SnapshotHead head;
            ++statuses[static_cast<std::size_t>(store.on_snapshot(one.bytes, head))];
        } else if (one.what == What::ack) {
            WT_CHECK(peer.on_ack(table, one.ack) == AckStatus::ok);
        } else {
            static_cast<void>(peer.on_keyframe_request(table, one.bytes));
        }
    }
    void answer() {
        fly(What::ack, {}, store.ack());
        std::array<std::uint8_t, request_bytes_max> room{};
        const std::size_t bytes = store.next_keyframe_request(tick_, room);
        if (bytes == 0) return;
        const ConstBytes request = ConstBytes(room).first(bytes);
        if (swallow_request && swallow_request(request)) return;
        fly(What::request, request);
    }

    LuckStream luck_;
    std::uint64_t tick_;
    std::uint64_t order_ = 0;
    std::uint64_t control_ready_ = 0;
    std::vector<Flying> flying_{};
    std::vector<Control> control_{};
};

}  // namespace wt::replication
