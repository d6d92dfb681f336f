// SPDX-License-Identifier: MIT
//
// Where avatars were when a client shot: the server keeps each one's quantised poses for a while
// and rebuilds what was shown. The client's word picks a time only within the bound; anything it
// says beyond that is cut to the bound, and what was not there or not alive then is not hit.
// Spec: 001, replication and latency hiding (bounded server rewind).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/prediction/blend.hpp"
#include "engine/prediction/view.hpp"

namespace wt::prediction {

struct RewindConfig {
    std::uint32_t slots = 128;
    std::uint32_t ticks_max = 30;  // How far back a shot may look. Below the history's 64.
    std::uint32_t span_max = 33;   // Longest blend that a view may claim.
    std::uint32_t beyond_max = 6;  // Longest extrapolation (Stream::beyond_ticks).
    std::uint8_t angle_bits = 0;
};

enum class RewindStatus : std::uint8_t {
    ok,
    clamped,       // Older than the bound, or in the future: rebuilt at the bound.
    not_eligible,  // Not there then, or it jumped in between.
};

struct RewindCounters {
    std::uint64_t rebuilt = 0;
    std::uint64_t clamped = 0;
    std::uint64_t not_eligible = 0;
    std::uint64_t implausible = 0;  // Claimed versions that no client can have: blended by ticks.
};

class PoseHistory {
public:
    static constexpr std::uint32_t history = 64;

    explicit PoseHistory(const RewindConfig& config);
    void reset();

    // Once a tick for each avatar that may be hit; a slot not recorded was not there. Poses lie on
    // quanta, as they were sent. `cut` changes when the avatar jumps or becomes another's.
    void record(Tick tick, std::uint32_t slot, const Pose& pose, std::uint32_t cut);

    // Where a viewer with `view` saw `slot`, at tick `now` (the newest one recorded).
    RewindStatus rebuild(Tick now, std::uint32_t slot, const View& view, Pose& out);

    [[nodiscard]] const RewindCounters& counters() const { return counters_; }

private:
    struct Entry {
        Tick tick = 0;
        bool is_set = false;
        std::uint32_t cut = 0;
        Pose pose{};
    };

    [[nodiscard]] const Entry* find(Tick tick, std::uint32_t slot) const;
    RewindStatus blend_entries(std::uint32_t slot, const View& view, Pose& out) const;

    RewindConfig config_;
    std::vector<Entry> entries_;  // [slot][tick % history]
    RewindCounters counters_;
};

}  // namespace wt::prediction
