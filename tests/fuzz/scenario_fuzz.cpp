// SPDX-License-Identifier: MIT
//
// Scenario texts: a scenario or a list of problems, each with words and a place inside the text.
// What is read without a problem has the shape of a run and reads back from its own print-out.
// Other files (parents, profiles, tables, recordings) are not followed: the fuzzer has no business
// in the file system.
#include <algorithm>
#include <set>
#include <string>

#include "simulator/gates/gate.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::sim;

// Phases follow one another, each with a name of its own; groups are bots that join, by links that
// exist.
void check_shape(const Scenario& scenario) {
    WT_CHECK(!scenario.phases.empty());
    std::set<std::string> names;
    Instant at{};
    for (const Phase& phase : scenario.phases) {
        WT_CHECK(names.insert(phase.name).second);
        WT_CHECK(phase.start == at);
        WT_CHECK(phase.end > phase.start);
        at = phase.end;
    }
    WT_CHECK(!scenario.groups.empty());
    for (const BotGroup& group : scenario.groups) {
        WT_CHECK(group.count >= 1);
        WT_CHECK(std::any_of(scenario.links.begin(), scenario.links.end(),
                             [&](const LinkConfig& link) { return link.name == group.link; }));
    }
    const ServerSettings& server = scenario.server;
    WT_CHECK(server.tick_rate.per_second % server.snapshot_rate.per_second == 0);
    WT_CHECK(server.tick_rate.per_second % server.input_rate.per_second == 0);
}

// `check --print` says the same scenario.
void check_print_out(const Scenario& scenario) {
    const Result<Scenario, std::vector<Problem>> again =
        read_scenario_text(scenario.resolved_text, scenario.file, {});
    WT_CHECK(again.has_value());
    WT_CHECK(again->resolved_text == scenario.resolved_text);
    WT_CHECK(again->seed == scenario.seed);
    WT_CHECK(again->end() == scenario.end());
    WT_CHECK(again->bot_count() == scenario.bot_count());
    WT_CHECK(again->acts.size() == scenario.acts.size());
    WT_CHECK(again->gates.size() == scenario.gates.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A setting up to the first zero byte, then the text.
    const std::string_view whole = fuzz::FuzzBytes(data, size).text();
    const std::size_t cut = std::min(whole.find('\0'), whole.size());
    Settings settings;
    if (cut != whole.size() && cut != 0) settings.emplace_back(whole.substr(0, cut));
    const std::string_view text = cut == whole.size() ? whole : whole.substr(cut + 1);
    for (const char* const word : {"extends", "trace", ".dist", ".toml"})
        if (whole.find(word) != std::string_view::npos) return 0;

    PartialScenario read = read_text_partly(text, "fuzz.toml", settings);
    const std::size_t read_problems = read.problems.size();
    const std::vector<Gate> gates = compile_gates(read.scenario, read.problems);
    WT_CHECK(gates.size() + read.problems.size() - read_problems <= read.scenario.gates.size());
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Problem& problem : read.problems) {
        WT_CHECK(!problem.message.empty());
        if (problem.place.file == "fuzz.toml") WT_CHECK(problem.place.line <= lines);
    }
    static_cast<void>(format_problems(read.problems));
    // Whatever else is wrong: an act that comes when the run is over does not go unsaid.
    const bool is_said =
        std::any_of(read.problems.begin(), read.problems.end(), [](const Problem& problem) {
            return problem.message == "the act comes when the run is over";
        });
    for (const Act& act : read.scenario.acts)
        WT_CHECK(is_said || read.scenario.phases.empty() || act.start < read.scenario.end());
    if (read_problems == 0) {
        check_shape(read.scenario);
        check_print_out(read.scenario);
    }
    return 0;
}
