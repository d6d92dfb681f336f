// SPDX-License-Identifier: MIT
//
// The timeline as each host sees it: acts of the plan turned into what happens to one host at one
// instant, sorted by time, and by their place in the file where times are equal.
#pragma once

#include <vector>

#include "simulator/core/host.hpp"

namespace wt::sim {

// By host.
[[nodiscard]] std::vector<std::vector<HostAct>> make_host_acts(const WorldPlan& plan);

}  // namespace wt::sim
