// SPDX-License-Identifier: MIT
#include "engine/secure/ack_tracker.hpp"

#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

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

// Bit n becomes bit 31 - n: halves, then quarters, and so on down to neighbours.
std::uint32_t reversed(std::uint32_t bits) {
    bits = bits >> 16 | bits << 16;
    bits = (bits >> 8 & 0x00ff'00ffu) | (bits & 0x00ff'00ffu) << 8;
    bits = (bits >> 4 & 0x0f0f'0f0fu) | (bits & 0x0f0f'0f0fu) << 4;
    bits = (bits >> 2 & 0x3333'3333u) | (bits & 0x3333'3333u) << 2;
    return (bits >> 1 & 0x5555'5555u) | (bits & 0x5555'5555u) << 1;
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
    if (mutated<"ack-several">()) {
        pending_ = {};
        pending_count_ = 0;
    }
    // Everything that this acknowledgement names is done.
    for (std::uint32_t n = 0; n <= mask_bits && pending_count_ > 0; ++n) {
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

// The 32 bits before `number`, the nearest lowest. Numbers beyond the memory are never set: bits
// are cleared as the newest number moves over their place.
std::uint32_t AckTracker::mask_below(std::uint64_t number) const {
    // Bits number - 32 .. number - 1 as they lie in the ring, ascending; at most two words.
    const std::uint64_t first = number - mask_bits;
    const std::uint64_t low = received_[first / 64 % received_.size()] >> (first % 64);
    const std::uint64_t high = received_[(first / 64 + 1) % received_.size()];
    const unsigned shift = first % 64;
    const std::uint32_t ascending =
        static_cast<std::uint32_t>(shift == 0 ? low : low | high << (64 - shift));
    // What lies `depth` or more behind the newest shares its place with newer numbers.
    const std::uint64_t age = newest_ - number;
    const std::uint64_t known = depth - 1 - age;  // Numbers before `number` that are remembered.
    std::uint32_t mask = mutated<"ack-mask">() ? 0 : reversed(ascending);
    if (known < mask_bits) mask &= known == 0 ? 0 : ~std::uint32_t{0} >> (mask_bits - known);
    return mask;
}

}  // namespace wt::secure
