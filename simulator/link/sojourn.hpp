// SPDX-License-Identifier: MIT
//
// A two-state weather that runs on the clock: good and bad stretches of exponential length,
// whether or not anything is sent. Stretch number n has a unit-exponential budget drawn from
// (key, n) and spends it at the current rate, so a change of the means in the middle of a stretch
// stretches what is left of it and moves no later draw.
#pragma once

#include <cstdint>

#include "engine/base/rng.hpp"
#include "engine/base/time.hpp"

namespace wt::sim {

// Mean lengths; 0 means that this state has no end (and the other is never reached from it).
struct SojournMeans {
    Duration good{};
    Duration bad{};

    // Means for a bad state that takes up `share` of the time in stretches of `bad` on average.
    static SojournMeans of(Chance share, Duration bad);
    friend bool operator==(const SojournMeans&, const SojournMeans&) = default;
};

class SojournClock {
public:
    // Starts at time 0, in the bad state with chance `share`: the stationary law.
    SojournClock(LuckKey key, Chance share, SojournMeans means);

    // Time never goes back.
    void advance(Instant now) {
        while (end_ <= now)
            next_stretch();
    }
    // From `at` on. Call after advance(at).
    void set_means(Instant at, SojournMeans means);

    [[nodiscard]] bool is_bad() const { return is_bad_; }
    // When the present stretch ends; the state at that instant is the next one's.
    [[nodiscard]] Instant end() const { return end_; }

private:
    void next_stretch();
    void place_end(Instant from);

    LuckKey key_;
    SojournMeans means_;
    Instant end_{};
    std::uint64_t budget_q32_ = 0;  // Unspent at `from_`, in units of 2^-32 means.
    Instant from_{};
    std::uint64_t number_ = 0;
    bool is_bad_ = false;
};

}  // namespace wt::sim
