// SPDX-License-Identifier: MIT
#include "engine/secure/rto.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

namespace {
// Four doublings take 200 ms past the cap; a larger shift could overflow.
constexpr unsigned doublings_max = 4;
}  // namespace

void RtoEstimator::add_sample(Duration rtt) {
    WT_CHECK(rtt >= Duration{});
    if (samples_ == 0) {
        smoothed_ = rtt;
        deviation_ = rtt / 2;
    } else {
        // The deviation looks at the previous mean, so it must be updated first.
        const Duration error = rtt - smoothed_;
        const Duration distance = error < Duration{} ? Duration{} - error : error;
        deviation_ += (distance - deviation_) / (mutated<"deviation-weight">() ? 8 : 4);
        smoothed_ += error / (mutated<"srtt-weight">() ? 4 : 8);
    }
    ++samples_;
    carried_ = 0;
}

void RtoEstimator::add_timeout(unsigned waited_doublings) {
    const bool is_letter = backoff_ == RtoBackoff::per_fragment && !mutated<"rto-letter">();
    if (is_letter || mutated<"rto-carry">() || mutated<"f19-carry">()) return;
    carried_ = std::min(std::max(carried_, waited_doublings + 1), doublings_max);
}

Duration RtoEstimator::timeout(unsigned timeouts) const {
    const Duration base = has_sample() ? smoothed_ + deviation_ * 4 : rto_min;
    const Duration least = mutated<"rto-floor">() ? Duration{} : rto_min;
    const Duration held = std::clamp(base, least, rto_max);
    const Duration most = mutated<"rto-ceiling">() ? Duration::seconds(3'600) : rto_max;
    return std::min(held * (std::int64_t{1} << doublings(timeouts)), most);
}

unsigned RtoEstimator::doublings(unsigned timeouts) const {
    if (mutated<"rto-backoff">()) return 0;
    return std::min(std::max(timeouts, carried_), doublings_max);
}

}  // namespace wt::secure
