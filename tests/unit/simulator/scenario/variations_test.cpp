// SPDX-License-Identifier: MIT
//
// One file, several scenarios. Goal: a draw depends on seed and path alone, stays in its range and
// on its steps, and gives way to whoever says the value; every wrong word has its own message.
#include <doctest/doctest.h>

#include <set>

#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim::variations_test {

namespace {

const std::string head = R"([scenario]
phases = ["join 2s", "play 8s"]
[links.default]
rtt = "40ms"
[links.other]
rtt = "80ms"
[bots.runner]
count = 4
[bots.idle]
link = "other"
[[at]]
name = "tunnel"
phase = "play"
for = "1s"
do = "partition"
)";

Scenario good(const std::string& text, const Settings& settings = {}, const Choice& choice = {}) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", settings, choice);
    REQUIRE_MESSAGE(read.has_value(), format_problems(read.error()));
    return *read;
}

Problem bad(const std::string& text, const Settings& settings = {}, const Choice& choice = {}) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", settings, choice);
    REQUIRE(!read.has_value());
    return read.error().front();
}

Problem bad_range(const std::string& range) {
    return bad("[vary]\n\"links.default.rtt\" = " + range + "\n");
}

const LinkConfig& default_link(const Scenario& scenario) {
    return scenario.links.front();
}

Choice seed(std::uint64_t number) {
    return {.variant = "", .seed = number};
}

}  // namespace

TEST_CASE("a range: inside, on its steps, each value reached") {
    const std::string vary =
        "[vary]\n\"links.default.loss\" = \"0%..3% step 1%\"\n"
        "\"at.tunnel.for\" = \"100ms..4s\"\n";
    std::set<std::uint64_t> losses;
    for (std::uint64_t number = 0; number < 64; ++number) {
        const Scenario scenario = good(vary, {}, seed(number));
        losses.insert(default_link(scenario).up.loss.threshold);
        const Duration cut = scenario.acts[0].end - scenario.acts[0].start;
        CHECK(cut >= Duration::millis(100));
        CHECK(cut <= Duration::seconds(4));
        // 3.9 s hold 1,000 steps of 1 ms and not of 10 ms.
        CHECK(cut.ns % 1'000'000 == 0);
        REQUIRE(scenario.drawn.size() == 2);
        CHECK(scenario.drawn[0].path == "links.default.loss");
        CHECK(scenario.drawn[1].extremes == std::vector<std::string>{"100ms", "4s"});
        CHECK(scenario.seed == number);
    }
    // Missing one of four in 64 draws: 4 * (3/4)^64 = 4e-8.
    CHECK(losses == std::set<std::uint64_t>{0, Chance::percent(1).threshold,
                                            Chance::percent(2).threshold,
                                            Chance::percent(3).threshold});
}

TEST_CASE("a list, and numbers of every kind, stand in the scenario as drawn") {
    std::set<LinkOrder> orders;
    std::set<std::uint32_t> counts;
    for (std::uint64_t number = 0; number < 64; ++number) {
        const Scenario scenario = good(
            "[vary]\n\"links.default.order\" = [\"keep\", \"free\"]\n"
            "\"bots.runner.count\" = \"2..5\"\n\"transport.fast_retransmit\" = [0, 3]\n"
            "\"server.snapshot_rate\" = \"10Hz..30Hz step 10Hz\"\n"
            "\"links.default.burst\" = [\"none\"]\n"
            "\"server.snapshot_budget\" = \"512B..1024B\"\n",
            {}, seed(number));
        orders.insert(default_link(scenario).up.order);
        counts.insert(scenario.groups[1].count);
        CHECK(scenario.server.snapshot_rate.per_second % 10 == 0);
        CHECK(scenario.server.snapshot_budget >= 512);
        CHECK(scenario.server.snapshot_budget <= 1'024);
    }
    CHECK(orders.size() == 2);
    CHECK(counts == std::set<std::uint32_t>{2, 3, 4, 5});
}

TEST_CASE("a draw is a function of seed and path: other paths do not move it") {
    const std::string rtt = "\"links.default.rtt\" = \"10ms..300ms\"\n";
    const std::string more = "\"bots.runner.count\" = \"1..32\"\n";
    const auto delay = [](const Scenario& scenario) { return default_link(scenario).up.delay; };
    std::set<std::int64_t> delays;
    for (std::uint64_t number = 1; number <= 20; ++number) {
        const Scenario alone = good("[vary]\n" + rtt, {}, seed(number));
        CHECK(delay(alone) == delay(good("[vary]\n" + more + rtt, {}, seed(number))));
        CHECK(delay(alone) == delay(good("[vary]\n" + rtt, {}, seed(number))));
        delays.insert(delay(alone).ns);
    }
    // 20 of 2,901 values: a pair of equals has the chance 190 / 2,901 = 6.5 %; two pairs, 0.2 %.
    CHECK(delays.size() >= 19);
    // Without a choice the file's own seed draws.
    CHECK(delay(good("[vary]\n" + rtt)) == delay(good("[vary]\n" + rtt, {}, seed(1))));
}

TEST_CASE("what somebody says is not drawn: --set, and the variant that is chosen") {
    const std::string vary =
        "[vary]\n\"links.default.rtt\" = \"100ms..300ms\"\n"
        "[variants.near]\n\"links.default.rtt\" = \"2ms\"\n[variants.far]\n";
    Scenario scenario = good(vary, {"links.default.rtt=6ms"});
    CHECK(default_link(scenario).up.delay == Duration::millis(3));
    CHECK(scenario.drawn.empty());
    CHECK(scenario.variants == std::vector<std::string>{"near", "far"});
    scenario = good(vary, {}, {.variant = "near", .seed = {}});
    CHECK(default_link(scenario).up.delay == Duration::millis(1));
    CHECK(scenario.drawn.empty());
    CHECK(scenario.variant == "near");
    // --set comes after the variant.
    scenario = good(vary, {"links.default.rtt=6ms"}, {.variant = "near", .seed = {}});
    CHECK(default_link(scenario).up.delay == Duration::millis(3));
    scenario = good(vary, {}, {.variant = "far", .seed = {}});
    CHECK(default_link(scenario).up.delay >= Duration::millis(50));
    // --set may change what is varied, too.
    scenario = good(vary, {"vary.\"links.default.rtt\"=8ms..9ms step 1ms"});
    CHECK(default_link(scenario).up.delay <= Duration::micros(4'500));
}

TEST_CASE("the printed scenario reads back to the same one") {
    const std::string text =
        "[vars]\nmost = \"300ms\"\n[vary]\n\"links.default.rtt\" = "
        "\"100ms..$most\"\n[variants.x]\n\"bots.runner.count\" = 2\n";
    const Choice choice{.variant = "x", .seed = 9};
    const Scenario first = good(text, {}, choice);
    CHECK(first.groups[1].count == 2);
    const auto again = read_scenario_text(first.resolved_text, "dir/test.toml", {}, seed(9));
    REQUIRE(again.has_value());
    CHECK(again->groups[1].count == 2);
    CHECK(default_link(*again).up.delay == default_link(first).up.delay);
    CHECK(again->resolved_text == first.resolved_text);
}

TEST_CASE("wrong ranges") {
    CHECK(bad_range("\"10ms\"").message == "\"10ms\" is not a range");
    CHECK(bad_range("7").message == "a varied path takes a range or a list of 1 to 1,000 values");
    CHECK(bad_range("[]").message == "a varied path takes a range or a list of 1 to 1,000 values");
    CHECK(bad_range("[[1]]").message ==
          "a varied path takes a range or a list of 1 to 1,000 values");
    CHECK(bad_range("\"10ms..3KiB\"").message == "the two ends are not of one kind");
    CHECK(bad_range("\"10ms..10ms\"").message == "the range has no length");
    CHECK(bad_range("\"30ms..10ms\"").message == "the range has no length");
    CHECK(bad_range("\"10ms..30\"").message == "the two ends are not of one kind");
    CHECK(bad_range("\"10ms..30ms step 21ms\"").message == "the step does not fit the range");
    CHECK(bad_range("\"10ms..30ms step 0ms\"").message == "the step does not fit the range");
    const Problem unit = bad_range("\"10ms..30msec\"");
    CHECK(unit.message == "\"30msec\": \"msec\" has two readings or none");
    // Under the wrong end: the value begins in column 23, its text in 24.
    CHECK(unit.place.line == 17);
    CHECK(unit.place.column == 30);
    CHECK(unit.place.length == 6);
    // The boundary pair: a step as long as the range gives both ends.
    const Scenario ends =
        good("[vary]\n\"links.default.rtt\" = \"10ms..30ms step 20ms\"\n", {}, seed(3));
    const Duration delay = default_link(ends).up.delay;
    CHECK((delay == Duration::millis(5) || delay == Duration::millis(15)));
}

TEST_CASE("wrong paths") {
    const auto message = [](const std::string& path) {
        return bad("[vary]\n" + path + " = \"1..2\"\n").message;
    };
    CHECK(message("rtt") == "\"rtt\" is not a path");
    CHECK(message("\"links.defualt.rtt\"") == "links has no \"defualt\"");
    CHECK(message("\"linsk.default.rtt\"") == "unknown section \"linsk\"");
    CHECK(message("\"at.tunel.for\"") == "no [[at]] is named \"tunel\"");
    CHECK(message("\"links.default.rt\"") == "unknown key \"rt\" in [links.default]");
    CHECK(message("\"vars.peers\"") == "[vars] cannot be varied");
    CHECK(message("\"scenario.seed\"") == "[scenario] cannot be varied");
    CHECK(bad("[vary]\n\"links.defualt.rtt\" = \"1ms..2ms\"\n").hint ==
          "did you mean \"default\"?");
    CHECK(bad("", {"variants.x.y=1"}).message == "variants cannot be set");
}

TEST_CASE("wrong variants") {
    const std::string codel = "[variants.codel]\n\"links.default.rtt\" = \"2ms\"\n";
    const Problem unknown = bad(codel, {}, {.variant = "codle", .seed = {}});
    CHECK(unknown.message == "no variant \"codle\" in dir/test.toml");
    CHECK(unknown.hint == "did you mean \"codel\"?");
    CHECK(bad("", {}, {.variant = "codel", .seed = {}}).hint == "the file has no [variants.NAME]");
    CHECK(bad("[variants]\ncodel = 3\n").message == "a variant is a table");
    CHECK(bad("[variants.Codel]\n").message == "\"Codel\" cannot name a variant");
    const Choice chosen{.variant = "codel", .seed = {}};
    CHECK(bad("[variants.codel]\nrtt = \"2ms\"\n", {}, chosen).message == "\"rtt\" is not a path");
    const Problem value = bad("[variants.codel]\n\"links.default.rtt\" = \"2\"\n", {}, chosen);
    CHECK(value.message == "\"2\" has no unit");
    CHECK(value.place.line == 17);
    // A variant that nobody chooses is not applied.
    CHECK(default_link(good(codel)).up.delay == Duration::millis(20));
}

}  // namespace wt::sim::variations_test
