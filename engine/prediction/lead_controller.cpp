// SPDX-License-Identifier: MIT
#include "engine/prediction/lead_controller.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::prediction {

LeadController::LeadController(const LeadConfig& config)
    : config_(config), needs_(config.window, config.outliers) {
    WT_CHECK(config.tick_rate.per_second > 0);
    WT_CHECK(config.dilation_ppm_max > 0);
    WT_CHECK(config.settle > Duration{});
}

void LeadController::reset() {
    needs_.clear();
    made_ = {};
    floor_offset_ = 0;
    way_ = 0;
    is_synchronised_ = false;
    predicted_ = {};
    next_ = 0;
    dilation_ppm_ = 0;
    counters_ = {};
}

void LeadController::synchronise(Instant now, const ClockSync& clock) {
    WT_CHECK(!is_synchronised_);
    WT_CHECK(clock.has_estimate());
    const TickTime local = clock_ticks(now, config_.tick_rate);
    is_synchronised_ = true;
    last_ = now;
    clock_steps_ = clock.counters().steps;
    // No margin is known yet: the way there is taken for half of the round trip.
    jump(mutated<"f34-from-zero">() ? -local.q16 : target(now, clock), local);
    next_ = predicted_.floor() + 1;
}

void LeadController::on_snapshot(Instant now, Tick newest, const Feedback& feedback) {
    const TickTime local = clock_ticks(now, config_.tick_rate);
    floor_offset_ = (TickTime::at(newest + 1) - local).q16;
    if (!feedback.has_margin || !is_synchronised_) return;
    const Tick tick = newest + static_cast<Tick>(std::int64_t{feedback.margin_tick});
    const Made& made = made_[tick % history];
    if (made.tick != tick || tick == no_tick) return;
    ++counters_.margins;
    // With this offset the input would have arrived at the cut itself.
    needs_.add(now, made.offset - std::int64_t{feedback.margin} * (tick_one / margin_per_tick));
}

std::int64_t LeadController::target(Instant now, const ClockSync& clock) {
    if (clock.counters().steps != clock_steps_) {
        // Needs were measured against a clock that no longer exists.
        clock_steps_ = clock.counters().steps;
        needs_.clear();
    }
    needs_.turn(now);
    const bool is_known = clock.has_estimate();
    if (is_known) way_ = ticks_in(clock.round_trip(), config_.tick_rate).q16 / 2;
    const TickTime local = clock_ticks(now, config_.tick_rate);
    // Without an estimate (a clock has just jumped) the newest snapshot is all there is.
    const std::int64_t server =
        is_known ? (clock.server_now(now) - local).q16 : floor_offset_ - tick_one + way_;
    // Until a margin has come back: the way, a tick to be ahead and one for frames that do not meet
    // the ticks.
    std::int64_t wanted = needs_.empty() ? server + way_ + 2 * tick_one : needs_.value();
    wanted += config_.margin_q16;
    const std::int64_t most = server + ticks_in(config_.lead_max, config_.tick_rate).q16;
    if (wanted > most) {
        wanted = most;
        ++counters_.capped;
    }
    return std::max({wanted, floor_offset_, server + tick_one});
}

void LeadController::jump(std::int64_t offset, TickTime local) {
    predicted_ = local + TickTime{offset};
    dilation_ppm_ = 0;
}

void LeadController::advance(Instant now, const ClockSync& clock) {
    if (!is_synchronised_) return;
    WT_CHECK(now >= last_);
    const TickTime local = clock_ticks(now, config_.tick_rate);
    const std::int64_t elapsed = (local - clock_ticks(last_, config_.tick_rate)).q16;
    last_ = now;
    const std::int64_t wanted = target(now, clock);
    const std::int64_t error = wanted - (predicted_ - local).q16 - elapsed;
    const std::int64_t resync = ticks_in(config_.resync, config_.tick_rate).q16;
    if (error > resync || error < -resync) {
        jump(wanted, local);
        ++counters_.resyncs;
        // Back as well: inputs made for a time that will not come for long were refused.
        next_ = std::min(next_, predicted_.floor() + 1);
    } else {
        const std::int64_t settle = ticks_in(config_.settle, config_.tick_rate).q16;
        dilation_ppm_ = std::clamp(error * 1'000'000 / settle, -config_.dilation_ppm_max,
                                   config_.dilation_ppm_max);
        // Never past the target within one step, however long a frame was.
        const std::int64_t walk = elapsed * dilation_ppm_ / 1'000'000;
        predicted_.q16 += elapsed + (error < 0 ? std::max(walk, error) : std::min(walk, error));
    }
    const Tick due = predicted_.floor();
    if (due >= next_ + config_.ticks_at_once) {
        // The client slept. What lies behind is too late for the server, and its margins would only
        // say how long the sleep was.
        counters_.skipped += due - next_;
        next_ = due;
    }
}

bool LeadController::next_tick(Tick& out) {
    if (!is_synchronised_ || predicted_.floor() < next_) return false;
    out = next_;
    const TickTime local = clock_ticks(last_, config_.tick_rate);
    made_[out % history] = {.tick = out, .offset = (predicted_ - local).q16};
    ++next_;
    return true;
}

}  // namespace wt::prediction
