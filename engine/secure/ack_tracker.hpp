// SPDX-License-Identifier: MIT
//
// The receiver's memory of transmission sequences and what it still has to acknowledge. An
// acknowledgement names one sequence and a mask of the 32 before it; bits of sequences that were
// acknowledged before are set again, so the next one repairs a lost one. A burst wider than the
// mask takes several. Refused fragments are never entered.
// Spec: 000, acknowledgements and retransmission timing.
#pragma once

#include <array>
#include <cstdint>

namespace wt::secure {

struct Ack {
    std::uint16_t sequence = 0;
    std::uint32_t mask = 0;  // Bit n = sequence - 1 - n was received too.
};

class AckTracker {
public:
    // How far behind the newest sequence one is remembered: as many as the packet window.
    static constexpr std::uint32_t depth = 4'096;

    void reset() { *this = AckTracker{}; }

    // An accepted (or repeated) fragment's transmission sequence, to be acknowledged.
    void add(std::uint16_t sequence);

    // The next acknowledgement due, newest first; false when none is left.
    [[nodiscard]] bool next(Ack& out);

    [[nodiscard]] bool is_due() const { return pending_count_ > 0 || stray_count_ > 0; }

private:
    using Bits = std::array<std::uint64_t, depth / 64>;

    // Sequences older than the memory are acknowledged alone. More than these at once are left
    // to their retransmission.
    static constexpr unsigned strays_max = 32;

    void forget_between(std::uint64_t after, std::uint64_t upto);
    [[nodiscard]] std::uint32_t mask_below(std::uint64_t number) const;

    // Sequences unwrapped to 64 bits; 65,536 stands for the first lap, so that nothing goes
    // below zero.
    std::uint64_t newest_ = 0;
    Bits received_{};
    Bits pending_{};
    std::uint32_t pending_count_ = 0;
    std::uint32_t stray_count_ = 0;
    std::array<std::uint16_t, strays_max> strays_{};
};

}  // namespace wt::secure
