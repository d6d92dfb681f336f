// SPDX-License-Identifier: MIT
#include "simulator/cli/repeat_runs.hpp"

#include "simulator/cli/interrupt.hpp"
#include "simulator/cli/terminal.hpp"

namespace wt::sim {

RunResult run_loaded(const Loaded& loaded, const Options& options,
                     const std::optional<TraceOptions>& trace, OnGrid on_grid) {
    RunOptions run;
    run.seed = loaded.scenario.seed;
    run.count_cost = options.count_cost;
    run.fail_fast = options.fail_fast;
    run.allow_idle_faults = options.allow_idle_faults;
    run.keep_blocks = !options.digest_blocks.empty();
    run.dump = options.dump;
    run.alter = options.alter;
    run.workers = options.workers;
    run.trace = trace;
    run.on_grid = std::move(on_grid);
    return run_scenario(loaded.scenario, loaded.gates, run);
}

GridAnswer answer_of(const Options& options, const Stopwatch& watch) {
    if (was_interrupted()) return GridAnswer::interrupt;
    if (options.max_wall && watch.wall_ns() > options.max_wall->ns) return GridAnswer::out_of_time;
    return GridAnswer::go_on;
}

std::optional<Repetition> repeat_runs(const Loaded& first, const Options& options,
                                      const std::function<void(const Loaded&, RunResult&)>& done) {
    Repetition repetition{
        .first_seed = first.scenario.seed, .asked = options.repeat, .runs = {}, .stopped = {}};
    ProgressLine line(!options.quiet && is_terminal());
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < options.repeat; ++i) {
        const std::uint64_t seed = repetition.first_seed + i;
        const std::optional<Loaded> loaded = i == 0 ? first : load_seed(options, first.file, seed);
        if (!loaded) {
            line.clear();
            return std::nullopt;
        }
        RunResult result =
            run_loaded(*loaded, options, std::nullopt, [&](const Progress& progress) {
                line.show_seeds({.done = i, .all = options.repeat, .failed = repetition.failed()},
                                progress, watch);
                return answer_of(options, watch);
            });
        const bool is_whole =
            result.stopped == Stopped::at_end || result.stopped == Stopped::fail_fast;
        if (is_whole) {
            repetition.runs.push_back(seed_run(loaded->scenario, result));
            done(*loaded, result);
        }
        const bool fails_fast = options.fail_fast && result.exit_code() != exit_passed;
        if (!is_whole || fails_fast) {
            repetition.stopped = is_whole ? Stopped::fail_fast : result.stopped;
            break;
        }
    }
    line.clear();
    return repetition;
}

}  // namespace wt::sim
