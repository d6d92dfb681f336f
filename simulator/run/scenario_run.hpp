// SPDX-License-Identifier: MIT
//
// A run that is taken step by step: whoever owns it says how far it goes, looks at it in between,
// and asks for the result when it is over. Where it was stopped in between changes nothing
// (DESIGN R8), so a run that somebody watched is the run that nobody did.
#pragma once

#include <memory>
#include <vector>

#include "simulator/core/world.hpp"
#include "simulator/gates/stopwatch.hpp"
#include "simulator/run/divergence_reader.hpp"
#include "simulator/run/metrics_observer.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/run/tee_observer.hpp"

namespace wt::sim {

// Early stops, trace cells and changes from outside lie on this grid of virtual time.
inline constexpr Duration report_grid = Duration::millis(100);

class ScenarioRun {
public:
    // All three must outlive this. `options.on_grid` and `fail_fast` are the caller's business.
    ScenarioRun(const Scenario& scenario, const std::vector<Gate>& gates,
                const RunOptions& options);

    // Everything before `until`, at most to the scenario's end.
    void run_until(Instant until);
    [[nodiscard]] Instant reached() const { return reached_; }
    [[nodiscard]] bool is_at_end() const { return reached_ >= scenario_.end(); }
    // Closes the run where it is; once.
    [[nodiscard]] RunResult finish(Stopped stopped);

    [[nodiscard]] const Collector& collector() const { return collector_; }
    [[nodiscard]] const BuiltWorld& built() const { return built_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    // nullptr where no trace was asked for.
    [[nodiscard]] TraceRun* trace() { return trace_.get(); }

private:
    [[nodiscard]] static Collector make_collector(const Scenario& scenario,
                                                  const std::vector<Watch>& watches);

    const Scenario& scenario_;
    const std::vector<Gate>& gates_;
    const RunOptions& options_;
    std::uint64_t seed_;
    std::vector<Watch> watches_;
    Collector collector_;
    BuiltWorld built_;
    DivergenceReader divergence_;
    Stopwatch watch_{};
    MetricsObserver observer_;
    std::unique_ptr<TraceRun> trace_{};
    std::unique_ptr<TeeObserver> tee_{};
    std::unique_ptr<World> world_{};
    Instant reached_{};
};

}  // namespace wt::sim
