// SPDX-License-Identifier: MIT
//
// Replaceable state: one pending payload a tag, of which only the newest matters. Writing a tag
// again overwrites what was not sent yet, and keeps the older value's age, since the receiver has
// waited for news that long.  Spec: 000, backpressure and latest-state replacement.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/buffer_pool.hpp"
#include "engine/transport/message.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

class LatestValues {
public:
    static constexpr std::uint32_t tags_max = 256;

    struct Entry {
        PoolBuffer body{};
        std::uint32_t bytes = 0;
        std::uint32_t tag = 0;
        Instant accepted_at{};
        std::uint32_t tick = 0;
        transport::Lane lane = transport::Lane::control;
        transport::Kind kind = transport::Kind::data;
    };

    explicit LatestValues(BufferPool& pool) : pool_(pool) {}
    ~LatestValues() { clear(); }
    LatestValues(const LatestValues&) = delete;
    LatestValues& operator=(const LatestValues&) = delete;

    // ok, replaced, or backlogged where tags_max others are pending.
    [[nodiscard]] transport::SendStatus put(Instant now, const transport::Message& message);

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    // The value that has waited longest on a lane of the set `lanes` (bit n = lane n), or nullptr.
    // It holds until the next call; drop() lets it go.
    [[nodiscard]] const Entry* oldest(std::uint8_t lanes) const;
    void drop(const Entry* entry);
    void clear();
    void levels(Instant now, transport::ConnectionLevels& out) const;

private:
    BufferPool& pool_;
    std::vector<Entry> entries_;  // In order of first writing.
};

}  // namespace wt::secure
