// SPDX-License-Identifier: MIT
//
// The server's time as a client can know it: from echoes of its own clock, the one with the
// shortest round trip of the last few. Half of the round trip is taken for the way back, so the
// estimate is wrong by half of what the two ways differ: no end can measure more.
// Spec: 001, replication and latency hiding.
#pragma once

#include <array>
#include <cstdint>

#include "engine/prediction/feedback.hpp"

namespace wt::prediction {

struct ClockSyncCounters {
    std::uint64_t samples = 0;
    std::uint64_t impossible = 0;  // Negative or over round_trip_max: not a sample.
    std::uint64_t outside = 0;     // Contradicts the estimate; two in a row are a step.
    std::uint64_t steps = 0;       // One of the clocks jumped: all samples were dropped.
};

class ClockSync {
public:
    static constexpr Duration round_trip_max = Duration::seconds(10);
    // How far a sample may contradict the estimate: drift within the window, timer grain.
    static constexpr std::int64_t slack_q16 = tick_one / 2;

    explicit ClockSync(Frequency tick_rate) : rate_(tick_rate) {}
    void reset();

    // The client's clock as it goes into an input message; wraps every 71 minutes.
    [[nodiscard]] static std::uint32_t wire_clock(Instant now) {
        return static_cast<std::uint32_t>(now.ns / 1'000);
    }
    // A snapshot of server tick `tick` arrived; without an echo only its tick says something.
    void on_snapshot(Instant now, Tick tick, const Feedback& feedback);

    [[nodiscard]] bool has_estimate() const { return count_ > 0; }
    // Needs an estimate. Server ticks at the client's `now`.
    [[nodiscard]] TickTime server_now(Instant now) const {
        return clock_ticks(now, rate_) + TickTime{best().offset};
    }
    [[nodiscard]] Duration round_trip() const { return best().round_trip; }
    [[nodiscard]] const ClockSyncCounters& counters() const { return counters_; }

private:
    static constexpr std::uint32_t window = 64;  // 3.2 s at 20 snapshots a second.

    // Where the server's count must lie above the local one: in [floor, floor + round trip].
    struct Sample {
        Duration round_trip{};
        std::int64_t floor = 0;   // Q16 ticks.
        std::int64_t offset = 0;  // Q16 ticks: the middle.
        std::int64_t ceiling = 0;
    };

    void add(const Sample& sample);
    // True if this contradiction was the second in a row.
    bool contradicted();
    [[nodiscard]] const Sample& best() const { return samples_[best_]; }

    Frequency rate_;
    std::array<Sample, window> samples_{};
    std::uint32_t count_ = 0;
    std::uint32_t next_ = 0;
    std::uint32_t best_ = 0;
    std::uint32_t contradictions_ = 0;
    ClockSyncCounters counters_;
};

}  // namespace wt::prediction
