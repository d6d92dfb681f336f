// SPDX-License-Identifier: MIT
#include "engine/secure/latest_values.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

transport::SendStatus LatestValues::put(Instant now, const transport::Message& message) {
    WT_CHECK(message.replace_tag.has_value());
    const std::uint32_t bytes = static_cast<std::uint32_t>(message.bytes.size());
    Entry* found = nullptr;
    for (Entry& entry : entries_) {
        if (mutated<"latest-value">()) break;
        if (entry.tag == *message.replace_tag && entry.lane == message.lane) found = &entry;
    }
    const bool replaces = found != nullptr;
    if (replaces && mutated<"latest-age">()) found->accepted_at = now;
    if (!replaces) {
        if (entries_.size() == tags_max) return transport::SendStatus::backlogged;
        found = &entries_.emplace_back();
        found->tag = *message.replace_tag;
        found->lane = message.lane;
        found->accepted_at = now;
    }
    if (found->body.capacity < bytes || !found->body) {
        pool_.give_back(found->body);
        found->body = pool_.take(std::max(bytes, 1u));
    }
    if (replaces && mutated<"f12-newest">()) return transport::SendStatus::replaced;
    if (bytes != 0) std::memcpy(found->body.data, message.bytes.data(), bytes);
    found->bytes = bytes;
    found->tick = message.tick;
    found->kind = message.kind;
    return replaces ? transport::SendStatus::replaced : transport::SendStatus::ok;
}

const LatestValues::Entry* LatestValues::oldest(std::uint8_t lanes) const {
    for (const Entry& entry : entries_) {
        if ((lanes >> static_cast<unsigned>(entry.lane) & 1) != 0) return &entry;
    }
    return nullptr;
}

void LatestValues::drop(const Entry* entry) {
    const std::size_t place = static_cast<std::size_t>(entry - entries_.data());
    WT_CHECK(place < entries_.size());
    pool_.give_back(entries_[place].body);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
}

void LatestValues::clear() {
    for (Entry& entry : entries_)
        pool_.give_back(entry.body);
    entries_.clear();
}

void LatestValues::levels(Instant now, transport::ConnectionLevels& out) const {
    for (const Entry& entry : entries_) {
        Duration& age = out.queue_age[static_cast<unsigned>(entry.lane)];
        age = std::max(age, now - entry.accepted_at);
        out.backlog_bytes += entry.bytes;
    }
}

}  // namespace wt::secure
