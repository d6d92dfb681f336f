// SPDX-License-Identifier: MIT
#include "engine/secure/ack_tracker.hpp"

#include <bit>

#include "engine/base/check.hpp"

namespace wt::secure {

namespace {

constexpr std::uint64_t lap = 65'536;
constexpr std::uint32_t mask_bits = 32;

template <class Bits>
bool test(const Bits& bits, std::uint64_t number) {
    return (bits[number / 64 % bits.size()] >> (number % 64) & 1) != 0;
}
template <class Bits>
void set(Bits& bits, std::uint64_t number) {
    bits[number / 64 % bits.size()] |= std::uint64_t{1} << (number % 64);
}
template <class Bits>
void clear(Bits& bits, std::uint64_t number) {
    bits[number / 64 % bits.size()] &= ~(std::uint64_t{1} << (number % 64));
}

}  // namespace

void AckTracker::add(std::uint16_t sequence) {
    if (newest_ == 0) newest_ = lap + sequence - 1;  // First ever: one before it, so it is newer.
    const std::uint16_t ahead = static_cast<std::uint16_t>(sequence - newest_ % lap);
    if (ahead != 0 && ahead < lap / 2) {
        forget_between(newest_, newest_ + ahead);
        newest_ += ahead;
    }
    const std::uint16_t behind = static_cast<std::uint16_t>(newest_ % lap - sequence);
    if (behind >= depth) {
        if (stray_count_ < strays_max) strays_[stray_count_++] = sequence;
        return;
    }
    const std::uint64_t number = newest_ - behind;
    set(received_, number);
    if (!test(pending_, number)) {
        set(pending_, number);
        ++pending_count_;
    }
}

bool AckTracker::next(Ack& out) {
    if (pending_count_ == 0) {
        if (stray_count_ == 0) return false;
        out = {strays_[--stray_count_], 0};
        return true;
    }
    // The newest pending number: whole words are skipped where they are empty.
    std::uint64_t number = newest_;
    for (std::uint32_t steps = 0; !test(pending_, number); ++steps) {
        WT_CHECK(steps < depth);
        const std::uint64_t word = pending_[number / 64 % pending_.size()];
        const std::uint64_t at_or_below = word << (63 - number % 64);
        number -= at_or_below == 0 ? number % 64 + 1
                                   : static_cast<std::uint64_t>(std::countl_zero(at_or_below));
    }
    out.sequence = static_cast<std::uint16_t>(number % lap);
    out.mask = mask_below(number);
    // Everything that this acknowledgement names is done.
    for (std::uint32_t n = 0; n <= mask_bits; ++n) {
        if (newest_ - (number - n) >= depth) break;
        if (!test(pending_, number - n)) continue;
        clear(pending_, number - n);
        --pending_count_;
    }
    return true;
}

void AckTracker::forget_between(std::uint64_t after, std::uint64_t upto) {
    const std::uint64_t count = upto - after;
    if (count >= depth) {
        received_ = {};
        pending_ = {};
        pending_count_ = 0;
        return;
    }
    for (std::uint64_t number = after + 1; number <= upto; ++number) {
        clear(received_, number);
        if (!test(pending_, number)) continue;
        clear(pending_, number);
        --pending_count_;
    }
}

std::uint32_t AckTracker::mask_below(std::uint64_t number) const {
    std::uint32_t mask = 0;
    for (std::uint32_t n = 0; n < mask_bits; ++n) {
        const std::uint64_t before = number - 1 - n;
        if (newest_ - before >= depth) break;
        if (test(received_, before)) mask |= 1u << n;
    }
    return mask;
}

}  // namespace wt::secure
