// SPDX-License-Identifier: MIT
//
// A reliable message on its way out: its record, sealed where it lies at the first transmission,
// and what became of each fragment.  Spec: 000, fragmentation and ordered reassembly.
#pragma once

#include <cstdint>
#include <new>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/check.hpp"
#include "engine/base/time.hpp"
#include "engine/secure/wire.hpp"
#include "engine/transport/label.hpp"

namespace wt::secure {

struct OutFragment {
    Instant first_sent{};
    std::uint32_t latest = 0;      // Low bits of its latest transmission number.
    std::uint32_t valid_from = 0;  // Earlier transmissions are forgotten: they match nothing.
    std::uint8_t transmissions = 0;
    std::uint8_t timeouts = 0;
    std::uint8_t doublings = 0;  // Of the base timeout, in the wait that runs.
    bool acked = false;
    bool due = false;  // Waits in the queue of retransmissions.
};

struct OutMessage {
    PoolBuffer body{};       // Room for the counter, plaintext, room for the tag: the record.
    PoolBuffer extension{};  // OutFragments, where there are several.
    OutFragment single{};
    std::uint32_t record_bytes = 0;
    std::uint32_t unacked_plain = 0;   // Payload bytes that count towards the backlog.
    std::uint64_t record_counter = 0;  // 0 until sealed.
    Instant accepted_at{};
    std::uint32_t tick = 0;
    std::uint16_t id = 0;
    std::uint16_t fragment_count = 0;
    std::uint16_t sent = 0;  // Fragments transmitted at least once; in index order.
    std::uint16_t acked = 0;
    std::uint16_t first_unacked = 0;  // Every fragment before it is acknowledged.
    transport::Lane lane = transport::Lane::control;
    transport::Kind kind = transport::Kind::data;

    [[nodiscard]] OutFragment& fragment(std::uint32_t index) {
        WT_CHECK(index < fragment_count);
        if (fragment_count == 1) return single;
        return std::launder(static_cast<OutFragment*>(static_cast<void*>(extension.data)))[index];
    }
    [[nodiscard]] const OutFragment& fragment(std::uint32_t index) const {
        return const_cast<OutMessage*>(this)->fragment(index);
    }
    [[nodiscard]] bool is_released() const { return acked == fragment_count; }
    [[nodiscard]] std::uint32_t fragment_bytes(std::uint32_t index) const {
        const std::uint32_t at = index * static_cast<std::uint32_t>(fragment_bytes_max);
        const std::uint32_t left = record_bytes - at;
        return left < fragment_bytes_max ? left : static_cast<std::uint32_t>(fragment_bytes_max);
    }
    [[nodiscard]] MutableBytes plaintext() {
        return {body.data + record_counter_bytes, record_bytes - record_overhead};
    }
};

}  // namespace wt::secure
