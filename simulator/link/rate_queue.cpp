// SPDX-License-Identifier: MIT
#include "simulator/link/rate_queue.hpp"

#include "engine/base/mutated.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {
constexpr std::size_t first_room = 256;
}  // namespace

bool RateQueue::has_room(Instant now, std::uint32_t bytes, const QueueConfig& limit) {
    forget_until(now);
    switch (limit.unit) {
        case QueueConfig::Unit::none:
            return true;
        case QueueConfig::Unit::bytes:
            return waiting_bytes_ + (mutated<"queue-bytes">() ? 0 : bytes) <= limit.bytes;
        case QueueConfig::Unit::packets:
            return count_ < limit.packets;
        case QueueConfig::Unit::time:
            return busy_until_ <= now || busy_until_ - now <= limit.time;
    }
    return true;
}

bool RateQueue::spend(std::uint64_t& work, const RateSpan& span) {
    if (span.bits_per_second == 0) {
        // Without a limit everything leaves at once.
        carry_ = 0;
        work = 0;
        return true;
    }
    const std::uint64_t rate = span.bits_per_second;
    const std::uint64_t total = work + carry_;
    if (span.until != Instant::never()) {
        const Wide room = static_cast<Wide>((span.until - busy_until_).ns) * rate;
        if (room < total) {
            work = total - static_cast<std::uint64_t>(room);
            carry_ = 0;
            busy_until_ = span.until;
            return false;
        }
    }
    busy_until_ += Duration{static_cast<std::int64_t>(total / rate)};
    carry_ = total % rate;
    work = 0;
    return true;
}

void RateQueue::remember(std::uint32_t bytes) {
    if (count_ == waiting_.size()) {
        // Unrolls the ring into twice the room.
        std::vector<Waiting> larger(waiting_.empty() ? first_room : waiting_.size() * 2);
        for (std::size_t i = 0; i < count_; ++i) {
            larger[i] = waiting_[(head_ + i) & (waiting_.size() - 1)];
        }
        waiting_ = std::move(larger);
        head_ = 0;
        ++growth_;
    }
    waiting_[(head_ + count_) & (waiting_.size() - 1)] = {busy_until_, bytes};
    ++count_;
    waiting_bytes_ += bytes;
}

void RateQueue::forget_until(Instant now) {
    while (count_ > 0 && waiting_[head_].leaves <= now) {
        waiting_bytes_ -= waiting_[head_].bytes;
        head_ = (head_ + 1) & (waiting_.size() - 1);
        --count_;
    }
}

}  // namespace wt::sim
