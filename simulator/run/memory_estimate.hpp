// SPDX-License-Identifier: MIT
//
// What a run will need, before its first event: a typing error in `count` must end in a message,
// not in a machine that swaps.
#pragma once

#include <cstdint>

#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// Bytes, from above: runs of the gates need 0.7 to 0.9 of it.
[[nodiscard]] std::uint64_t estimated_memory(const Scenario& scenario);

}  // namespace wt::sim
