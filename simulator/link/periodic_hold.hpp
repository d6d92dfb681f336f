// SPDX-License-Identifier: MIT
//
// Something that stands still for a while again and again: a radio that scans, a cell that hands a
// phone over. Stillness number n is [offset + n * every, offset + n * every + length); the offset
// is the direction's luck, so that a hundred radios do not scan in step.
#pragma once

#include <cstdint>

#include "engine/base/rng.hpp"
#include "engine/base/time.hpp"

namespace wt::sim {

class PeriodicHold {
public:
    // Never still.
    PeriodicHold() = default;
    PeriodicHold(LuckKey key, Duration every, Duration length) : every_(every), length_(length) {
        const std::uint64_t span = static_cast<std::uint64_t>(every.ns);
        offset_ = {static_cast<std::int64_t>(uniform_below(key.draw(0), span))};
    }

    // `at`, or the end of the stillness that `at` lies in. Never falls when `at` rises.
    [[nodiscard]] Instant released(Instant at) const {
        const std::int64_t since = at.ns - offset_.ns;
        if (every_.ns == 0 || since < 0) return at;
        const std::int64_t inside = since % every_.ns;
        return inside < length_.ns ? at + Duration{length_.ns - inside} : at;
    }
    // How many have begun at `at`.
    [[nodiscard]] std::uint64_t count(Instant at) const {
        const std::int64_t since = at.ns - offset_.ns;
        if (every_.ns == 0 || since < 0) return 0;
        return static_cast<std::uint64_t>(since / every_.ns) + 1;
    }

private:
    Duration every_{};
    Duration length_{};
    Duration offset_{};
};

}  // namespace wt::sim
