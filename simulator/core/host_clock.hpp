// SPDX-License-Identifier: MIT
//
// What a host's own clock shows. Skew changes what it says and nothing else: the instants at which
// hosts wake up are the world's (DESIGN R3).
#pragma once

#include "engine/base/time.hpp"

namespace wt::sim {

struct HostClock {
    // A skewed clock's zero lies this long before the run's, so that it never shows less than 0.
    static constexpr Duration zero = Duration::seconds(3'600);
    static constexpr std::int64_t drift_ppm_max = 100'000;

    bool is_skewed = false;
    Duration offset{};           // At the run's start; at most `zero` either way.
    std::int64_t drift_ppm = 0;  // Gains so many microseconds a second.

    [[nodiscard]] constexpr Instant local(Instant world) const {
        if (!is_skewed || world == Instant::never()) return world;
        constexpr std::int64_t million = 1'000'000;
        // In two parts, so that a week does not overflow.
        const std::int64_t gained =
            world.ns / million * drift_ppm + world.ns % million * drift_ppm / million;
        return world + zero + offset + Duration{gained};
    }
    // The first instant of the world at which the clock shows `local` or more.
    [[nodiscard]] constexpr Instant first_at(Instant local_time) const {
        if (!is_skewed || local_time == Instant::never()) return local_time;
        const Instant earliest = local({});
        if (local_time <= earliest) return {};
        std::int64_t least = 0;
        // Drift is at most a tenth, so twice the distance is past it.
        std::int64_t most = (local_time - earliest).ns * 2 + 1;
        while (least < most) {
            const std::int64_t middle = least + (most - least) / 2;
            if (local({middle}) >= local_time) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return {least};
    }
};

}  // namespace wt::sim
