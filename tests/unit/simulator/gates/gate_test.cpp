// SPDX-License-Identifier: MIT
//
// Gate texts: what they compile to, and which word of a wrong one is pointed at.
#include "simulator/gates/gate.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "simulator/scenario/read_scenario.hpp"

using namespace wt;
using namespace wt::sim;

namespace {

Scenario with_gate(const std::string& gate) {
    const std::string text =
        "[scenario]\nphases = [\"join 5s\", \"storm 10s\", \"heal 5s\"]\n"
        "[bots.runner]\ncount = 4\n[bots.idle]\ncount = 2\njoin_at = \"heal\"\n[gates]\ng = \"" +
        gate + "\"\n";
    const auto read = read_scenario_text(text, "t.toml", {});
    REQUIRE(read.has_value());
    return *read;
}

Gate good(const std::string& text) {
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(with_gate(text), problems);
    if (!problems.empty()) {
        const std::string errors = format_problems(problems);
        FAIL_CHECK(errors);
        return {};
    }
    REQUIRE(gates.size() == 1);
    return gates[0];
}

Problem bad(const std::string& text) {
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(with_gate(text), problems);
    CHECK(gates.empty());
    if (problems.size() != 1) {
        FAIL_CHECK(text);
        return {};
    }
    return problems[0];
}

// The stretch of the gate's text that the problem points at.
std::string pointed(const std::string& text) {
    const Problem problem = bad(text);
    CHECK(problem.place.line == 9);
    // The text begins behind `g = "`.
    const std::size_t offset = problem.place.column - 6;
    return offset < text.size() ? text.substr(offset, problem.place.length) : "<end>";
}

}  // namespace

TEST_CASE("metric, statistic, comparison, bound") {
    const Gate gate = good("peers.rtt p99.9 <= 150ms");
    CHECK(gate.watch.metric == MetricId::peers_rtt);
    CHECK(gate.statistic.kind == Statistic::Kind::pick);
    CHECK(gate.statistic.pick == Pick::p999);
    CHECK(gate.watch.bound.compare == Compare::less_equal);
    CHECK(gate.watch.bound.value == 150'000'000);
    CHECK(gate.watch.start == Instant{});
    CHECK(gate.watch.end == Instant{20'000'000'000});
    CHECK(gate.watch.bots.empty());
    CHECK(gate.subject == "peers.rtt p99.9");
    CHECK(!gate.needs_cost);
}

TEST_CASE("bounds of each dimension") {
    CHECK(good("peers.active min == 100%").watch.bound.value == 1'000'000'000);
    CHECK(good("peers.backlog max < 64KiB").watch.bound.value == 65'536);
    CHECK(good("peers.disconnects total == 0").watch.bound.value == 0);
    CHECK(good("peers.bytes per second max < 200kbit/s down").watch.bound.value == 200'000);
    CHECK(good("peers.bytes per second max < 200kbit/s down").dimension == Dimension::rate);
    CHECK(good("peers.bytes total < 1MiB").watch.bound.value == 1'048'576);
    CHECK(good("peers.retransmits per minute p95 < 6").watch.bound.value == 360);
    CHECK(good("peers.retransmits per second < 6").watch.bound.value == 21'600);
    CHECK(good("peers.retransmits per second < 6/min").watch.bound.value == 360);
    CHECK(good("links.burst max < 5 packets in storm").watch.bound.value == 5'000);
    CHECK(good("links.burst max < 5 in storm").watch.bound.value == 5'000);
    CHECK(good("server.amplification max <= 1").watch.bound.value == 1'000'000'000);
    CHECK(good("server.amplification max <= 1.5x").watch.bound.value == 1'500'000'000);
    CHECK(good("cost.tick p99 < 2.3ms").needs_cost);
}

TEST_CASE("tolerance, with both signs") {
    const Gate gate = good("peers.undelivered mean == 2% +- 0.5%");
    CHECK(gate.watch.bound.value == 20'000'000);
    CHECK(gate.watch.bound.tolerance == 5'000'000);
    CHECK(good("peers.rtt mean != 2ms \xc2\xb1 1ms").watch.bound.tolerance == 1'000'000);
}

TEST_CASE("scopes") {
    const Gate storm = good("peers.rtt max < 1s in phase storm after 2s of runner-1..2, idle up");
    CHECK(storm.watch.start == Instant{7'000'000'000});
    CHECK(storm.watch.end == Instant{15'000'000'000});
    CHECK(storm.watch.way == Way::up);
    // Groups by name: idle-0, idle-1, runner-0 .. runner-3.
    CHECK(storm.watch.bots == std::vector<std::uint8_t>{1, 1, 0, 1, 1, 0});
    CHECK(storm.subject == "peers.rtt max in phase storm after 2s of runner-1..2, idle up");
    const Gate both = good("peers.latency p95 < 1s from join to storm on state");
    CHECK(both.watch.start == Instant{});
    CHECK(both.watch.end == Instant{15'000'000'000});
    CHECK(both.watch.lane == transport::Lane::state);
    CHECK(good("peers.retransmits per minute p95 < 6 in heal").subject ==
          "peers.retransmits per minute p95 in heal");
}

TEST_CASE("off takes a gate away") {
    std::vector<Problem> problems;
    CHECK(compile_gates(with_gate("off"), problems).empty());
    CHECK(problems.empty());
}

TEST_CASE("wrong words are pointed at") {
    CHECK(pointed("peers.rt p95 < 1s") == "peers.rt");
    CHECK(bad("peers.rt p95 < 1s").hint == "did you mean \"peers.rtt\"?");
    CHECK(pointed("peers.rtt p96 < 1s") == "p96");
    CHECK(pointed("peers.rtt p95 = 1s") == "=");
    CHECK(pointed("peers.rtt p95 < 1") == "1");
    CHECK(pointed("peers.rtt p95 < 1s in strom") == "strom");
    CHECK(bad("peers.rtt p95 < 1s in strom").hint == "did you mean \"storm\"?");
    CHECK(bad("peers.rtt p95 < 1s in strom").notes[0] == "phases of this file: join, storm, heal");
    CHECK(pointed("peers.rtt p95 < 1s of runner, ilde") == "ilde");
    CHECK(pointed("peers.rtt p95 < 1s of runner-4") == "runner-4");
    CHECK(pointed("peers.latency p95 < 1s on bluk") == "bluk");
    CHECK(pointed("peers.rtt p95 < 1s wherever") == "wherever");
    CHECK(pointed("server.bytes total > 0B of runner") == "of");
    CHECK(pointed("peers.rtt p95 < 1s in storm in heal") == "in");
    CHECK(pointed("peers.rtt p95 < 1s from heal to join") == "join");
    CHECK(pointed("peers.rtt p95 < 1s in storm after 10s") == "10s");
    CHECK(good("peers.rtt p95 < 1s in storm after 9999ms").watch.start == Instant{14'999'000'000});
}

TEST_CASE("texts that end too early") {
    for (const char* text :
         {"peers.rtt", "peers.rtt p95", "peers.rtt p95 <", "peers.rtt p95 < 1s in",
          "peers.rtt p95 < 1s of", "peers.latency p95 < 1s on", "peers.rtt p95 < 1s from join",
          "peers.bytes per"}) {
        CHECK_MESSAGE(bad(text).message == "the gate ends too early", text);
    }
    CHECK(bad("").message == "the gate ends too early");
}

TEST_CASE("statistics and dimensions that do not fit") {
    CHECK(bad("peers.bytes p95 < 1s").message == "peers.bytes counts");
    CHECK(bad("peers.rtt total < 1s").message == "peers.rtt does not count, it has values");
    CHECK(bad("peers.undelivered p95 < 1%").message ==
          "peers.undelivered is a quotient of two sums");
    CHECK(bad("peers.retransmits per second last < 1").message == "rates have no last");
    CHECK(bad("peers.rtt p95 < 5%").message == "\"5%\": the unit \"%\" does not fit");
    CHECK(bad("peers.bytes per second < 5KiB").message ==
          "\"5KiB\": the unit \"KiB\" does not fit");
    CHECK(bad("peers.active min == 1").message == "\"1\" has no unit");
    CHECK(bad("peers.rtt p95 < 1s +- 1ms").message == "a tolerance goes with == and != only");
    CHECK(bad("peers.active min == 100% up").message == "peers.active has no direction");
    CHECK(bad("peers.rtt p95 < 1s on state").message == "peers.rtt has no lanes");
    CHECK(bad("peers.rtt p95 < 1s of any 2 of runner").message == "a gate is of groups and bots");
    CHECK(bad("peers.rtt p95 < 1s in storm of idle").message ==
          "none of these bots has joined in that phase");
}

TEST_CASE("words that are not built yet") {
    CHECK(bad("peers.throttle p50 < 50%").message == "\"peers.throttle\" is not built yet");
}

TEST_CASE("for every peer, for every window") {
    const Gate peer = good("peers.rtt p95 < 1s for every peer");
    CHECK(peer.watch.each_peer);
    CHECK(peer.watch_count() == 1);
    const Gate both = good("peers.rtt p95 < 1s in storm for every 3s for every peer");
    CHECK(both.watch.each_peer);
    CHECK(both.subject == "peers.rtt p95 in storm for every 3s for every peer");
    // An incomplete last window is left out.
    const Instant start = both.watch.start;
    const std::int64_t length = (both.watch.end - start).ns;
    REQUIRE(both.watch_count() == length / 3'000'000'000);
    CHECK(both.watch_at(0).start == start);
    CHECK(both.watch_at(1).start == start + Duration::seconds(3));
    CHECK(both.watch_at(1).end == start + Duration::seconds(6));
    CHECK(bad("peers.rtt p95 < 1s for every").message == "the gate ends too early");
    CHECK(bad("peers.rtt p95 < 1s for each peer").message == "\"each\" after for");
    CHECK(bad("peers.rtt p95 < 1s for every bot").hint ==
          "for every peer, or for every DURATION, e.g. for every 5s");
    CHECK(bad("peers.rtt p95 < 1s for every 0s").message == "a window of \"0s\"");
    CHECK(bad("peers.rtt p95 < 1s for every 20h").message == "no window of \"20h\" fits");
    CHECK(bad("peers.rtt p95 < 1s for every 1us").message.ends_with("windows are too many"));
    CHECK(bad("peers.rtt p95 < 1s for every 2s for every 3s").message ==
          "\"for\" stands here twice");
    CHECK(bad("server.peers last < 9 of player").message ==
          "server.peers is the server's, not of any bots");
    CHECK(bad("server.joins total > 1 for every peer").message ==
          "server.joins is not of any peer");
    CHECK(bad("peers.active min == 100% for every peer").message ==
          "peers.active is one value of all peers");
}
