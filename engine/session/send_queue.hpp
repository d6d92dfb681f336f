// SPDX-License-Identifier: MIT
//
// What one peer's messages wait in until the transport takes them: eight places each for Control,
// Input and Bulk, and one complete snapshot, which a newer one replaces whole. Nothing is reserved
// for what is not queued: nodes and bodies lie in a QueueStore that all peers of a session share.
// Fairness is by messages, not by bytes, and no congestion control.  Spec: 001, N1 SendQueue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/time.hpp"
#include "engine/session/envelope.hpp"

namespace wt::session {

// One queued message. `body` is an encoded envelope.
struct QueuedMessage {
    Instant accepted_at{};
    Instant waiting_since{};  // Older than accepted_at where it replaced what never left.
    PoolBuffer body{};
    std::uint32_t tick = 0;
    std::uint16_t kind = 0;
    std::uint16_t size = 0;
    std::uint32_t next = 0;

    [[nodiscard]] ConstBytes bytes() const { return {body.data, size}; }
};

// Nodes and bodies of many queues. Grows by what is queued at once and never shrinks, so a steady
// load allocates nothing.
class QueueStore {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Room for `messages` short ones before anything is allocated.
    void reserve(std::uint32_t messages);
    [[nodiscard]] std::uint32_t take(ConstBytes bytes);
    void give_back(std::uint32_t node);
    [[nodiscard]] QueuedMessage& at(std::uint32_t node) { return nodes_[node]; }
    [[nodiscard]] const QueuedMessage& at(std::uint32_t node) const { return nodes_[node]; }

    [[nodiscard]] std::uint32_t used() const { return used_; }
    [[nodiscard]] std::uint64_t owned_bytes() const {
        return pool_.owned_bytes() + nodes_.capacity() * sizeof(QueuedMessage);
    }

private:
    BufferPool pool_;
    std::vector<QueuedMessage> nodes_;
    std::uint32_t free_ = none;
    std::uint32_t used_ = 0;
};

// Messages a channel may send in a row before its turn goes on; all 1 is N1's plain round-robin.
struct LaneWeights {
    std::array<std::uint8_t, channel_count> of{4, 4, 2, 1};  // Control, Input, Snapshot, Bulk.

    static constexpr LaneWeights equal() { return {{1, 1, 1, 1}}; }
};

// The place of a message in a snapshot that is larger than one: batch `index` of `count`. Index 0
// begins a new set; the others must follow in order.
struct BatchPlace {
    std::uint8_t index = 0;
    std::uint8_t count = 1;
};

enum class EnqueueStatus : std::uint8_t {
    ok,
    replaced_snapshot,  // Ok, and a snapshot that never left is gone.
    full,
    invalid_message,  // The decoder refuses it.
    out_of_place,     // A batch that does not continue the set in the queue.
};

enum class DequeueStatus : std::uint8_t {
    ok,
    empty,
    budget_too_small,  // Something waits, and every channel's first message is larger.
    buffer_too_small,  // The caller's buffer; the message stays.
};

class SendQueue {
public:
    static constexpr std::uint8_t channel_places = 8;
    static constexpr std::uint8_t batches_max = 16;

    struct Entry {
        ConstBytes message{};  // Encoded; copied.
        Instant now{};
        std::uint32_t tick = 0;
        BatchPlace batch{};
    };
    // Runs the envelope decoder. Anything but ok and replaced_snapshot changes nothing.
    EnqueueStatus enqueue(QueueStore& store, const Entry& entry);

    // N1's interface: copies the next message out and removes it.
    DequeueStatus dequeue(QueueStore& store, std::size_t byte_budget, MutableBytes target,
                          std::size_t& size);

    // The same in two steps, for senders that keep a message until the transport took it. `choose`
    // names the channel whose turn it is and whose first message fits; `pop` removes that one.
    struct Choice {
        std::size_t byte_budget = 0;
        // A Bulk message of that size which lies outside of the queue; `pass` takes its turn.
        std::size_t bulk_bytes = 0;
        // Channels to leave alone, as bits: the transport takes nothing from them now.
        std::uint8_t blocked = 0;
    };
    [[nodiscard]] DequeueStatus choose(const QueueStore& store, const LaneWeights& weights,
                                       const Choice& choice, Channel& out) const;
    [[nodiscard]] const QueuedMessage& front(const QueueStore& store, Channel channel) const;
    void pop(QueueStore& store, const LaneWeights& weights, Channel channel);
    void pass(const LaneWeights& weights, Channel channel);

    // Drops messages of a lossy channel accepted before `oldest`; how many.
    std::uint32_t drop_older(QueueStore& store, Channel channel, Instant oldest);
    void clear(QueueStore& store);

    [[nodiscard]] std::uint32_t pending(Channel channel) const { return lane(channel).count; }
    [[nodiscard]] bool empty() const;
    // Since when the channel's first message waits; `never` if none does.
    [[nodiscard]] Instant waiting_since(const QueueStore& store, Channel channel) const;
    [[nodiscard]] std::uint32_t enqueued() const { return enqueued_; }
    [[nodiscard]] std::uint32_t replaced_snapshots() const { return replaced_snapshots_; }

private:
    struct Lane {
        std::uint32_t first = QueueStore::none;
        std::uint32_t last = QueueStore::none;
        std::uint8_t count = 0;
    };

    [[nodiscard]] const Lane& lane(Channel channel) const {
        return lanes_[static_cast<unsigned>(channel)];
    }
    [[nodiscard]] Lane& lane(Channel channel) { return lanes_[static_cast<unsigned>(channel)]; }
    void append(QueueStore& store, Lane& lane, std::uint32_t node);
    void drop_first(QueueStore& store, Lane& lane);
    EnqueueStatus enqueue_snapshot(QueueStore& store, const Entry& entry, std::uint16_t kind);

    std::array<Lane, channel_count> lanes_{};
    std::uint32_t enqueued_ = 0;
    std::uint32_t replaced_snapshots_ = 0;
    std::uint32_t set_tick_ = 0;  // Of the snapshot set that is being put in.
    std::uint8_t set_next_ = 0;   // Its next batch; 0 = none is expected.
    std::uint8_t set_count_ = 0;
    std::uint8_t turn_ = 0;        // Channel whose turn it is.
    std::uint8_t turn_taken_ = 0;  // Messages it had in this turn.
};

}  // namespace wt::session
