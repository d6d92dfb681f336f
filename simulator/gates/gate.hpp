// SPDX-License-Identifier: MIT
//
// A gate: `metric statistic comparison bound scope`, compiled. Everything that can be wrong with
// the text is found when the scenario is checked, never at the end of a run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/metrics/watch.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

enum class Pick : std::uint8_t {
    min,
    mean,
    max,
    last,
    p01,
    p05,
    p10,
    p25,
    p50,
    p75,
    p90,
    p95,
    p99,
    p999
};

struct Statistic {
    enum class Kind : std::uint8_t { pick, total, per_second, per_minute };
    Kind kind = Kind::pick;
    Pick pick = Pick::max;  // Not with total.
};

struct Gate {
    std::string name{};
    std::string text{};     // As written.
    std::string subject{};  // Metric, statistic and scope without the comparison: for reports.
    Statistic statistic{};
    Watch watch{};  // With the bound; watch.bots lists the scope's bots.
    // Dimension of the bound and of the value: the metric's, or a rate for per second / minute.
    Dimension dimension = Dimension::count;
    bool needs_cost = false;  // cost.*: counted only with --cost.
    Duration window{};        // `for every 5s`: each window of the scope must hold; 0 = the whole.

    // How many watches the gate has, and the one of a window: aligned from the scope's start; an
    // incomplete last one is left out.
    [[nodiscard]] std::uint32_t watch_count() const;
    [[nodiscard]] Watch watch_at(std::uint32_t window) const;
};

// Compiles all gates of a scenario; `off` gates give none. Problems are added to `problems`.
[[nodiscard]] std::vector<Gate> compile_gates(const Scenario& scenario,
                                              std::vector<Problem>& problems);

// The watches of all gates, one gate after the other, for CollectorPlan::watches.
[[nodiscard]] std::vector<Watch> watches_of(std::span<const Gate> gates);

}  // namespace wt::sim
