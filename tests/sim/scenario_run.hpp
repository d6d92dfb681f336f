// SPDX-License-Identifier: MIT
//
// Scenarios of the tree for tests: read with settings, run, judged. A file that does not read is a
// failed test that prints the file's problems.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "simulator/gates/gate.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

inline Scenario scenario_of(const std::string& path, Settings settings = {}) {
    const PartialScenario read = read_partly(std::string(WT_TREE) + "/" + path, settings);
    for (const Problem& problem : read.problems)
        FAIL_CHECK(path << ": " << problem.message);
    REQUIRE(read.problems.empty());
    return read.scenario;
}

// The same with the null cipher: equal digests, a fraction of the time.
inline Scenario quick_scenario(const std::string& path, Settings settings = {}) {
    settings.push_back("transport.cipher=null");
    return scenario_of(path, std::move(settings));
}

inline RunResult run_of(const Scenario& scenario, RunOptions options = {}) {
    options.measure_cost = false;
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(scenario, problems);
    REQUIRE(problems.empty());
    return run_scenario(scenario, gates, options);
}

}  // namespace wt::sim
