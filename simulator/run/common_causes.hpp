// SPDX-License-Identifier: MIT
//
// Where two traces of one run part: what came before in both, and whether the link's luck parted
// first or the code did. For `wavetank diff` and the viewer.
#pragma once

#include <string>
#include <vector>

#include "simulator/trace/difference.hpp"

namespace wt::sim {

// Lines for people; none where the traces are equal or cannot be compared record by record.
[[nodiscard]] std::vector<std::string> common_causes(const trace::TraceFile& a,
                                                     const trace::TraceFile& b,
                                                     const trace::Difference& difference);

}  // namespace wt::sim
