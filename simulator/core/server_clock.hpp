// SPDX-License-Identifier: MIT
//
// Where the server's ticks lie in virtual time. Clients speak of ticks, and only the simulator
// knows true time: ages that come from here are true and not a client's opinion of itself.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::sim {

struct ServerClock {
    static constexpr unsigned fraction_bits = 16;

    Frequency rate{60};
    std::uint32_t initial_tick = 0;  // Number of the tick at time 0.

    // Of a server time in 2^-16 ticks.
    [[nodiscard]] Instant instant_of(std::int64_t ticks_q16) const {
        // From the run's first tick on, modulo 2^32 ticks: what a client calls 0 is its own affair.
        constexpr unsigned unused_bits = 64 - 32 - fraction_bits;
        const std::uint64_t first = std::uint64_t{initial_tick} << fraction_bits;
        const std::uint64_t wrapped = (static_cast<std::uint64_t>(ticks_q16) - first)
                                      << unused_bits;
        const std::int64_t ticks = static_cast<std::int64_t>(wrapped) >> unused_bits;
        // Clients say no time before tick 0; one that did would be as wrong as it looks.
        const std::int64_t whole = std::max<std::int64_t>(ticks >> fraction_bits, 0);
        const std::int64_t part = ticks & ((std::int64_t{1} << fraction_bits) - 1);
        const Instant start = rate.tick(static_cast<std::uint64_t>(whole));
        const std::int64_t period_ns = 1'000'000'000 / rate.per_second;
        return start + Duration{part * period_ns >> fraction_bits};
    }
    [[nodiscard]] Instant instant_of_tick(std::uint64_t tick) const {
        return instant_of(static_cast<std::int64_t>(tick << fraction_bits));
    }
    // Of the newest tick at or before `at`.
    [[nodiscard]] Instant newest_tick(Instant at) const {
        return rate.tick(rate.first_tick_at_or_after(at + Duration::nanos(1)) - 1);
    }
};

}  // namespace wt::sim
