// SPDX-License-Identifier: MIT
#include "engine/prediction/jitter_buffer.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace wt::prediction {

JitterBuffer::JitterBuffer(const JitterConfig& config)
    : config_(config), needs_(config.window, config.outliers) {
    WT_CHECK(config.tick_rate.per_second > 0);
    WT_CHECK(config.snapshot_ticks > 0);
    WT_CHECK(config.settle > Duration{});
    // Below real time the shown clock stands still at most.
    WT_CHECK(config.slow_ppm_max < 1'000'000);
}

void JitterBuffer::reset() {
    needs_.clear();
    has_time_ = false;
    newest_ = 0;
    newest_offset_ = 0;
    measured_ = 0;
    has_measured_ = false;
    measured_at_ = {};
    shown_ = {};
    counters_ = {};
}

void JitterBuffer::on_snapshot(Instant now, Tick tick) {
    if (has_time_ && tick <= newest_) {
        ++counters_.stale;
        return;
    }
    ++counters_.snapshots;
    newest_ = tick;
    const TickTime local = clock_ticks(now, config_.tick_rate);
    if (has_time_) return;
    has_time_ = true;
    last_ = now;
    measure(now);
    shown_ = local + TickTime{target()};
}

// What came since the last frame counts as one arrival: a frame shows no more than that, and a
// client that slept finds everything at once.
void JitterBuffer::measure(Instant now) {
    const bool is_first = !has_measured_;
    if (!is_first && newest_ == measured_) return;
    const TickTime local = clock_ticks(now, config_.tick_rate);
    const std::int64_t waited = (local - measured_at_).q16;
    const std::int64_t advanced = TickTime::at(newest_ - measured_).q16;
    // With this offset the snapshot before would just have been reached when this one came.
    const std::int64_t need = (TickTime::at(measured_) - local).q16;
    newest_offset_ = (TickTime::at(newest_) - local).q16;
    measured_ = newest_;
    measured_at_ = local;
    has_measured_ = true;
    if (is_first) return;
    if (std::max(waited, advanced) <= ticks_in(config_.delay_max, config_.tick_rate).q16) {
        needs_.add(now, -need);
        return;
    }
    ++counters_.outages;
    // What was measured before lies on the other side of a hole; clocks may have moved there.
    needs_.clear();
}

std::int64_t JitterBuffer::target() const {
    // Until a gap was seen: one interval and the same again for what may go wrong.
    const std::int64_t nominal =
        newest_offset_ - 2 * std::int64_t{config_.snapshot_ticks} * tick_one;
    if (needs_.empty()) return nominal;
    return -needs_.value() - config_.margin_q16;
}

Duration JitterBuffer::delay() const {
    return duration_of(TickTime{newest_offset_ - target()}, config_.tick_rate);
}

void JitterBuffer::advance(Instant now) {
    if (!has_time_) return;
    WT_CHECK(now >= last_);
    needs_.turn(now);
    measure(now);
    const TickTime local = clock_ticks(now, config_.tick_rate);
    const std::int64_t elapsed = (local - clock_ticks(last_, config_.tick_rate)).q16;
    last_ = now;
    const TickTime most =
        TickTime::at(newest_) + ticks_in(config_.extrapolation_max, config_.tick_rate);
    const TickTime wanted = std::min(local + TickTime{target()}, most);
    const std::int64_t error = (wanted - shown_).q16 - elapsed;
    const std::int64_t jump = ticks_in(config_.jump, config_.tick_rate).q16;
    if (error > jump) {
        shown_ = wanted;
        ++counters_.jumps;
        return;
    }
    const std::int64_t settle = ticks_in(config_.settle, config_.tick_rate).q16;
    const std::int64_t ppm =
        std::clamp(error * 1'000'000 / settle, -config_.slow_ppm_max, config_.fast_ppm_max);
    const std::int64_t walk = elapsed * ppm / 1'000'000;
    shown_.q16 += elapsed + (error < 0 ? std::max(walk, error) : std::min(walk, error));
    shown_ = std::min(shown_, most);
}

}  // namespace wt::prediction
