// SPDX-License-Identifier: MIT
//
// One run as the command line asks for it, and `--repeat N`: seeds S, S+1, ... of one scenario,
// each read anew, because what [vary] draws depends on the seed.
#pragma once

#include <functional>
#include <optional>

#include "simulator/cli/commands.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/report/repetition.hpp"

namespace wt::sim {

using OnGrid = std::function<GridAnswer(const Progress&)>;

// With the scenario's seed.
[[nodiscard]] RunResult run_loaded(const Loaded& loaded, const Options& options,
                                   const std::optional<TraceOptions>& trace, OnGrid on_grid);
// Ctrl-C and --max-wall.
[[nodiscard]] GridAnswer answer_of(const Options& options, const Stopwatch& watch);

// `first` is the scenario with its first seed; `done` sees each run that came to its end. A run
// that is stopped in the middle ends the repetition and does not count. Nothing, after its problems
// were printed, where a seed draws a scenario that cannot be.
[[nodiscard]] std::optional<Repetition> repeat_runs(
    const Loaded& first, const Options& options,
    const std::function<void(const Loaded&, RunResult&)>& done);

}  // namespace wt::sim
