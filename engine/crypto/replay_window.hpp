// SPDX-License-Identifier: MIT
//
// Which counters of a peer were seen. 0 is invalid, a repeat is refused, and so is a counter 4,096
// or more behind the highest accepted one. Two steps, because a forged counter must not move the
// window: check(n) first, authenticate, then commit(n).
// Spec: 000, encrypted records and authenticated datagrams.
#pragma once

#include <array>
#include <cstdint>

namespace wt::crypto {

class ReplayWindow {
public:
    static constexpr std::uint64_t depth = 4'096;

    enum class Verdict : std::uint8_t {
        fresh,
        zero,
        repeated,
        too_old,
    };

    // Forgets everything: the state of a new key.
    void clear();

    // Whether `counter` may be accepted. Changes nothing.
    [[nodiscard]] Verdict check(std::uint64_t counter) const;

    // Accepts a counter that was just checked to be fresh (a bug otherwise) and is authentic.
    void commit(std::uint64_t counter);

    // 0 before the first commit.
    [[nodiscard]] std::uint64_t highest() const { return highest_; }

private:
    static constexpr std::uint64_t word_bits = 64;
    static constexpr std::uint64_t words = depth / word_bits;

    void advance_to(std::uint64_t counter);

    // Bit n % depth belongs to counter n, for highest_ - depth < n <= highest_.
    std::array<std::uint64_t, words> seen_{};
    std::uint64_t highest_ = 0;
};

static_assert(sizeof(ReplayWindow) == ReplayWindow::depth / 8 + sizeof(std::uint64_t));

}  // namespace wt::crypto
