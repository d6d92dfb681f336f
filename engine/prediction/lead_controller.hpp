// SPDX-License-Identifier: MIT
//
// How far a client runs ahead of the server, and which ticks are due. Each margin that comes back
// is turned into the lead that would have been just enough for that input; that need does not
// depend on the lead of today, so there is no loop with a round trip in it that could swing. The
// predicted clock walks to its target by running a little faster or slower; it jumps only beyond
// `resync`, which is counted.  Spec: 001, replication and latency hiding.
#pragma once

#include <array>
#include <cstdint>

#include "engine/prediction/clock_sync.hpp"
#include "engine/prediction/recent_extreme.hpp"

namespace wt::prediction {

struct LeadConfig {
    Frequency tick_rate{60};
    std::int64_t margin_q16 = tick_one / 2;     // Wanted between arrival and cut.
    Duration window = Duration::seconds(20);    // How long a need is remembered.
    std::uint32_t outliers = 1;                 // Of sixteen parts of it: whose need is not met.
    Duration lead_max = Duration::millis(400);  // Over the server's time.
    std::int64_t dilation_ppm_max = 50'000;     // 5 %.
    Duration settle = Duration::millis(500);    // An error is walked off at error / settle.
    Duration resync = Duration::millis(500);    // A larger error is jumped.
    std::uint32_t ticks_at_once = 16;           // If more are due, all but the newest are skipped.
};

struct LeadCounters {
    std::uint64_t resyncs = 0;  // Jumps after the first synchronisation.
    std::uint64_t skipped = 0;  // Ticks that were never made.
    std::uint64_t capped = 0;   // Needs above lead_max.
    std::uint64_t margins = 0;
};

class LeadController {
public:
    explicit LeadController(const LeadConfig& config);
    void reset();

    // Starts the predicted clock. Needs an estimate.
    void synchronise(Instant now, const ClockSync& clock);
    // Each applied snapshot: a client is never at or behind what it has seen of the server.
    void on_snapshot(Instant now, Tick newest, const Feedback& feedback);
    // Moves the predicted clock. `now` never goes back.
    void advance(Instant now, const ClockSync& clock);
    // Next tick to make an input for and to predict; false when none is due. Ticks are consecutive
    // but for skips and resyncs, of which a resync may go back.
    [[nodiscard]] bool next_tick(Tick& out);

    [[nodiscard]] bool is_synchronised() const { return is_synchronised_; }
    [[nodiscard]] TickTime predicted() const { return predicted_; }
    // Newest tick handed out; 0 before the first.
    [[nodiscard]] Tick newest_made() const { return next_ == 0 ? 0 : next_ - 1; }
    // What the predicted clock runs at, in parts per million beside 1.
    [[nodiscard]] std::int64_t dilation_ppm() const { return dilation_ppm_; }
    [[nodiscard]] const LeadCounters& counters() const { return counters_; }

private:
    static constexpr std::uint32_t history = 256;  // Ticks whose offset is remembered.

    [[nodiscard]] std::int64_t target(Instant now, const ClockSync& clock);
    void jump(std::int64_t offset, TickTime local);

    LeadConfig config_;
    // All offsets are Q16 ticks of the predicted clock above the local one.
    static constexpr Tick no_tick = ~Tick{0};
    struct Made {
        Tick tick = no_tick;
        std::int64_t offset = 0;
    };
    std::array<Made, history> made_{};
    RecentMaximum needs_;
    std::int64_t floor_offset_ = 0;  // From the newest snapshot: always enough not to be behind.
    bool is_synchronised_ = false;
    Instant last_{};
    TickTime predicted_{};
    Tick next_ = 0;
    std::int64_t dilation_ppm_ = 0;
    std::int64_t way_ = 0;  // Half of the shortest round trip known.
    std::uint64_t clock_steps_ = 0;
    LeadCounters counters_;
};

}  // namespace wt::prediction
