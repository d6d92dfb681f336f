// SPDX-License-Identifier: MIT
#include "simulator/link/cross_traffic.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/distribution.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/wide.hpp"
#include "simulator/link/compiled_direction.hpp"

namespace wt::sim {

namespace {

constexpr std::uint64_t packet_q8 = 256;
constexpr std::uint64_t first_window = 10;

}  // namespace

CrossFlow::CrossFlow(LuckKey key, const CrossConfig& config, Duration delay)
    : key_(key), config_(config), next_at_(config.start) {
    switch (config.kind) {
        case CrossKind::greedy:
            round_trip_ = std::max(delay * 2, round_trip_least);
            window_q8_ = first_window * packet_q8;
            threshold_q8_ = std::uint64_t{window_max} * packet_q8;
            under_way_.resize(window_max);
            break;
        case CrossKind::onoff: {
            const std::int64_t both = config.on.ns + config.off.ns;
            const Chance share{static_cast<std::uint64_t>((static_cast<Wide>(config.on.ns) << 32) /
                                                          static_cast<Wide>(both))};
            clock_.emplace(key.with("onoff"), share,
                           SojournMeans{.good = config.off, .bad = config.on});
            plan_next(config.start);
            break;
        }
        case CrossKind::constant:
        case CrossKind::poisson:
            // The first one comes somewhere in its interval, so that links are not in step.
            plan_next(config.start);
            if (config.kind == CrossKind::constant) {
                const std::uint64_t span = static_cast<std::uint64_t>((next_at_ - config.start).ns);
                const std::uint64_t into = uniform_below(key.with("first").draw(0), span);
                next_at_ = config.start + Duration{static_cast<std::int64_t>(into)};
            }
            break;
    }
    if (next_at_ >= config.end) next_at_ = Instant::never();
}

std::uint32_t CrossFlow::whole_bytes() const {
    return config_.packet + header_bytes;
}

bool CrossFlow::is_on(Instant now) {
    if (!clock_.has_value()) return true;
    clock_->advance(now);
    return clock_->is_bad();
}

// Where one packet after another comes at the rate; an off flow waits for its next stretch.
void CrossFlow::plan_next(Instant now) {
    const std::uint64_t work = std::uint64_t{whole_bytes()} * 8 * 1'000'000'000 + carry_;
    const std::uint64_t rate = config_.rate.bits_per_second;
    std::uint64_t gap = work / rate;
    carry_ = work % rate;
    if (config_.kind == CrossKind::poisson) {
        carry_ = 0;
        const std::uint64_t unit = unit_exponential_q32(key_.draw(draws_++));
        gap = static_cast<std::uint64_t>(static_cast<Wide>(gap) * unit >> 32);
    }
    next_at_ = now + Duration{static_cast<std::int64_t>(std::max<std::uint64_t>(gap, 1))};
    if (!is_on(next_at_)) next_at_ = clock_->end();
    if (next_at_ >= config_.end) next_at_ = Instant::never();
}

// Slow start, then one packet a round trip; half of it for the losses of one round trip.
void CrossFlow::hear(Instant now) {
    while (unheard() > 0 && under_way_[head_].at <= now) {
        const bool is_lost = under_way_[head_].is_lost;
        head_ = (head_ + 1) % window_max;
        const std::uint64_t number = heard_++;
        if (is_lost && !mutated<"greedy-halves">()) {
            if (number < recovers_at_) continue;
            recovers_at_ = sent_;
            threshold_q8_ = std::max(window_q8_ / 2, packet_q8);
            window_q8_ = threshold_q8_;
        } else if (window_q8_ < threshold_q8_) {
            window_q8_ += packet_q8;
        } else {
            window_q8_ += packet_q8 * packet_q8 / window_q8_;
        }
        window_q8_ = std::min(window_q8_, std::uint64_t{window_max} * packet_q8);
    }
}

void CrossFlow::learn(const CrossFate& fate) {
    if (config_.kind != CrossKind::greedy) return;
    WT_CHECK(known_ < sent_);
    under_way_[(head_ + known_ - heard_) % window_max] = {fate.left + round_trip_, fate.is_lost};
    ++known_;
    plan_hearing();
}

void CrossFlow::plan_hearing() {
    const Instant heard = unheard() > 0 ? under_way_[head_].at : Instant::never();
    next_at_ = heard < config_.end ? heard : Instant::never();
}

void CrossFlow::keep(const Sent& sent) {
    WT_CHECK(unheard() < window_max);
    under_way_[(head_ + unheard()) % window_max] = sent;
    ++sent_;
}

}  // namespace wt::sim
