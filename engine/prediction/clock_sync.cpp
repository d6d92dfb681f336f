// SPDX-License-Identifier: MIT
#include "engine/prediction/clock_sync.hpp"

#include <algorithm>

#include "engine/base/mutated.hpp"

namespace wt::prediction {

void ClockSync::reset() {
    count_ = 0;
    next_ = 0;
    best_ = 0;
    contradictions_ = 0;
    counters_ = {};
}

bool ClockSync::contradicted() {
    ++counters_.outside;
    ++contradictions_;
    if (contradictions_ < 2 && !mutated<"clock-freak">()) return false;
    // One sample may be a freak of the way; two are a clock that jumped.
    contradictions_ = 0;
    count_ = 0;
    next_ = 0;
    ++counters_.steps;
    return true;
}

void ClockSync::on_snapshot(Instant now, Tick tick, const Feedback& feedback) {
    const std::int64_t floor = (TickTime::at(tick) - clock_ticks(now, rate_)).q16;
    if (!feedback.has_echo) {
        if (has_estimate() && floor > best().ceiling + slack_q16) (void)contradicted();
        return;
    }
    const std::uint32_t away_us = wire_clock(now) - feedback.echo_us;
    const std::int64_t held_us = std::int64_t{feedback.hold_16us} * 16;
    // The hold is rounded down to 16 us, the clock to 1 us: a trip of nothing may seem negative.
    const std::int64_t trip_us = static_cast<std::int32_t>(away_us) - held_us;
    if (trip_us < -32 || trip_us * 1'000 > round_trip_max.ns) {
        ++counters_.impossible;
        return;
    }
    const Duration trip = Duration::micros(std::max<std::int64_t>(trip_us, 0));
    const std::int64_t trip_q16 = ticks_in(trip, rate_).q16;
    const Sample sample{.round_trip = trip,
                        .floor = floor,
                        .offset = floor + trip_q16 / 2,
                        .ceiling = floor + trip_q16};
    const bool fits = !has_estimate() || (sample.floor <= best().ceiling + slack_q16 &&
                                          sample.ceiling + slack_q16 >= best().floor);
    if (!fits && !contradicted()) return;
    if (fits) contradictions_ = 0;
    add(sample);
}

void ClockSync::add(const Sample& sample) {
    samples_[next_] = sample;
    next_ = (next_ + 1) % window;
    count_ = std::min(count_ + 1, window);
    ++counters_.samples;
    // Of equal trips the newest, which knows the drift.
    best_ = (next_ + window - 1) % window;
    for (std::uint32_t age = 1; age < count_; ++age) {
        const std::uint32_t at = (next_ + window - 1 - age) % window;
        const bool is_shorter = samples_[at].round_trip < samples_[best_].round_trip;
        if (is_shorter != mutated<"shortest-trip">()) best_ = at;
    }
}

}  // namespace wt::prediction
