// SPDX-License-Identifier: MIT
//
// Gate texts over a fixed scenario: each compiles to one gate, whose words stand in it once and
// whose scope lies in the run, or gives one problem that says what is wrong, with a place inside
// the text.
#include <sstream>
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

// Words of the grammar name no phase, group or lane, so each of a gate's is a scope of its own.
void check_scopes(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    unsigned ways = 0;
    unsigned phases = 0;
    unsigned after = 0;
    unsigned of = 0;
    unsigned on = 0;
    while (words >> word) {
        ways += word == "up" || word == "down" ? 1U : 0U;
        phases += word == "in" || word == "from" ? 1U : 0U;
        after += word == "after" ? 1U : 0U;
        of += word == "of" ? 1U : 0U;
        on += word == "on" ? 1U : 0U;
    }
    for (const unsigned count : {ways, phases, after, of, on})
        WT_CHECK(count <= 1);
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
    WT_CHECK(gates[0].watch.start < gates[0].watch.end);
    WT_CHECK(gates[0].watch.end <= scenario.end());
    check_scopes(text);
    WT_CHECK(!gates[0].subject.empty());
    const std::vector<Watch> watches = watches_of(gates);
    WT_CHECK(!watches.empty());
    for (const Watch& watch : watches) {
        WT_CHECK(watch.start >= gates[0].watch.start);
        WT_CHECK(watch.end <= gates[0].watch.end);
    }
    return 0;
}
