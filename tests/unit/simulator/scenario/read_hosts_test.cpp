// SPDX-License-Identifier: MIT
//
// Declared CPU, clocks, stalls, scripts and crooks as a file says them, and what is refused.
#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim::read_hosts_test {

namespace {

const std::string head = "[scenario]\nphases = [\"join 5s\", \"play 20s\"]\n";

Scenario good(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    if (!read.has_value()) FAIL_CHECK(format_problems(read.error()));
    REQUIRE(read.has_value());
    return *read;
}

std::string bad(const std::string& text) {
    const auto read = read_scenario_text(head + text, "dir/test.toml", {});
    if (read.has_value()) return "no problem";
    const Problem& first = read.error().front();
    return first.message + " (" + first.hint + ")";
}

std::string bad_runner(const std::string& keys) {
    return bad("[bots.runner]\n" + keys);
}

}  // namespace

TEST_CASE("the server's declared work") {
    const Scenario scenario = good(
        "[bots.runner]\n[server]\n"
        "cost = { datagram = \"2us\", handshake = \"190us\", object = \"20ns\" }\n");
    CHECK(scenario.server.cost.datagram == Duration::micros(2));
    CHECK(scenario.server.cost.handshake == Duration::micros(190));
    CHECK(scenario.server.cost.object == Duration::nanos(20));
    CHECK(bad("[bots.runner]\n[server]\ncost = { datagrm = \"2us\" }\n") ==
          "unknown key \"datagrm\" in [server] cost (did you mean \"datagram\"?)");
    CHECK(bad("[bots.runner]\n[server]\ncost = { datagram = \"2s\" }\n")
              .starts_with("datagram = \"2s\" is out of range"));
}

TEST_CASE("clocks, stalls and receive buffers of a group") {
    const Scenario scenario = good(
        "[bots.runner]\nclock = { offset = \"-2min\", drift = \"-50ppm\" }\n"
        "stall = { every = \"10s\", for = \"400ms\" }\nreceive_buffer = \"16KiB\"\n");
    const BotGroup& group = scenario.groups.at(0);
    CHECK(group.clock.is_skewed);
    CHECK(group.clock.offset == Duration::seconds(-120));
    CHECK(group.clock.drift_ppm == -50);
    CHECK(group.stall->every == Duration::seconds(10));
    CHECK(group.stall->length == Duration::millis(400));
    CHECK(group.receive_buffer == 16'384);
    CHECK(!good("[bots.runner]\n").groups.at(0).clock.is_skewed);
    CHECK(
        bad_runner("clock = { offset = \"2h\" }\n").starts_with("offset = \"2h\" is out of range"));
    CHECK(bad_runner("clock = { drift = \"0.5ppm\" }\n") ==
          "a drift is whole ppm (e.g. \"50ppm\")");
    CHECK(bad_runner("clock = { drift = \"20%\" }\n") ==
          "a clock that drifts by more than a tenth (e.g. \"50ppm\")");
    CHECK(
        bad_runner("stall = { every = \"10s\" }\n") ==
        "[bots.runner] stall needs every and for (e.g. stall = { every = \"10s\", for = \"400ms\" "
        "})");
    CHECK(bad_runner("stall = { every = \"1s\", for = \"1s\" }\n") ==
          "the stall never ends (shorter than its every)");
}

TEST_CASE("scripts") {
    const Scenario scenario = good(
        "[bots.actor]\nbehaviour = \"scripted\"\n"
        "script = [\"0s runner\", \"2500ms say\", \"3s ask\", \"4s leave\", \"6s join\"]\n");
    const std::vector<bots::ScriptStep>& script = scenario.groups.at(0).script;
    REQUIRE(script.size() == 5);
    CHECK(script[0].what == bots::ScriptStep::What::behave);
    CHECK(script[0].as == BehaviourKind::runner);
    CHECK(script[1].at == Duration::millis(2'500));
    CHECK(script[4].what == bots::ScriptStep::What::join);
    CHECK(
        bad("[bots.scripted]\n") ==
        "[bots.scripted] needs a script (e.g. script = [\"0s runner\", \"5s say\", \"8s idle\"])");
    CHECK(bad_runner("script = [\"0s runner\"]\n") ==
          "only a scripted bot has a script (behaviour = \"scripted\")");
    const std::string actor = "[bots.scripted]\nscript = ";
    CHECK(bad(actor + "[\"0s runer\"]\n") == "unknown action \"runer\" (did you mean \"runner\"?)");
    CHECK(bad(actor + "[\"0s flooder\"]\n").starts_with("unknown action \"flooder\""));
    CHECK(bad(actor + "[\"runner\"]\n") ==
          "a step of a script is a time and an action (\"TIME ACTION\", e.g. \"2s runner\")");
    CHECK(bad(actor + "[\"5 runner\"]\n").starts_with("\"5\" has no unit"));
    CHECK(bad(actor + "[\"5s runner\", \"4s idle\"]\n").starts_with("the steps of a script come"));
}

TEST_CASE("crooks and where they can be") {
    const Scenario scenario = good("[bots.flooder]\n[bots.runner]\n");
    CHECK(scenario.groups.at(0).is_hostile());
    CHECK(!scenario.groups.at(1).is_hostile());
    CHECK(scenario.bot_count() == 2);
    CHECK(scenario.player_count() == 1);
    CHECK(bad("[bots.forger]\n[world]\ngame = \"none\"\n")
              .starts_with("[bots.forger] needs the game"));
    CHECK(bad("[bots.forger]\n[transport]\nkind = \"loopback\"\n")
              .starts_with("[bots.forger] has nothing to attack on loopback"));
    CHECK(bad("[bots.idle]\n[transport]\nkind = \"own\"\n")
              .starts_with("\"own\" is a protocol of your own"));
    CHECK(bad("[bots.runner]\n[[at]]\nphase = \"play\"\ndo = \"behave\"\nas = \"forger\"\n")
              .starts_with("nobody turns forger in the middle of a run"));
    CHECK(good("[bots.runner]\n[initial]\nepoch = 4_294_967_290\n").transport.initial_epoch ==
          4'294'967'290);
}

}  // namespace wt::sim::read_hosts_test
