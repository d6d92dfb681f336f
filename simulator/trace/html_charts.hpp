// SPDX-License-Identifier: MIT
//
// Series of all peers as inline SVG: over time, the largest peer and the middle one; of what is
// counted, the sum of all peers a second.
#pragma once

#include <string>

#include "simulator/scenario/scenario.hpp"
#include "simulator/trace/trace_file.hpp"

namespace wt::sim {

// All charts that have anything to show, one after the other.
[[nodiscard]] std::string html_charts(const Scenario& scenario, Instant until,
                                      const trace::TraceFile& file);

}  // namespace wt::sim
