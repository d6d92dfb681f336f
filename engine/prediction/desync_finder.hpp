// SPDX-License-Identifier: MIT
//
// Checksums of confirmed states from both ends, matched by tick: the first tick at which they
// differ is where the histories parted. One finder for each other peer.
// Spec: 001, replication and latency hiding (full rollback).
#pragma once

#include <array>
#include <cstdint>

#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

struct DesyncCounters {
    std::uint64_t compared = 0;
    std::uint64_t differing = 0;
    std::uint64_t unmatched = 0;  // Overwritten before the other end's came.
};

class DesyncFinder {
public:
    static constexpr std::uint32_t history = 128;

    // Each in ascending order of ticks. True if this made a pair that differs.
    bool add_own(Tick tick, std::uint64_t sum) { return add(tick, sum, 0); }
    bool add_other(Tick tick, std::uint64_t sum) { return add(tick, sum, 1); }

    [[nodiscard]] bool has_desync() const { return counters_.differing > 0; }
    // The lowest tick known to differ. All compared ticks before it were equal.
    [[nodiscard]] Tick first_desync() const { return first_; }
    [[nodiscard]] const DesyncCounters& counters() const { return counters_; }

private:
    struct Entry {
        Tick tick = 0;
        std::uint64_t sum = 0;
        std::uint8_t side = 0;
        bool is_waiting = false;
    };

    bool add(Tick tick, std::uint64_t sum, std::uint8_t side) {
        Entry& entry = entries_[tick % history];
        const bool is_pair = entry.is_waiting && entry.tick == tick && entry.side != side;
        if (!is_pair) {
            if (entry.is_waiting) {
                // Of an older tick, or the same end said it twice: the newer one stays.
                if (entry.tick > tick) return false;
                if (entry.tick < tick) ++counters_.unmatched;
            }
            entry = {.tick = tick, .sum = sum, .side = side, .is_waiting = true};
            return false;
        }
        entry.is_waiting = false;
        ++counters_.compared;
        if (entry.sum == sum) return false;
        if (!has_desync() || tick < first_) first_ = tick;
        ++counters_.differing;
        return true;
    }

    std::array<Entry, history> entries_{};
    Tick first_ = 0;
    DesyncCounters counters_;
};

}  // namespace wt::prediction
