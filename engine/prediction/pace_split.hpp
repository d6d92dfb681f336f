// SPDX-License-Identifier: MIT
//
// Two peers of a rollback game that started apart: the one ahead hears everything late and rolls
// back all the time, the other never. Each measures how far ahead of the other's newest input it
// is and tells the other; the one that is more ahead waits for half of the difference, so both end
// up paying the same for the way between them (F45).
// Spec: 001, replication and latency hiding (full rollback).
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

class PaceSplit {
public:
    // Ticks over which measurements are averaged before a wait is decided.
    static constexpr std::uint32_t window = 30;
    static constexpr std::uint32_t wait_max = 8;  // Ticks in one decision.

    // Once each tick: the own newest tick, the newest input heard of the other, and what the other
    // last told of its own advantage. Returns 1 if this tick should not be played.
    std::uint32_t on_tick(Tick own, Tick heard, std::int32_t other_advantage) {
        const std::int64_t ahead = static_cast<std::int64_t>(own - heard);
        advantage_ = static_cast<std::int32_t>(std::clamp<std::int64_t>(ahead, -1'000, 1'000));
        if (waits_left_ > 0) {
            --waits_left_;
            ++waited_;
            return 1;
        }
        sum_ += advantage_ - other_advantage;
        ++samples_;
        if (samples_ < window) return 0;
        // Both see the same difference with opposite signs, and each settles half of it by
        // waiting only where it is the one ahead: together they meet in the middle.
        const std::int32_t half = sum_ / static_cast<std::int32_t>(2 * window);
        samples_ = 0;
        sum_ = 0;
        waits_left_ =
            static_cast<std::uint32_t>(std::clamp(half, 0, static_cast<std::int32_t>(wait_max)));
        return 0;
    }

    // What to tell the other.
    [[nodiscard]] std::int32_t advantage() const { return advantage_; }
    [[nodiscard]] std::uint64_t waited() const { return waited_; }

private:
    std::int32_t advantage_ = 0;
    std::int32_t sum_ = 0;
    std::uint32_t samples_ = 0;
    std::uint32_t waits_left_ = 0;
    std::uint64_t waited_ = 0;
};

}  // namespace wt::prediction
