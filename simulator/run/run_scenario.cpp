// SPDX-License-Identifier: MIT
#include "simulator/run/run_scenario.hpp"

#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/scenario_run.hpp"

namespace wt::sim {

namespace {

// What stops a run at a grid point, if anything.
Stopped stop_at(Instant now, const Scenario& scenario, const std::vector<Gate>& gates,
                const Collector& collector, const RunOptions& options) {
    const std::uint64_t cap =
        options.memory_cap_bytes != 0 ? options.memory_cap_bytes : physical_memory_bytes() / 2;
    if (cap != 0 && peak_memory_bytes() > cap) return Stopped::out_of_memory;
    const bool asks_gates = options.fail_fast || options.on_grid;
    const std::uint32_t failing = asks_gates ? failed_for_good(gates, collector) : 0;
    if (options.fail_fast && failing > 0) return Stopped::fail_fast;
    if (!options.on_grid) return Stopped::at_end;
    const Progress progress{.now = now,
                            .end = scenario.end(),
                            .active = collector.active_now(),
                            .bots = scenario.player_count(),
                            .failing = failing};
    switch (options.on_grid(progress)) {
        case GridAnswer::go_on:
            return Stopped::at_end;
        case GridAnswer::interrupt:
            return Stopped::interrupted;
        case GridAnswer::out_of_time:
            return Stopped::max_wall;
    }
    return Stopped::at_end;
}

}  // namespace

RunResult run_scenario(const Scenario& scenario, const std::vector<Gate>& gates,
                       const RunOptions& options) {
    ScenarioRun run(scenario, gates, options);
    Stopped stopped = Stopped::at_end;
    while (!run.is_at_end() && stopped == Stopped::at_end) {
        run.run_until(run.reached() + report_grid);
        if (!run.is_at_end())
            stopped = stop_at(run.reached(), scenario, gates, run.collector(), options);
    }
    return run.finish(stopped);
}

}  // namespace wt::sim
