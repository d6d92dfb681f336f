// SPDX-License-Identifier: MIT
#include "simulator/realtime/side.hpp"

#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

TEST_CASE("a sender's figures are seen where it sends, a receiver's where it receives") {
    const GameKind game = GameKind::arena;
    CHECK(sees(Side::bots, MetricId::peers_rtt, Way::up, game));
    CHECK(!sees(Side::bots, MetricId::peers_rtt, Way::down, game));
    CHECK(sees(Side::bots, MetricId::peers_rtt, Way::both, game));
    CHECK(sees(Side::server, MetricId::peers_rtt, Way::down, game));
    CHECK(!sees(Side::server, MetricId::peers_rtt, Way::up, game));
    CHECK(sees(Side::bots, MetricId::peers_silence, Way::down, game));
    CHECK(!sees(Side::bots, MetricId::peers_silence, Way::up, game));
    CHECK(sees(Side::server, MetricId::peers_silence, Way::up, game));
}

TEST_CASE("links and players are the bots' side, the server is its own") {
    const GameKind game = GameKind::arena;
    CHECK(sees(Side::bots, MetricId::links_loss, Way::down, game));
    CHECK(!sees(Side::server, MetricId::links_loss, Way::down, game));
    CHECK(sees(Side::server, MetricId::peers_input_loss, Way::both, game));
    CHECK(!sees(Side::bots, MetricId::peers_input_loss, Way::both, game));
    CHECK(sees(Side::bots, MetricId::peers_snapshot_age, Way::both, game));
    CHECK(!sees(Side::bots, MetricId::peers_snapshot_age, Way::both, GameKind::none));
    for (const MetricId id : {MetricId::peers_latency, MetricId::peers_divergence}) {
        CHECK(!sees(Side::bots, id, Way::both, game));
        CHECK(!sees(Side::server, id, Way::both, game));
    }
}

TEST_CASE("every gate is judged by one side or named by both") {
    const char* const text =
        "[scenario]\nphases = [\"play 2s\"]\n[bots.runner]\n[gates]\n"
        "up = \"peers.queue_age p99 < 1s up\"\n"
        "down = \"peers.queue_age p99 < 1s down\"\n"
        "any = \"peers.queue_age p99 < 1s\"\n"
        "equal = \"peers.divergence max == 0\"\n"
        "cpu = \"cost.tick p99 < 2ms\"\n"
        "refused = \"server.refused_tickets total == 0\"\n"
        "thief = \"server.refused_tickets total == 0 of runner\"\n"
        "joins = \"server.joins total == 1 of runner\"\n";
    const auto scenario = read_scenario_text(text, "t.toml", {});
    REQUIRE(scenario);
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(*scenario, problems);
    REQUIRE(problems.empty());
    const SplitGates bots = split_gates(Side::bots, gates, GameKind::arena);
    const SplitGates server = split_gates(Side::server, gates, GameKind::arena);
    CHECK(bots.unseen ==
          std::vector<std::string>{"down", "equal", "cpu", "refused", "thief", "joins"});
    CHECK(server.unseen == std::vector<std::string>{"up", "equal", "thief"});
    CHECK(bots.seen.size() == 2);
    CHECK(server.seen.size() == 5);
}

}  // namespace wt::sim
