// SPDX-License-Identifier: MIT
//
// From what a trace says of its run to what panels show of it. The same for files and live runs.
#pragma once

#include "simulator/trace/about.hpp"
#include "viewer/model/source.hpp"

namespace wt::viewer {

// Where a series of the viewer comes from: one of the trace's, or two of them together.
struct SeriesOrigin {
    std::uint32_t first = 0;
    std::int32_t second = -1;
    std::int64_t scale = 1;  // From the trace's unit to the base unit of the dimension.
    bool is_sum = false;
};

// Everything but gates' outcomes. `origins` gets one entry a series, in their order.
[[nodiscard]] RunInfo run_info_of(const trace::Header& header, const trace::About& about,
                                  std::vector<SeriesOrigin>& origins);
// Verdicts, values and worst moments.
void add_outcome(const trace::Outcome& outcome, RunInfo& info);
// Its value in words, by what the manifest's table says of the kind.
[[nodiscard]] AnomalyInfo anomaly_of(const trace::Anomaly& anomaly, const trace::About& about,
                                     const RunInfo& info);

}  // namespace wt::viewer
