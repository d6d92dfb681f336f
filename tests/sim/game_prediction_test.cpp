// SPDX-License-Identifier: MIT
//
// Goal: who meets nobody is never corrected, on a perfect link at 0 ms too and at every rate; with
// the client's arithmetic broken on purpose each snapshot finds it, counts it and says how far.
// Method: whole scenarios through the command line's own run, figures by gates.
#include "tests/sim/game_run.hpp"

namespace wt::sim::game_prediction_test {
namespace {

// One walker in an empty world: there is nobody and nothing to touch.
Scenario alone(const std::string& rtt, const std::string& rates, const std::string& gates) {
    return game_scenario(
        "[scenario]\nphases = [\"join 2s\", \"play 10s\"]\n[world]\nobjects = 0\n"
        "[links.default]\nrtt = \"" +
        rtt + "\"\n[server]\n" + rates + "[bots.runner]\ncount = 1\n[gates]\n" + gates);
}

constexpr const char* no_corrections =
    "none = \"peers.corrections total == 0\"\n"
    "inputs = \"peers.input_loss mean == 0% in play\"\n"
    "seen = \"peers.snapshot_age max < 500ms in play\"\n";

void check_gates(const RunResult& result) {
    for (const GateResult& gate : result.gates) {
        CAPTURE(gate.gate.name);
        CAPTURE(gate.value);
        CHECK(gate.verdict == Verdict::ok);
    }
}

}  // namespace

TEST_CASE("without contact nothing is corrected, at 0 ms too, at every rate") {
    const char* const rates[] = {
        "tick_rate = \"60Hz\"\ninput_rate = \"60Hz\"\nsnapshot_rate = \"20Hz\"\n",
        "tick_rate = \"30Hz\"\ninput_rate = \"30Hz\"\nsnapshot_rate = \"10Hz\"\n",
        "tick_rate = \"128Hz\"\ninput_rate = \"128Hz\"\nsnapshot_rate = \"64Hz\"\n"};
    for (const char* const rate : rates) {
        for (const char* const rtt : {"0ms", "300us", "50ms", "240ms"}) {
            CAPTURE(rate);
            CAPTURE(rtt);
            check_gates(run_of(alone(rtt, rate, no_corrections)));
        }
    }
}

// Each of 20 snapshots a second differs. What is compared was predicted from the snapshot before
// it, 3 ticks of 3 mm earlier: at least 3 mm (a tick not yet replayed), at most 9 mm and as much
// again for what was predicted before that one came.
TEST_CASE("broken arithmetic of the client is found, counted and sized") {
    RunOptions options;
    options.hooks.broken_prediction_mm = 3;
    check_gates(run_of(alone("50ms", "",
                             "found = \"peers.corrections per second min >= 18/s in play\"\n"
                             "most = \"peers.corrections per second max <= 20/s in play\"\n"
                             "least_size = \"peers.correction_size min >= 3mm in play\"\n"
                             "most_size = \"peers.correction_size max <= 18mm in play\"\n"),
                       options));
    // And the oracle above would have said so.
    const RunResult seen = run_of(alone("0ms", "", no_corrections), options);
    CHECK(seen.gates.at(0).verdict == Verdict::fail);
    CHECK(seen.gates.at(0).value > 200);
}

}  // namespace wt::sim::game_prediction_test
