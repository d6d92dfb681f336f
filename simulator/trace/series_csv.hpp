// SPDX-License-Identifier: MIT
//
// The series of a trace as CSV: `time_ns,peer,metric,value`, one row a cell of 100 ms that says
// anything, in the order of time, peer and metric.
#pragma once

#include <functional>
#include <string_view>

#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

// Takes the next piece of the text; false where it could not be written.
using TextSink = std::function<bool(std::string_view)>;

// A series that counts has rows where something was counted; one that measures has its largest
// value of the cell, and its smallest as METRIC.min where that is another one. Values are in the
// series' own unit, which is part of the metric's name: "rtt_us". False if `put` was.
[[nodiscard]] bool write_series_csv(const TraceFile& file, const TextSink& put);

}  // namespace wt::trace
