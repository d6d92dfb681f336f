// SPDX-License-Identifier: MIT
//
// Unreliable messages that were opened and wait for the application. A driver that drains after
// every datagram never has more than one here; one that does not is bounded, and what comes on top
// is refused and counted.
#pragma once

#include <cstdint>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/grow_ring.hpp"
#include "engine/transport/event.hpp"

namespace wt::secure {

class Inbox {
public:
    static constexpr std::uint32_t messages_max = 512;

    struct Entry {
        PoolBuffer body{};
        std::uint32_t offset = 0;  // Where the plaintext begins.
        std::uint32_t bytes = 0;
        std::uint16_t sequence = 0;
        Instant accepted_at{};
        std::uint32_t tick = 0;
        transport::Lane lane = transport::Lane::control;
        transport::Delivery delivery = transport::Delivery::unreliable;
        transport::Kind kind = transport::Kind::data;
    };

    explicit Inbox(BufferPool& pool) : pool_(pool) {}
    ~Inbox() { clear(); }
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    [[nodiscard]] bool is_empty() const { return entries_.empty(); }
    [[nodiscard]] bool is_full() const { return entries_.size() == messages_max; }
    // A new last entry, whose body the caller has filled. It belongs to the inbox from here on.
    Entry& add() { return entries_.push(); }
    // Hands out the oldest entry, whose bytes hold until the next call.
    [[nodiscard]] const Entry* next() {
        pool_.give_back(handed_out_.body);
        if (entries_.empty()) return nullptr;
        handed_out_ = entries_.front();
        entries_.pop();
        return &handed_out_;
    }
    void clear() {
        pool_.give_back(handed_out_.body);
        while (!entries_.empty()) {
            pool_.give_back(entries_.front().body);
            entries_.pop();
        }
    }

private:
    BufferPool& pool_;
    GrowRing<Entry> entries_;
    Entry handed_out_{};
};

}  // namespace wt::secure
