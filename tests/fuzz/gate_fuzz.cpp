// SPDX-License-Identifier: MIT
//
// Gate texts over a fixed scenario: each compiles to one gate or gives one problem that says what
// is wrong, with a place inside the text.
#include <string>

#include "simulator/gates/gate.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::sim;

const Scenario& base() {
    static const Scenario scenario = [] {
        const auto read = read_scenario_text(
            "[scenario]\nphases = [\"join 5s\", \"storm 10s\", \"heal 5s\"]\n"
            "[bots.runner]\ncount = 4\n[bots.idle]\ncount = 2\njoin_at = \"heal\"\n",
            "fuzz.toml", {});
        WT_CHECK(read.has_value());
        return *read;
    }();
    return scenario;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::FuzzBytes(data, size).text());
    Scenario scenario = base();
    GateText& gate = scenario.gates.emplace_back();
    gate.name = "g";
    gate.text = text;
    gate.place = {.file = "fuzz.toml", .line = 9, .column = 5, .length = 1};
    gate.verbatim = true;
    gate.source_line = "g = \"" + text + "\"";
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(scenario, problems);
    if (gates.empty()) {
        // "off" switches a gate off: neither a gate nor a problem.
        for (const Problem& problem : problems) {
            WT_CHECK(!problem.message.empty());
            WT_CHECK(problem.place.line == 9);
        }
        static_cast<void>(format_problems(problems));
        return 0;
    }
    WT_CHECK(gates.size() == 1);
    WT_CHECK(problems.empty());
    WT_CHECK(gates[0].watch.start <= gates[0].watch.end);
    WT_CHECK(!gates[0].subject.empty());
    WT_CHECK(watches_of(gates).size() == 1);
    return 0;
}
