// SPDX-License-Identifier: MIT
//
// What luck said of one datagram, and what its delay is made of: for whoever works a direction out
// once more and wants to know why. A run keeps none.
#pragma once

#include <vector>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"
#include "simulator/link/weather.hpp"

namespace wt::sim {

// One question that luck was asked. `value` is below `chance` where the answer is yes; both in
// units of 2^-32. Jitter has no chance: the larger the value, the longer the delay.
struct Draw {
    Purpose purpose{};
    std::uint32_t value = 0;
    Chance chance{};
    bool holds = false;
};

struct DrawLog {
    std::vector<Draw> draws{};
    bool is_in_burst = false;  // On the clock; no draw of this datagram's own.
    Instant burst_until{};
    bool is_in_bad_state = false;
    Instant bad_until{};
    // Of its way through the first link; the queue's wait and the service are in its Fate.
    Duration base{};
    Duration jitter{};
    Duration bad_state{};
    Duration held_back{};       // Chosen by `reorder`.
    Duration behind_earlier{};  // Kept in order.

    [[nodiscard]] const Draw* find(Purpose purpose) const {
        for (const Draw& draw : draws) {
            if (draw.purpose == purpose) return &draw;
        }
        return nullptr;
    }
};

}  // namespace wt::sim
