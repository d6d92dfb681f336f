// SPDX-License-Identifier: MIT
//
// Files that are made of a run's series: --csv and --html. The series come from a trace: the one
// that
// --trace asks for, or one in memory without records.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/cli/commands.hpp"
#include "simulator/report/terminal_report.hpp"
#include "simulator/run/trace_run.hpp"

namespace wt::sim {

class SeriesOutputs {
public:
    explicit SeriesOutputs(const Options& options) : options_(options) {}

    // What the run is to be traced with, given what --trace says.
    [[nodiscard]] std::optional<TraceOptions> trace(const std::optional<TraceOptions>& asked);
    // After the run. False, after an error was printed, if a file could not be written.
    [[nodiscard]] bool write(const Loaded& loaded, const RunResult& result,
                             const ReportOptions& report);

private:
    [[nodiscard]] bool wants_any() const { return !options_.csv.empty() || !options_.html.empty(); }

    const Options& options_;
    std::vector<std::uint8_t> memory_{};
};

}  // namespace wt::sim
