// SPDX-License-Identifier: MIT
#include "simulator/run/scenario_run.hpp"

#include <algorithm>

#include "simulator/run/collect_results.hpp"

namespace wt::sim {

Collector ScenarioRun::make_collector(const Scenario& scenario, const std::vector<Watch>& watches) {
    CollectorPlan plan = plan_of(scenario);
    plan.watches = watches;
    return Collector(std::move(plan));
}

ScenarioRun::ScenarioRun(const Scenario& scenario, const std::vector<Gate>& gates,
                         const RunOptions& options)
    : scenario_(scenario),
      gates_(gates),
      options_(options),
      seed_(options.seed.value_or(scenario.seed)),
      watches_(watches_of(gates)),
      collector_(make_collector(scenario, watches_)),
      built_(build_world(scenario, seed_, options.hooks, options.own)),
      divergence_(scenario, watches_, built_, collector_),
      observer_(scenario, collector_, options.measure_cost ? &watch_ : nullptr, seed_) {
    built_.plan.windows.workers = options.workers;
    Observer* ear = &observer_;
    if (options.trace.has_value()) {
        trace_ = std::make_unique<TraceRun>(*options.trace, scenario, built_, seed_);
        tee_ = std::make_unique<TeeObserver>(observer_, trace_->capture());
        ear = tee_.get();
    }
    world_ = std::make_unique<World>(built_.plan, ear);
    if (options.dump.has_value()) {
        (void)world_->watch(options.dump->host, static_cast<std::uint64_t>(options.dump->second));
    }
    if (options.alter.has_value()) {
        (void)world_->tamper(options.alter->host,
                             {.ordinal = options.alter->ordinal, .field = options.alter->field});
    }
}

void ScenarioRun::run_until(Instant until) {
    until = std::min(until, scenario_.end());
    while (reached_ < until) {
        // Cells of a trace are closed on the grid, so no step leads past a point of it.
        const Instant grid{(reached_.ns / report_grid.ns + 1) * report_grid.ns};
        const Instant next = std::min(until, grid);
        while (divergence_.next() <= next) {
            world_->run_until(divergence_.next());
            divergence_.read();
        }
        world_->run_until(next);
        reached_ = next;
        if (trace_ && (next == grid || is_at_end())) trace_->reach(next);
    }
}

RunResult ScenarioRun::finish(Stopped stopped) {
    RunResult result;
    result.seed = seed_;
    result.stopped = stopped;
    result.ran_until = reached_;
    world_->finish();
    observer_.finish(reached_);
    if (options_.measure_cost) {
        result.cost.wall_ns = watch_.wall_ns();
        result.cost.cpu_ns = watch_.cpu_ns();
        result.cost.memory_bytes = peak_memory_bytes();
    }
    collect_run(*world_, options_, result);
    collect_links(scenario_, *world_, collector_, result);
    collect_peers(scenario_, observer_, result);
    collect_acts(scenario_, *world_, built_, result);
    result.allows_idle_faults = options_.allow_idle_faults;
    fill_figures(result, scenario_, gates_, collector_, options_.count_cost);
    collect_weather(*world_, observer_, result);
    if (trace_) {
        result.trace_is_whole = trace_->finish(result, options_.measure_cost);
        result.trace_records = trace_->writer().counts().kept;
        result.trace_dropped = trace_->writer().counts().dropped;
    }
    return result;
}

}  // namespace wt::sim
