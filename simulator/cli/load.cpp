// SPDX-License-Identifier: MIT
//
// Scenario files of a command line. All of them are read before anything runs: the third of three
// files must not fail after the first two have taken an hour.
#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

std::optional<std::vector<Loaded>> load_all(const Options& options) {
    std::vector<Loaded> all;
    bool good = true;
    for (const std::string& file : options.files) {
        PartialScenario partial = read_partly(file, options.settings);
        // Without phases no gate can be right: those errors would only bury the real one.
        std::vector<Gate> gates;
        if (!partial.scenario.phases.empty())
            gates = compile_gates(partial.scenario, partial.problems);
        if (!partial.problems.empty()) {
            print_error(format_problems(partial.problems));
            good = false;
            continue;
        }
        for (const Problem& warning : partial.scenario.warnings)
            print_error(format_problem(warning, "warning"));
        all.push_back({file, std::move(partial.scenario), std::move(gates)});
    }
    if (!good) return std::nullopt;
    return all;
}

}  // namespace wt::sim
