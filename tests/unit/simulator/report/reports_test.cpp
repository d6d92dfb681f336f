// SPDX-License-Identifier: MIT
//
// Whole reports of a small made-up result: the texts letter by letter where they are an interface,
// and that wall-clock figures stay in their section.
#include <doctest/doctest.h>

#include "simulator/link/presets.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/link_figures.hpp"
#include "simulator/report/terminal_report.hpp"
#include "simulator/scenario/read_scenario.hpp"

using namespace wt;
using namespace wt::sim;

namespace {

constexpr Instant at(std::int64_t ms) {
    return Instant{ms * 1'000'000};
}

struct Made {
    Scenario scenario{};
    RunResult result{};
};

Made made(std::int64_t slow_ms) {
    const auto read = read_scenario_text(
        "[scenario]\nname = \"small\"\nphases = [\"join 5s\", \"play 10s\"]\n"
        "[bots.runner]\ncount = 3\n[gates]\n"
        "fresh = \"peers.rtt p99 < 150ms in play\"\n"
        "stay = \"peers.disconnects total == 0\"\n"
        "loss = \"links.loss mean < 5%\"\n"
        "cpu = \"cost.tick p99 < 1ms\"\n",
        "dir/small.toml", {"links.default.rtt=20ms"});
    REQUIRE(read.has_value());
    Made out{.scenario = *read};
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(out.scenario, problems);
    REQUIRE(problems.empty());
    CollectorPlan plan = plan_of(out.scenario);
    plan.watches = watches_of(gates);
    Collector collector(plan);
    for (BotIndex bot = 0; bot < 3; ++bot) {
        collector.set_bot(bot, at(0), {true, true});
        collector.add_value(MetricId::peers_rtt, Spot::of(bot, Way::up), at(6'000),
                            (bot == 1 ? slow_ms : 20) * 1'000'000);
        collector.add_value(MetricId::peers_queue_age, Spot::of(bot, Way::up), at(6'000),
                            1'000'000 * bot);
    }
    collector.add_share(MetricId::links_loss, Spot::of(0, Way::up), at(100), 1, 100);
    collector.add_value(MetricId::cost_tick, Spot{}, at(100), 2'000'000);
    collector.finish(out.scenario.end());
    RunResult& result = out.result;
    fill_figures(result, out.scenario, gates, collector, false);
    result.seed = 7;
    result.ran_until = out.scenario.end();
    result.digest = {1, 2};
    result.events = 4'900'000;
    result.last_draw = 0x5e21'c09a'0000'0000;
    for (int i = 0; i < 3; ++i)
        result.peers.push_back({"runner-" + std::to_string(i), "runner", "active", "", 0});
    LinkResult link{.name = "default", .instances = 3};
    link.up = {.sent = 101, .delivered = 99, .in_flight = 1, .drops = {{"loss", 1}}};
    result.links.push_back(link);
    result.up = {.sent = 101, .delivered = 99, .dropped = 1, .in_flight = 1};
    result.cost.wall_ns = 100'000'000;
    return out;
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', start)) {
        longest = std::max(longest, end - start);
        start = end + 1;
    }
    return longest;
}

}  // namespace

TEST_CASE("the report of a run that passed") {
    const Made run = made(40);
    CHECK(run.result.exit_code() == 0);
    const std::string text = report_text(run.scenario, run.result, {.file = "dir/small.toml"});
    CHECK(text == R"(
GATES   3 passed, 0 failed, 1 not counted
  ok    fresh         40 ms         < 150 ms        peers.rtt p99 in play
  ok    stay          0             == 0            peers.disconnects total
  ok    loss          1 %           < 5 %           links.loss mean
  cost  cpu           2 ms          < 1 ms          cost.tick p99 (wall clock, see --cost)

PEERS               p50        p95        p99        max   worst       LINK             up      down
  rtt           20.1 ms      40 ms      40 ms      40 ms   runner-1    sent            101         0
  queue age        1 ms       2 ms       2 ms       2 ms   runner-2    lost              1         0
                                                                       duplicated        0         0
                                                                       reordered         0         0
                                                                       in flight         1         0

DROPS   loss 1     conserved: yes

PASSED   4,900,000 events in 100 ms, x150 of real time
digest   0000 0000 0000 0001 0000 0000 0000 0002   last draw 0x5e21c09a
repeat   wavetank run dir/small.toml --seed 7 --set links.default.rtt=20ms
)");
    CHECK(longest_line(text) <= 100);
}

TEST_CASE("the report of a run that failed names the worst and hides what passed") {
    const Made run = made(200);
    CHECK(run.result.exit_code() == 1);
    const std::string text = report_text(run.scenario, run.result, {.file = "dir/small.toml"});
    CHECK(text.find("GATES   2 passed, 1 failed, 1 not counted\n"
                    "  FAIL  fresh         200 ms        < 150 ms        peers.rtt p99 in play\n"
                    "        worst      runner-1, tick 360 (6 s, play+1s): 200 ms, up\n"
                    "        how many   1 of 3 peers over the bound\n") != std::string::npos);
    CHECK(text.find("  ... 1 more passed (--all)\n") != std::string::npos);
    CHECK(text.find("FAILED   1 of 3 gates   ") != std::string::npos);
    // The failing gate's worst bot comes first, then the oldest queues.
    CHECK(peers_shown(run.result, false) == std::vector<std::size_t>{1, 2, 0});
    CHECK(peers_shown(run.result, true) == std::vector<std::size_t>{0, 1, 2});
    CHECK(longest_line(text) <= 100);
    const std::string coloured =
        report_text(run.scenario, run.result, {.colour = true, .file = "dir/small.toml"});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(coloured.find("\x1b[31mFAIL\x1b[0m") != std::string::npos);
}

TEST_CASE("exit codes: bug before interrupt before failure") {
    Made run = made(200);
    run.result.stopped = Stopped::interrupted;
    CHECK(run.result.exit_code() == 130);
    run.result.up.dropped = 0;  // not conserved
    CHECK(run.result.exit_code() == 3);
    run.result.up.dropped = 1;
    run.result.bug = "something";
    CHECK(run.result.exit_code() == 3);
}

TEST_CASE("JSON: two reports differ only in cost") {
    Made run = made(40);
    const std::string first = json_report(run.scenario, run.result, {.file = "f"});
    run.result.cost.wall_ns = 123;
    run.result.cost.memory_bytes = 9;
    run.result.cost.metrics.clear();
    for (GateResult& gate : run.result.gates) {
        if (gate.gate.needs_cost) gate.value = 77;
    }
    const std::string second = json_report(run.scenario, run.result, {.file = "f"});
    CHECK(first != second);
    const std::string marker = "\n  \"cost\": {";
    REQUIRE(first.find(marker) != std::string::npos);
    CHECK(first.substr(0, first.find(marker)) == second.substr(0, second.find(marker)));
    CHECK(first.find("\"schema\": 1,") != std::string::npos);
    CHECK(first.find("\"verdict\": \"passed\"") != std::string::npos);
    CHECK(first.find("\"peers.rtt\": {\n      \"type\": \"sample\",\n      \"unit\": \"ns\",") !=
          std::string::npos);
    CHECK(first.find("\"value\": \"00000000000000010000000000000002\"") != std::string::npos);
    // SHA-256 has 64 digits; the text is the scenario after settings.
    const std::size_t hash = first.find("\"sha256\": \"");
    REQUIRE(hash != std::string::npos);
    CHECK(first[hash + 11 + 64] == '"');
    for (const char* section : {"scenario", "run", "verdict", "gates", "metrics", "peers", "links",
                                "acts", "conservation", "digest", "repeat", "cost"}) {
        CHECK_MESSAGE(first.find(std::string("\n  \"") + section + "\": ") != std::string::npos,
                      section);
    }
}

TEST_CASE("JUnit: suites, failures, skipped, errors, escapes") {
    Made run = made(200);
    const std::string text = junit_file(junit_suite({run.scenario, run.result, "dir/a&b.toml"}));
    CHECK(text.find("<testsuite name=\"small 7\" tests=\"5\" failures=\"1\" errors=\"0\" "
                    "skipped=\"1\" time=\"15.000\">") != std::string::npos);
    CHECK(text.find("<failure message=\"200 ms, bound &lt; 150 ms\">") != std::string::npos);
    CHECK(text.find("'dir/a&amp;b.toml'") != std::string::npos);
    CHECK(text.find("<skipped message=\"wall clock, see --cost\"/>") != std::string::npos);
    run.result.bug = "the world ended";
    CHECK(junit_file(junit_suite({run.scenario, run.result, "f"}))
              .find("<error message=\"the world ended\">") != std::string::npos);
}

TEST_CASE("links: figures are measured, the printed keys read back") {
    for (const Preset& preset : all_presets()) {
        const std::string toml = link_as_toml(preset.config, preset.source);
        const auto read = read_scenario_text(
            "[scenario]\nduration = \"5s\"\n[bots.runner]\nlink = \"" + preset.name + "\"\n" + toml,
            "t.toml", {});
        REQUIRE_MESSAGE(read.has_value(), toml);
        for (const LinkConfig& link : read->links) {
            if (link.name != preset.name) continue;
            LinkConfig named = link;
            named.name = preset.config.name;
            named.source = preset.config.source;
            CHECK(link_as_toml(named, preset.source) == toml);
        }
    }
    const Preset* geo = find_preset("satellite-geo");
    REQUIRE(geo != nullptr);
    const LinkFigures figures = measure_link(geo->config);
    CHECK(figures.up.delay.min >= Duration::millis(280).ns);
    CHECK(figures.rtt.p50 > Duration::millis(570).ns);
    CHECK(figures.rtt.p50 < Duration::millis(590).ns);
    CHECK(figures.up.loss_ppb > 3'000'000);
    CHECK(figures.up.loss_ppb < 7'000'000);
}
