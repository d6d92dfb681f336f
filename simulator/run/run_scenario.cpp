// SPDX-License-Identifier: MIT
#include "simulator/run/run_scenario.hpp"

#include <algorithm>
#include <memory>

#include "simulator/core/world.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/act_expansion.hpp"
#include "simulator/run/collect_results.hpp"
#include "simulator/run/divergence_reader.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/tee_observer.hpp"
#include "simulator/run/world_builder.hpp"

namespace wt::sim {

namespace {

// Early stops take effect on this grid of virtual time only (DESIGN R8).
constexpr Duration report_grid = Duration::millis(100);

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

void add_cost(const Stopwatch& watch, RunResult& result) {
    result.cost.wall_ns = watch.wall_ns();
    result.cost.cpu_ns = watch.cpu_ns();
    result.cost.memory_bytes = peak_memory_bytes();
}

}  // namespace

RunResult run_scenario(const Scenario& scenario, const std::vector<Gate>& gates,
                       const RunOptions& options) {
    RunResult result;
    result.seed = options.seed.value_or(scenario.seed);
    const std::uint64_t seed = result.seed;

    CollectorPlan collector_plan = plan_of(scenario);
    const std::vector<Watch> watches = watches_of(gates);
    collector_plan.watches = watches;
    Collector collector(std::move(collector_plan));
    BuiltWorld built = build_world(scenario, seed, options.hooks);
    DivergenceReader divergence(scenario, watches, built, collector);
    built.plan.windows.workers = options.workers;
    const Stopwatch watch;
    MetricsObserver observer(scenario, collector, options.measure_cost ? &watch : nullptr);
    std::unique_ptr<TraceRun> trace;
    std::unique_ptr<TeeObserver> tee;
    if (options.trace.has_value()) {
        trace = std::make_unique<TraceRun>(*options.trace, scenario, built, seed);
        tee = std::make_unique<TeeObserver>(observer, trace->capture());
    }
    World world(built.plan, tee ? static_cast<Observer*>(tee.get()) : &observer);
    if (options.dump.has_value()) {
        (void)world.watch(options.dump->host, static_cast<std::uint64_t>(options.dump->second));
    }
    if (options.alter.has_value()) {
        (void)world.tamper(options.alter->host,
                           {.ordinal = options.alter->ordinal, .field = options.alter->field});
    }

    result.stopped = Stopped::at_end;
    Instant reached{};
    while (reached < scenario.end() && result.stopped == Stopped::at_end) {
        reached = std::min(reached + report_grid, scenario.end());
        while (divergence.next() <= reached) {
            world.run_until(divergence.next());
            divergence.read();
        }
        world.run_until(reached);
        if (trace) trace->reach(reached);
        if (reached < scenario.end()) {
            result.stopped = stop_at(reached, scenario, gates, collector, options);
        }
    }
    result.ran_until = reached;
    world.finish();
    observer.finish(reached);
    if (options.measure_cost) add_cost(watch, result);

    collect_run(world, options, result);
    collect_links(scenario, world, collector, result);
    collect_peers(scenario, observer, result);
    collect_acts(scenario, world, built, result);
    result.allows_idle_faults = options.allow_idle_faults;
    fill_figures(result, scenario, gates, collector, options.count_cost);
    collect_weather(world, observer, result);
    if (trace) {
        result.trace_is_whole = trace->finish(result, options.measure_cost);
        result.trace_records = trace->writer().counts().kept;
        result.trace_dropped = trace->writer().counts().dropped;
    }
    return result;
}

}  // namespace wt::sim
