// SPDX-License-Identifier: MIT
//
// A run as one HTML file: verdict, gates with the reasons of failures, figures, series as inline
// SVG, links, acts, peers. It needs nothing beside itself: no script, no font, no picture, no
// address.
#pragma once

#include <string>

#include "simulator/report/terminal_report.hpp"
#include "simulator/trace/trace_file.hpp"

namespace wt::sim {

// `series` is a trace of the run; its records are not looked at.
[[nodiscard]] std::string html_report(const Scenario& scenario, const RunResult& result,
                                      const ReportOptions& options, const trace::TraceFile& series);

}  // namespace wt::sim
