// SPDX-License-Identifier: MIT
#include "engine/secure/transmission_log.hpp"

#include "engine/base/check.hpp"

namespace wt::secure {

namespace {

// A power of two that holds a record of 200 KiB (187 fragments) and what goes beside it.
constexpr std::size_t first_room = 256;

}  // namespace

void TransmissionLog::reset(std::uint16_t initial) {
    oldest_ = 1;
    next_ = 1;
    offset_ = static_cast<std::uint16_t>(initial - 1);
}

std::uint64_t TransmissionLog::add(const Transmission& transmission) {
    // One more than the stall's span: the escape from a stall drops its oldest only afterwards.
    WT_CHECK(span() <= span_max);
    if (span() == ring_.size()) {
        std::vector<Transmission> larger(ring_.empty() ? first_room : ring_.size() * 2);
        for (std::uint64_t n = oldest_; n < next_; ++n) {
            larger[n & (larger.size() - 1)] = ring_[n & (ring_.size() - 1)];
        }
        ring_ = std::move(larger);
    }
    ring_[next_ & (ring_.size() - 1)] = transmission;
    return next_++;
}

bool TransmissionLog::find(std::uint16_t sequence, std::uint64_t& number) const {
    // How far behind the newest transmission; unambiguous, since the span is half a lap at most.
    const std::uint16_t behind = static_cast<std::uint16_t>(sequence_of(next_ - 1) - sequence);
    if (behind >= span()) return false;
    number = next_ - 1 - behind;
    return true;
}

const Transmission& TransmissionLog::at(std::uint64_t number) const {
    WT_CHECK(number >= oldest_);
    WT_CHECK(number < next_);
    return ring_[number & (ring_.size() - 1)];
}

void TransmissionLog::drop_before(std::uint64_t number) {
    WT_CHECK(number <= next_);
    if (number > oldest_) oldest_ = number;
}

}  // namespace wt::secure
