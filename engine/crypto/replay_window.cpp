// SPDX-License-Identifier: MIT
#include "engine/crypto/replay_window.hpp"

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::crypto {

void ReplayWindow::clear() {
    seen_.fill(0);
    highest_ = 0;
}

ReplayWindow::Verdict ReplayWindow::check(std::uint64_t counter) const {
    if (counter == 0 && !mutated<"zero-counter">()) return Verdict::zero;
    if (counter > highest_) return Verdict::fresh;
    // Never counter + depth, which has no room near the end.
    const bool is_old =
        mutated<"f03-overflow">() ? counter + depth <= highest_ : highest_ - counter >= depth;
    if (is_old && !mutated<"replay-depth">()) return Verdict::too_old;
    const std::uint64_t bit = counter % depth;
    const bool seen = (seen_[bit / word_bits] >> (bit % word_bits) & 1u) != 0;
    return seen && !mutated<"replay">() ? Verdict::repeated : Verdict::fresh;
}

void ReplayWindow::commit(std::uint64_t counter) {
    WT_CHECK(check(counter) == Verdict::fresh);
    if (counter == highest_ + 1) {
        // The usual case: the bit that told of a counter one depth earlier is set below.
        highest_ = counter;
    } else if (counter > highest_) {
        advance_to(counter);
    }
    const std::uint64_t bit = counter % depth;
    seen_[bit / word_bits] |= std::uint64_t{1} << (bit % word_bits);
}

// The counters jumped over have not been seen, and their bits still tell of counters one depth
// earlier. Whole words go at once, so that a jump costs at most one pass over the map.
void ReplayWindow::advance_to(std::uint64_t counter) {
    const std::uint64_t jump = counter - highest_;
    if (jump >= depth) {
        seen_.fill(0);
        highest_ = counter;
        return;
    }
    for (std::uint64_t left = jump; left > 0;) {
        const std::uint64_t bit = (highest_ + 1) % depth;
        const std::uint64_t within = bit % word_bits;
        const std::uint64_t run = left < word_bits - within ? left : word_bits - within;
        const std::uint64_t ones =
            run == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << run) - 1;
        seen_[bit / word_bits] &= ~(ones << within);
        highest_ += run;
        left -= run;
    }
}

}  // namespace wt::crypto
