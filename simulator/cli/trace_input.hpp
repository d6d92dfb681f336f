// SPDX-License-Identifier: MIT
//
// Traces of a command line: opened, their damage said, their choice of records read. Errors are
// printed here.
#pragma once

#include <optional>
#include <string>

#include "simulator/cli/options.hpp"
#include "simulator/trace/filter.hpp"

namespace wt::sim {

// Nothing where the file is no trace. Damage is a warning: what can be read is read.
[[nodiscard]] std::optional<trace::TraceFile> open_trace(const std::string& path);
// Nothing where the expression is none.
[[nodiscard]] std::optional<trace::Filter> read_filter(const TraceQuery& query,
                                                       const trace::TraceFile& trace);
[[nodiscard]] trace::RecordRange range_of(const TraceQuery& query, const trace::TraceFile& trace);

// `trace info`, once the file is open.
[[nodiscard]] int trace_info(const Options& options, const trace::TraceFile& file);

}  // namespace wt::sim
