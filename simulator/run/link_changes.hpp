// SPDX-License-Identifier: MIT
//
// Changes of links that overlap in time: of two acts on one key the later start wins, and when it
// ends the earlier one is back. The world knows whole configurations only, so the run is cut where
// any change begins or ends, and each piece gets what holds in it.
#pragma once

#include <vector>

#include "simulator/run/act_expansion.hpp"

namespace wt::sim {

[[nodiscard]] std::vector<ActPlan> link_changes(const Scenario& scenario,
                                                const std::vector<Firing>& firings);

}  // namespace wt::sim
