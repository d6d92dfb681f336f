// SPDX-License-Identifier: MIT
//
// After a run: what the world, the observer and the scenario say, as plain data for reports.
#pragma once

#include "simulator/core/world.hpp"
#include "simulator/report/run_result.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/run/world_builder.hpp"

namespace wt::sim {

// Digest, totals, conservation; blocks and records where the options ask for them.
void collect_run(const World& world, const RunOptions& options, RunResult& result);
// Every link of the scenario that has an instance.
void collect_links(const Scenario& scenario, const World& world, const Collector& collector,
                   RunResult& result);
void collect_peers(const Scenario& scenario, const MetricsObserver& observer, RunResult& result);
// What the acts did, with the names of those whom they met.
void collect_acts(const Scenario& scenario, const World& world, const BuiltWorld& built,
                  RunResult& result);

// What the weather was like at the worst moment of each gate that failed. After the figures.
void collect_weather(const World& world, const MetricsObserver& observer, RunResult& result);

}  // namespace wt::sim
