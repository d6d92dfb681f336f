// SPDX-License-Identifier: MIT
//
// A change that comes little by little: times, shares and rates go from what held before to what
// the change says in a straight line; everything else changes at the ramp's start.
#pragma once

#include <cstdint>

#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// How far a ramp has come: done / all.
struct RampPlace {
    std::int64_t done = 1;
    std::int64_t all = 1;

    [[nodiscard]] bool is_over() const { return done >= all; }
};

// Lays the keys of `target` over `into`, as far as the ramp has come.
void ramp_link_keys(std::uint32_t keys, const DirectionConfig& target, RampPlace place,
                    DirectionConfig& into);

}  // namespace wt::sim
