// SPDX-License-Identifier: MIT
//
// Reports from the field that are whole scenarios (T18, T20): every gate holds, and with one
// setting turned the gate that the report is about does not.
#include <algorithm>

#include "tests/sim/scenario_run.hpp"

namespace wt::sim::field_scenarios_test {
namespace {

// The gates that failed, by name.
std::vector<std::string> failed_gates(const std::string& path, Settings settings = {}) {
    const RunResult result = run_of(quick_scenario(path, std::move(settings)));
    std::vector<std::string> failed;
    for (const GateResult& gate : result.gates)
        if (!gate.holds) failed.push_back(gate.gate.name);
    return failed;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("T18: a spike of 2.5 s throws nobody out") {
    const std::string file = "scenarios/regressions/t18_spike.toml";
    CHECK(failed_gates(file).empty());
    // With a timeout that is shorter than the spike it does.
    CHECK(is_among(failed_gates(file, {"transport.timeout=2s"}), "nobody_out"));
}

TEST_CASE("T20: a new port or address loses no session, in play or while it joins") {
    const std::string file = "scenarios/regressions/t20_rebind.toml";
    CHECK(failed_gates(file).empty());
    // A server that moves nobody is found again only by a new join, after seconds of silence.
    const std::vector<std::string> failed = failed_gates(file, {"transport.rebind=refuse"});
    CHECK(is_among(failed, "moved"));
    CHECK(is_among(failed, "in_time"));
}

}  // namespace wt::sim::field_scenarios_test
