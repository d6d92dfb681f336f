// SPDX-License-Identifier: MIT
//
// The instants at which hosts look at their sockets and let datagrams go. One grid with origin 0
// for all hosts. Visibility is strict: a wake-up at t sees what arrived before t, so zero delay is
// exact and finite (DESIGN R3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::sim {

// The first multiple of `step` that is not before `at`.
[[nodiscard]] constexpr Instant multiple_at_or_after(Instant at, Duration step) {
    return {(at.ns + step.ns - 1) / step.ns * step.ns};
}

struct Grid {
    Duration poll = Duration::millis(5);   // 0: 1 ns after an arrival.
    Duration flush = Duration::millis(5);  // 0: at once.

    [[nodiscard]] constexpr bool is_poll(Instant at) const {
        return poll.ns == 0 || at.ns % poll.ns == 0;
    }
    [[nodiscard]] constexpr bool is_flush(Instant at) const {
        return flush.ns == 0 || at.ns % flush.ns == 0;
    }
    // The first poll that sees an arrival at `at`.
    [[nodiscard]] constexpr Instant poll_after(Instant at) const {
        const Instant next{at.ns + 1};
        return poll.ns == 0 ? next : multiple_at_or_after(next, poll);
    }
    [[nodiscard]] constexpr Instant poll_at_or_after(Instant at) const {
        return poll.ns == 0 ? at : multiple_at_or_after(at, poll);
    }
    [[nodiscard]] constexpr Instant flush_at_or_after(Instant at) const {
        if (flush.ns == 0 || at == Instant::never()) return at;
        return multiple_at_or_after(at, flush);
    }
};

// When anybody could see, at the earliest, what arrives at `at`: the next poll or game tick.
[[nodiscard]] inline Instant next_wake_after(const Grid& grid, const std::vector<Frequency>& ticks,
                                             Instant at) {
    Instant next = grid.poll_after(at);
    for (const Frequency rate : ticks) {
        if (rate.per_second == 0) continue;
        next = std::min(next, rate.tick(rate.first_tick_at_or_after({at.ns + 1})));
    }
    return next;
}

}  // namespace wt::sim
