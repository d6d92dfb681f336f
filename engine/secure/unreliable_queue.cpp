// SPDX-License-Identifier: MIT
#include "engine/secure/unreliable_queue.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/mutated.hpp"

namespace wt::secure {

void UnreliableQueue::add(Instant now, const transport::Message& message,
                          transport::Counters& counters) {
    if (entries_.size() == datagrams_max) {
        ++counters.unreliable_dropped;
        if (mutated<"unreliable-oldest">()) return;
        pop();
    }
    const std::uint32_t bytes = static_cast<std::uint32_t>(message.bytes.size());
    Entry& entry = entries_.push();
    entry.body = pool_.take(std::max(bytes, 1u));
    entry.bytes = bytes;
    if (bytes != 0) std::memcpy(entry.body.data, message.bytes.data(), bytes);
    entry.accepted_at = now;
    entry.tick = message.tick;
    entry.lane = message.lane;
    entry.delivery = message.delivery;
    entry.kind = message.kind;
    bytes_ += bytes;
}

void UnreliableQueue::pop() {
    Entry& entry = entries_.front();
    bytes_ -= entry.bytes;
    pool_.give_back(entry.body);
    entries_.pop();
}

void UnreliableQueue::clear() {
    while (!entries_.empty())
        pop();
}

void UnreliableQueue::levels(Instant now, transport::ConnectionLevels& out) const {
    out.backlog_bytes += bytes_;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_.at(i);
        Duration& age = out.queue_age[static_cast<unsigned>(entry.lane)];
        age = std::max(age, now - entry.accepted_at);
    }
}

}  // namespace wt::secure
