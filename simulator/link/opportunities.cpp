// SPDX-License-Identifier: MIT
#include "simulator/link/opportunities.hpp"

#include <algorithm>

#include "engine/base/wide.hpp"

namespace wt::sim {

Instant Opportunities::time_of(std::uint64_t number) const {
    const std::uint64_t count = trace_->times.size();
    const std::int64_t round = static_cast<std::int64_t>(number / count);
    return Instant{} + offset_ + trace_->period * round +
           Duration{trace_->times[static_cast<std::size_t>(number % count)]};
}

bool Opportunities::is_past_end(std::uint64_t number) const {
    return !trace_->wraps && number >= trace_->times.size();
}

void Opportunities::skip_until(Instant now) {
    if (is_past_end(number_) || time_of(number_) >= now) return;
    const std::uint64_t count = trace_->times.size();
    const std::int64_t since = std::max<std::int64_t>((now - (Instant{} + offset_)).ns, 0);
    std::uint64_t round = static_cast<std::uint64_t>(since / trace_->period.ns);
    // The last instant of a round may be the period itself.
    if (round > 0 && since % trace_->period.ns == 0) --round;
    const std::int64_t inside = since - trace_->period.ns * static_cast<std::int64_t>(round);
    const auto found = std::lower_bound(trace_->times.begin(), trace_->times.end(), inside);
    const std::uint64_t first =
        round * count + static_cast<std::uint64_t>(found - trace_->times.begin());
    if (first <= number_) return;
    number_ = first;
    taken_ = 0;
}

std::optional<Instant> Opportunities::first_from(Instant now) {
    skip_until(now);
    if (is_past_end(number_)) return std::nullopt;
    return time_of(number_);
}

std::uint64_t Opportunities::bits_per_second() const {
    const Wide bits = static_cast<Wide>(trace_->times.size()) * trace_->bytes * 8;
    return static_cast<std::uint64_t>(bits * 1'000'000'000 / static_cast<Wide>(trace_->period.ns));
}

std::optional<Opportunities::Service> Opportunities::serve(Instant now, std::uint32_t bytes) {
    skip_until(now);
    if (is_past_end(number_)) return std::nullopt;
    Service service{.started = time_of(number_), .left = time_of(number_)};
    std::uint64_t number = number_;
    std::uint32_t taken = taken_;
    std::uint32_t rest = bytes;
    // A datagram that is larger than an opportunity takes several.
    while (true) {
        const std::uint32_t here = std::min(rest, trace_->bytes - taken);
        rest -= here;
        taken += here;
        service.left = time_of(number);
        if (taken == trace_->bytes) {
            ++number;
            taken = 0;
        }
        if (rest == 0) break;
        if (is_past_end(number)) return std::nullopt;
    }
    number_ = number;
    taken_ = taken;
    return service;
}

}  // namespace wt::sim
