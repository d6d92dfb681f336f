// SPDX-License-Identifier: MIT
//
// Lossy traffic on its way out: at most 512 datagrams, of which a newer one pushes out the oldest.
// That bounds what waits without making it reliable.
// Spec: 000, backpressure and latest-state replacement.
#pragma once

#include <cstdint>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/grow_ring.hpp"
#include "engine/transport/message.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

class UnreliableQueue {
public:
    static constexpr std::uint32_t datagrams_max = 512;

    struct Entry {
        PoolBuffer body{};
        std::uint32_t bytes = 0;
        Instant accepted_at{};
        std::uint32_t tick = 0;
        transport::Lane lane = transport::Lane::control;
        transport::Delivery delivery = transport::Delivery::unreliable;
        transport::Kind kind = transport::Kind::data;

        [[nodiscard]] ConstBytes view() const { return {body.data, bytes}; }
    };

    explicit UnreliableQueue(BufferPool& pool) : pool_(pool) {}
    ~UnreliableQueue() { clear(); }
    UnreliableQueue(const UnreliableQueue&) = delete;
    UnreliableQueue& operator=(const UnreliableQueue&) = delete;

    void add(Instant now, const transport::Message& message, transport::Counters& counters);
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::uint32_t size() const { return entries_.size(); }
    [[nodiscard]] const Entry& front() const { return entries_.front(); }
    void pop();
    void clear();
    void levels(Instant now, transport::ConnectionLevels& out) const;

private:
    BufferPool& pool_;
    GrowRing<Entry> entries_;
    std::uint64_t bytes_ = 0;
};

}  // namespace wt::secure
