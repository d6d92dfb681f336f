// SPDX-License-Identifier: MIT
//
// What the tests of one link direction share.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/link/link_direction.hpp"

namespace wt::sim {

inline LinkDirection direction_of(const DirectionConfig& config, std::uint64_t seed = 1) {
    return LinkDirection(LuckKey::root(seed).with("test").with("up"),
                         {{Instant{}, compile(config)}});
}

// Instant in microseconds, which most tests count in.
inline Instant at_us(std::int64_t us) {
    return Instant{} + Duration::micros(us);
}

// Hands over `count` datagrams of 100 B, one each `every`, and keeps their fates.
inline std::vector<Fate> send_many(LinkDirection& link, std::uint32_t count, Duration every,
                                   transport::WeatherTag tag = transport::WeatherTag::lane_1) {
    std::vector<Fate> fates;
    fates.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        fates.push_back(link.send(Instant{} + every * i, 100, tag));
    }
    return fates;
}

}  // namespace wt::sim
