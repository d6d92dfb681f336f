// SPDX-License-Identifier: MIT
//
// Whether a scenario can be what it says in real time. What cannot is refused by name before
// anything is opened, and what only runs can declare is named: nothing is left out in silence.
#pragma once

#include <string>
#include <vector>

#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// One line each; none: it can.
[[nodiscard]] std::vector<std::string> real_time_problems(const Scenario& scenario,
                                                          std::uint64_t seed);

// Keys that say how a simulated server is made. A real one costs what it costs, so they are left
// out, one line each.
[[nodiscard]] std::vector<std::string> real_time_omissions(const Scenario& scenario);

}  // namespace wt::sim
