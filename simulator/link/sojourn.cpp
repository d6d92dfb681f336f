// SPDX-License-Identifier: MIT
#include "simulator/link/sojourn.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/distribution.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

// Stretches longer than this have no end that a run could see: 146 years.
constexpr std::int64_t stretch_max = std::int64_t{1} << 62;
}  // namespace

SojournMeans SojournMeans::of(Chance share, Duration bad) {
    if (share == Chance::never()) return {Duration{}, bad};
    if (share >= Chance::always()) return {Duration::nanos(1), Duration{}};
    // share = bad / (good + bad)
    const Wide good = static_cast<Wide>(bad.ns) * (Chance::one - share.threshold) / share.threshold;
    const Wide held = std::min(good, static_cast<Wide>(stretch_max));
    // A mean that rounds to 0 must not become "no end".
    return {{std::max(static_cast<std::int64_t>(held), std::int64_t{1})},
            {std::max(bad.ns, std::int64_t{1})}};
}

SojournClock::SojournClock(LuckKey key, Chance share, SojournMeans means)
    : key_(key), means_(means) {
    is_bad_ = share.holds(static_cast<std::uint32_t>(key_.with("first").draw(0) >> 32));
    budget_q32_ = unit_exponential_q32(key_.draw(number_));
    place_end({});
}

void SojournClock::set_means(Instant at, SojournMeans means) {
    WT_CHECK(end_ > at);
    if (means == means_) return;
    const Duration old = is_bad_ ? means_.bad : means_.good;
    if (old.ns > 0) {
        // What is left of the budget at `at`.
        const Wide spent = (static_cast<Wide>((at - from_).ns) << 32) / static_cast<Wide>(old.ns);
        budget_q32_ -= static_cast<std::uint64_t>(std::min(spent, static_cast<Wide>(budget_q32_)));
    }
    means_ = means;
    place_end(at);
}

void SojournClock::next_stretch() {
    is_bad_ = !is_bad_;
    ++number_;
    budget_q32_ = unit_exponential_q32(key_.draw(number_));
    place_end(end_);
}

void SojournClock::place_end(Instant from) {
    from_ = from;
    const Duration mean = is_bad_ ? means_.bad : means_.good;
    if (mean.ns == 0) {
        end_ = Instant::never();
        return;
    }
    const Wide length = static_cast<Wide>(budget_q32_) * static_cast<Wide>(mean.ns) >> 32;
    // At least 1 ns, so that the clock always moves on.
    const std::int64_t held =
        std::max(static_cast<std::int64_t>(std::min(length, static_cast<Wide>(stretch_max))),
                 std::int64_t{1});
    end_ = held >= stretch_max ? Instant::never() : from + Duration{held};
}

}  // namespace wt::sim
