// SPDX-License-Identifier: MIT
//
// A gate over many seeds: figures worked out by hand for a handful of made-up seeds.
#include "simulator/report/repetition.hpp"

#include <doctest/doctest.h>

using namespace wt;
using namespace wt::sim;

namespace {

// queue: a time that must stay below 100 ms.
GateResult queue_result(std::int64_t ms, bool has_value = true) {
    GateResult result;
    result.gate.name = "queue";
    result.gate.text = "peers.queue_age max < 100ms";
    result.gate.dimension = Dimension::time;
    result.gate.watch.metric = MetricId::peers_queue_age;
    result.gate.watch.bound = {.compare = Compare::less, .value = 100'000'000, .tolerance = 0};
    result.value = ms * 1'000'000;
    result.holds = has_value && ms < 100;
    result.verdict = !has_value ? Verdict::no_values : ms < 100 ? Verdict::ok : Verdict::fail;
    result.margin_ppb = (100 - ms) * 10'000'000;
    return result;
}

Repetition of_values(const std::vector<std::int64_t>& values) {
    Repetition repetition{.first_seed = 10, .asked = values.size(), .runs = {}, .stopped = {}};
    for (const std::int64_t ms : values) {
        SeedRun run;
        run.seed = 10 + repetition.runs.size();
        run.gates.push_back(ms >= 0 ? queue_result(ms) : queue_result(0, false));
        run.exit_code = run.gates.back().holds ? 0 : 1;
        repetition.runs.push_back(run);
    }
    return repetition;
}

Scenario named() {
    Scenario scenario;
    scenario.name = "swarm";
    scenario.file = "dir/swarm.toml";
    scenario.variant = "lan";
    scenario.settings = {"bots.runner.count=3"};
    return scenario;
}

}  // namespace

TEST_CASE("nearest rank over seeds, and the worst of them") {
    const Repetition repetition = of_values({40, 10, 90, 20, 30});
    const std::vector<RepeatedGate> gates = repetition.gates();
    REQUIRE(gates.size() == 1);
    CHECK(gates[0].min == 10'000'000);
    CHECK(gates[0].p50 == 30'000'000);  // Rank ceil(2.5) = 3 of 10, 20, 30, 40, 90.
    CHECK(gates[0].p95 == 90'000'000);  // Rank ceil(4.75) = 5.
    CHECK(gates[0].max == 90'000'000);
    CHECK(gates[0].failed == 0);
    CHECK(gates[0].worst_seed == 12);
    CHECK(gates[0].worst_value == 90'000'000);
    CHECK(repetition.failed() == 0);
    CHECK(repetition.exit_code() == 0);
}

TEST_CASE("of equal values the smallest seed is the worst; without values is worse than any") {
    CHECK(of_values({70, 90, 90}).gates()[0].worst_seed == 11);
    const std::vector<RepeatedGate> gates = of_values({200, -1, 300, -1}).gates();
    CHECK(gates[0].worst_seed == 11);
    CHECK(!gates[0].worst_has_value);
    CHECK(gates[0].failed == 4);
    CHECK(gates[0].without_values == 2);
    CHECK(gates[0].values == 2);
    CHECK(gates[0].p50 == 200'000'000);
}

TEST_CASE("exit code: the worst seed's; interrupted above all") {
    Repetition repetition = of_values({40, 150});
    CHECK(repetition.exit_code() == 1);
    CHECK(repetition.failed() == 1);
    repetition.runs[0].exit_code = 3;
    CHECK(repetition.exit_code() == 3);
    repetition.stopped = Stopped::interrupted;
    CHECK(repetition.exit_code() == 130);
    repetition = of_values({40});
    repetition.stopped = Stopped::max_wall;
    CHECK(repetition.exit_code() == 1);
}

TEST_CASE("the text names the worst seed, what it drew, and its command") {
    Repetition repetition = of_values({40, 150, 20});
    repetition.runs[1].drawn.push_back({.path = "links.default.rtt",
                                        .value = "287ms",
                                        .extremes = {},
                                        .place = {},
                                        .source_line = ""});
    const std::string text = repetition_text(named(), repetition, {.file = "dir/swarm.toml"});
    CHECK(text ==
          "GATE                   failed         min         p50         p95         max    worst"
          "   bound\n"
          "queue                       1       20 ms       40 ms      150 ms      150 ms       11"
          "   < 100 ms\n"
          "\n"
          "WORST   queue, seed 11: 150 ms (< 100 ms)\n"
          "        drawn  links.default.rtt = 287ms\n"
          "repeat  wavetank run dir/swarm.toml --seed 11 --variant lan --set "
          "bots.runner.count=3\n"
          "FAILED   1 of 3 seeds\n");
    repetition = of_values({40, 75});
    repetition.asked = 4;
    repetition.stopped = Stopped::interrupted;
    const std::string part = repetition_text(named(), repetition, {});
    CHECK(part.starts_with("INTERRUPTED after 2 of 4 seeds\n"));
    CHECK(part.find("CLOSEST queue, seed 11: 25 % to spare\n") != std::string::npos);
    repetition.runs.clear();
    CHECK(repetition_text(named(), repetition, {}) == "INTERRUPTED after 0 of 4 seeds\n");
}

TEST_CASE("JSON: the wall clock stays in its section") {
    Repetition first = of_values({40, 150});
    Repetition second = first;
    first.runs[0].wall_ns = 5;
    second.runs[0].wall_ns = 7;
    const std::string a = repetition_json(named(), first, {.file = "f"});
    const std::string b = repetition_json(named(), second, {.file = "f"});
    CHECK(a != b);
    const std::string marker = "\n  \"cost\": {";
    REQUIRE(a.find(marker) != std::string::npos);
    CHECK(a.substr(0, a.find(marker)) == b.substr(0, b.find(marker)));
    CHECK(a.find("\"worst\": {\n    \"gate\": \"queue\",\n    \"seed\": 11,") != std::string::npos);
    CHECK(a.find("\"failed\": 1") != std::string::npos);
}
