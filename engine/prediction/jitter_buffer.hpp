// SPDX-License-Identifier: MIT
//
// The time that is shown for remote objects: far enough behind the newest snapshot that the next
// one arrives before it is needed, measured from the gaps that really came. The shown clock slows
// down quickly when a gap was longer than expected, catches up slowly, and never goes back; it
// jumps only beyond `jump`, which is counted.  Spec: 001, replication and latency hiding.
#pragma once

#include <cstdint>

#include "engine/prediction/recent_extreme.hpp"
#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

struct JitterConfig {
    Frequency tick_rate{60};
    std::uint32_t snapshot_ticks = 3;         // Between snapshots, as negotiated.
    Duration window = Duration::seconds(12);  // How long a gap is remembered.
    std::uint32_t outliers = 1;               // Of sixteen parts of it: whose gap is not bridged.
    Duration delay_max = Duration::millis(500);  // Longer gaps are outages, not jitter.
    Duration extrapolation_max = Duration::millis(100);
    std::int64_t margin_q16 = tick_one / 2;
    std::int64_t slow_ppm_max = 500'000;  // Down to half speed while it must grow.
    std::int64_t fast_ppm_max = 50'000;   // 5 % faster while it may shrink.
    Duration settle = Duration::millis(200);
    Duration jump = Duration::millis(600);
};

struct JitterCounters {
    std::uint64_t snapshots = 0;
    std::uint64_t stale = 0;    // Not newer than what was there.
    std::uint64_t outages = 0;  // Gaps above delay_max.
    std::uint64_t jumps = 0;    // After the first snapshot.
};

class JitterBuffer {
public:
    explicit JitterBuffer(const JitterConfig& config);
    void reset();

    // A snapshot of `tick` was applied.
    void on_snapshot(Instant now, Tick tick);
    // Moves the shown time. `now` never goes back.
    void advance(Instant now);

    [[nodiscard]] bool has_time() const { return has_time_; }
    // Never more than extrapolation_max beyond the newest snapshot.
    [[nodiscard]] TickTime shown() const { return shown_; }
    [[nodiscard]] Tick newest() const { return newest_; }
    // Shown beyond what is known: extrapolated, or frozen at its bound.
    [[nodiscard]] bool is_starving() const { return shown_ > TickTime::at(newest_); }
    // How far the target lies behind a snapshot that arrives as early as the newest did.
    [[nodiscard]] Duration delay() const;
    [[nodiscard]] const JitterCounters& counters() const { return counters_; }

private:
    void measure(Instant now);
    [[nodiscard]] std::int64_t target() const;

    JitterConfig config_;
    // Offsets are Q16 ticks of the shown clock above the local one; needs_ holds their negatives,
    // since the least offset is the one that never starves.
    RecentMaximum needs_;
    bool has_time_ = false;
    Tick newest_ = 0;
    std::int64_t newest_offset_ = 0;  // newest - local at its arrival.
    Tick measured_ = 0;               // Newest at the last frame that brought something.
    TickTime measured_at_{};          // Local time then.
    bool has_measured_ = false;
    Instant last_{};
    TickTime shown_{};
    JitterCounters counters_;
};

}  // namespace wt::prediction
