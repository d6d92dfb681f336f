// SPDX-License-Identifier: MIT
#include "engine/session/send_queue.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::session {

void QueueStore::reserve(std::uint32_t messages) {
    nodes_.reserve(messages);
    pool_.reserve(BufferPool::class_bytes[0], messages);
}

std::uint32_t QueueStore::take(ConstBytes bytes) {
    WT_CHECK(bytes.size() <= message_bytes_max);
    std::uint32_t node = free_;
    if (node != none) {
        free_ = nodes_[node].next;
    } else {
        node = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
    }
    QueuedMessage& message = nodes_[node];
    message = {};
    message.body = pool_.take(static_cast<std::uint32_t>(bytes.size()));
    message.size = static_cast<std::uint16_t>(bytes.size());
    message.next = none;
    std::memcpy(message.body.data, bytes.data(), bytes.size());
    ++used_;
    return node;
}

void QueueStore::give_back(std::uint32_t node) {
    WT_CHECK(used_ > 0);
    --used_;
    pool_.give_back(nodes_[node].body);
    nodes_[node].next = free_;
    free_ = node;
}

EnqueueStatus SendQueue::enqueue(QueueStore& store, const Entry& entry) {
    Envelope envelope;
    if (decode_envelope(entry.message, envelope) != EnvelopeStatus::ok &&
        !mutated<"queue-decodes">()) {
        return EnqueueStatus::invalid_message;
    }
    if (envelope.channel == Channel::snapshot) {
        return enqueue_snapshot(store, entry, envelope.kind);
    }
    Lane& into = lane(envelope.channel);
    if (into.count == channel_places && !mutated<"queue-eight">()) return EnqueueStatus::full;
    const std::uint32_t node = store.take(entry.message);
    QueuedMessage& message = store.at(node);
    message.accepted_at = entry.now;
    message.waiting_since = entry.now;
    message.tick = entry.tick;
    message.kind = envelope.kind;
    append(store, into, node);
    ++enqueued_;
    return EnqueueStatus::ok;
}

EnqueueStatus SendQueue::enqueue_snapshot(QueueStore& store, const Entry& entry,
                                          std::uint16_t kind) {
    const BatchPlace batch = entry.batch;
    if (batch.count == 0 || batch.count > batches_max || batch.index >= batch.count) {
        return EnqueueStatus::out_of_place;
    }
    Lane& into = lane(Channel::snapshot);
    Instant waiting_since = entry.now;
    bool replaced = false;
    if (batch.index == 0) {
        // What replaces something that never left inherits its age: the peer waits since then.
        if (into.count != 0 && !mutated<"snapshot-age">())
            waiting_since = store.at(into.first).waiting_since;
        replaced = into.count != 0;
        while (into.count != 0 && !mutated<"snapshot-replaced">())
            drop_first(store, into);
        set_tick_ = entry.tick;
        set_count_ = batch.count;
    } else if ((batch.index != set_next_ || batch.count != set_count_ || entry.tick != set_tick_) &&
               !mutated<"batch-set">()) {
        return EnqueueStatus::out_of_place;
    }
    set_next_ = batch.index + 1 == batch.count ? std::uint8_t{0}
                                               : static_cast<std::uint8_t>(batch.index + 1);
    const std::uint32_t node = store.take(entry.message);
    QueuedMessage& message = store.at(node);
    message.accepted_at = entry.now;
    message.waiting_since = waiting_since;
    message.tick = entry.tick;
    message.kind = kind;
    append(store, into, node);
    ++enqueued_;
    if (!replaced) return EnqueueStatus::ok;
    ++replaced_snapshots_;
    return EnqueueStatus::replaced_snapshot;
}

DequeueStatus SendQueue::choose(const QueueStore& store, const LaneWeights& weights,
                                const Choice& choice, Channel& out) const {
    bool any = false;
    const unsigned first = mutated<"queue-turns">() || turn_taken_ < weights.of[turn_]
                               ? turn_
                               : (turn_ + 1u) % channel_count;
    for (unsigned step = 0; step < channel_count; ++step) {
        const unsigned index = (first + step) % channel_count;
        if ((choice.blocked >> index & 1u) != 0) continue;
        const Lane& at = lanes_[index];
        std::size_t size = 0;
        if (at.count != 0) {
            size = store.at(at.first).size;
        } else if (index == static_cast<unsigned>(Channel::bulk)) {
            size = choice.bulk_bytes;
        }
        if (size == 0) continue;
        any = true;
        if (size > choice.byte_budget && mutated<"head-passed">()) break;
        if (size > choice.byte_budget) continue;
        out = static_cast<Channel>(index);
        return DequeueStatus::ok;
    }
    return any ? DequeueStatus::budget_too_small : DequeueStatus::empty;
}

const QueuedMessage& SendQueue::front(const QueueStore& store, Channel channel) const {
    WT_CHECK(lane(channel).count > 0);
    return store.at(lane(channel).first);
}

void SendQueue::pop(QueueStore& store, const LaneWeights& weights, Channel channel) {
    WT_CHECK(lane(channel).count > 0);
    drop_first(store, lane(channel));
    pass(weights, channel);
}

void SendQueue::pass(const LaneWeights& weights, Channel channel) {
    const auto index = static_cast<std::uint8_t>(channel);
    if (index != turn_ || turn_taken_ >= weights.of[index]) {
        turn_ = index;
        turn_taken_ = 0;
    }
    ++turn_taken_;
}

DequeueStatus SendQueue::dequeue(QueueStore& store, std::size_t byte_budget, MutableBytes target,
                                 std::size_t& size) {
    constexpr LaneWeights weights = LaneWeights::equal();
    Channel channel = Channel::control;
    const DequeueStatus status = choose(store, weights, {.byte_budget = byte_budget}, channel);
    if (status != DequeueStatus::ok) return status;
    const ConstBytes bytes = front(store, channel).bytes();
    if (bytes.size() > target.size()) {
        if (mutated<"short-target">()) pop(store, weights, channel);
        return DequeueStatus::buffer_too_small;
    }
    std::copy(bytes.begin(), bytes.end(), target.begin());
    size = bytes.size();
    pop(store, weights, channel);
    return DequeueStatus::ok;
}

std::uint32_t SendQueue::drop_older(QueueStore& store, Channel channel, Instant oldest) {
    Lane& from = lane(channel);
    std::uint32_t dropped = 0;
    while (from.count != 0 && store.at(from.first).accepted_at < oldest) {
        drop_first(store, from);
        ++dropped;
    }
    return dropped;
}

void SendQueue::clear(QueueStore& store) {
    for (Lane& each : lanes_) {
        while (each.count != 0)
            drop_first(store, each);
    }
    set_next_ = 0;
}

bool SendQueue::empty() const {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [](const Lane& each) { return each.count == 0; });
}

Instant SendQueue::waiting_since(const QueueStore& store, Channel channel) const {
    const Lane& at = lane(channel);
    return at.count == 0 ? Instant::never() : store.at(at.first).waiting_since;
}

void SendQueue::append(QueueStore& store, Lane& into, std::uint32_t node) {
    if (into.count == 0) {
        into.first = node;
    } else {
        store.at(into.last).next = node;
    }
    into.last = node;
    ++into.count;
}

void SendQueue::drop_first(QueueStore& store, Lane& from) {
    const std::uint32_t node = from.first;
    from.first = store.at(node).next;
    --from.count;
    if (from.count == 0) from = {};
    store.give_back(node);
}

}  // namespace wt::session
