// SPDX-License-Identifier: MIT
//
// A collector is fed by hand, as the simulator would, and gates judge it. Six bots: idle-0, idle-1,
// runner-0 to runner-3; phases join [0, 5 s), storm [5 s, 15 s), heal [15 s, 20 s).
#include "simulator/gates/evaluate.hpp"

#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"

using namespace wt;
using namespace wt::sim;
using transport::Lane;

namespace {

constexpr Instant at(std::int64_t ms) {
    return Instant{ms * 1'000'000};
}
constexpr std::int64_t ms(std::int64_t n) {
    return n * 1'000'000;
}

struct Bench {
    explicit Bench(const std::string& gate) {
        const std::string text =
            "[scenario]\nphases = [\"join 5s\", \"storm 10s\", \"heal 5s\"]\n"
            "[bots.idle]\ncount = 2\n[bots.runner]\ncount = 4\n[gates]\ng = \"" +
            gate + "\"\n";
        auto read = read_scenario_text(text, "t.toml", {});
        REQUIRE(read.has_value());
        scenario = *read;
        std::vector<Problem> problems;
        gates = compile_gates(scenario, problems);
        REQUIRE(gates.size() == 1);
        CollectorPlan plan = plan_of(scenario);
        plan.watches = watches_of(gates);
        collector.emplace(plan);
    }

    void everybody_active(std::int64_t from_ms) {
        for (BotIndex bot = 0; bot < 6; ++bot)
            collector->set_bot(bot, at(from_ms), {true, true});
    }
    GateResult judge(bool count_cost = false) {
        collector->finish(scenario.end());
        return evaluate(scenario, gates, *collector, {.count_cost = count_cost})[0];
    }

    Scenario scenario{};
    std::vector<Gate> gates{};
    std::optional<Collector> collector{};
};

}  // namespace

TEST_CASE("every pick of a bag") {
    struct Row {
        const char* pick;
        std::int64_t value;
    };
    // 1 .. 100 ms, the last one taken is 1 ms.
    for (const Row& row :
         {Row{"min", ms(1)}, Row{"max", ms(100)}, Row{"last", ms(1)}, Row{"mean", 50'500'000}}) {
        Bench bench(std::string("peers.rtt ") + row.pick + " < 1s");
        for (std::int64_t i = 100; i >= 1; --i)
            bench.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up), at(6'000 - i),
                                       ms(i));
        const GateResult result = bench.judge();
        CHECK_MESSAGE(result.value == row.value, row.pick);
        CHECK(result.values == 100);
        CHECK(result.verdict == Verdict::ok);
    }
    for (const Row& row :
         {Row{"p01", 1}, Row{"p05", 5}, Row{"p10", 10}, Row{"p25", 25}, Row{"p50", 50},
          Row{"p75", 75}, Row{"p90", 90}, Row{"p95", 95}, Row{"p99", 99}, Row{"p99.9", 100}}) {
        Bench bench(std::string("peers.transmissions ") + row.pick + " < 1000");
        for (std::int64_t i = 1; i <= 100; ++i)
            bench.collector->add_value(MetricId::peers_transmissions,
                                       Spot::of(2, Way::up, Lane::state), at(6'000), i);
        CHECK_MESSAGE(bench.judge().value == row.value, row.pick);
    }
}

TEST_CASE("a value belongs to the window in which it was taken") {
    Bench bench("peers.rtt max < 1s in storm after 2s of runner-1 down");
    const auto feed = [&](BotIndex bot, Way way, std::int64_t when, std::int64_t value) {
        bench.collector->add_value(MetricId::peers_rtt, Spot::of(bot, way), at(when), value);
    };
    feed(3, Way::down, 6'999, 91);   // before `after`
    feed(3, Way::down, 7'000, 10);   // the first instant in scope
    feed(3, Way::down, 14'999, 11);  // the last one
    feed(3, Way::down, 15'000, 92);  // the next phase
    feed(2, Way::down, 8'000, 93);   // another bot
    feed(3, Way::up, 8'000, 94);     // another direction
    const GateResult result = bench.judge();
    CHECK(result.values == 2);
    CHECK(result.value == 11);
}

TEST_CASE("lanes: pooled metrics and metrics with a summary") {
    const auto feed = [](Bench& bench) {
        for (const MetricId id : {MetricId::peers_latency, MetricId::peers_queue_age}) {
            bench.collector->add_value(id, Spot::of(2, Way::up, Lane::state), at(100), 5);
            bench.collector->add_value(id, Spot::of(2, Way::up, Lane::bulk), at(100), 7);
        }
        bench.collector->add_value(MetricId::peers_queue_age, Spot::of(2, Way::up), at(100), 7);
    };
    Bench pooled("peers.latency max < 1s");
    feed(pooled);
    CHECK(pooled.judge().values == 2);
    Bench summary("peers.queue_age max < 1s");
    CHECK(!summary.collector->wants_lanes(MetricId::peers_queue_age));
    feed(summary);
    CHECK(summary.judge().values == 1);
    Bench lane("peers.queue_age max < 1s on state");
    CHECK(lane.collector->wants_lanes(MetricId::peers_queue_age));
    feed(lane);
    const GateResult result = lane.judge();
    CHECK(result.values == 1);
    CHECK(result.value == 5);
}

TEST_CASE("the worst value: peer, time, tick, and how many break the bound") {
    Bench bench("peers.rtt max < 50ms");
    const auto feed = [&](BotIndex bot, std::int64_t when, std::int64_t value) {
        bench.collector->add_value(MetricId::peers_rtt, Spot::of(bot, Way::up), at(when),
                                   ms(value));
    };
    feed(2, 1'000, 40);
    feed(5, 3'010, 70);
    feed(4, 2'000, 70);  // equally bad, and earlier
    feed(3, 1'000, 50);  // on the bound: breaks `<`
    const GateResult result = bench.judge();
    CHECK(result.verdict == Verdict::fail);
    CHECK(result.value == ms(70));
    CHECK(result.worst_bot == "runner-2");
    CHECK(result.worst.at == at(2'000));
    CHECK(result.worst_tick == 120);
    CHECK(result.bots_in_scope == 4);
    CHECK(result.bots_breaking == 3);
    CHECK(result.margin_ppb == -400'000'000);
}

TEST_CASE("no values fail, except events and counts of somebody who was there") {
    Bench sample("peers.rtt max < 1s");
    sample.everybody_active(0);
    CHECK(sample.judge().verdict == Verdict::no_values);
    Bench share("links.loss mean < 5%");
    share.everybody_active(0);
    CHECK(share.judge().verdict == Verdict::no_values);

    Bench event("peers.silence max < 5s");
    event.everybody_active(0);
    const GateResult quiet = event.judge();
    CHECK(quiet.verdict == Verdict::ok);
    CHECK(quiet.value == 0);
    Bench nobody("peers.silence max < 5s");
    CHECK(nobody.judge().verdict == Verdict::no_values);

    Bench count("peers.disconnects total == 0 in heal");
    count.everybody_active(14'999);
    CHECK(count.judge().verdict == Verdict::ok);
    Bench too_early("peers.disconnects total == 0 in heal");
    too_early.everybody_active(1'000);
    for (BotIndex bot = 0; bot < 6; ++bot)
        too_early.collector->set_bot(bot, at(15'000), {true, false});
    CHECK(too_early.judge().verdict == Verdict::no_values);
}

TEST_CASE("rates: a number a peer over its Active time, short ones left out") {
    Bench bench("peers.bytes per second max < 8kbit/s down in storm");
    // idle-0 is Active for 2 s of the phase, idle-1 for 999 ms, runner-0 for all 10 s.
    bench.collector->set_bot(0, at(4'000), {true, true});
    bench.collector->set_bot(0, at(7'000), {true, false});
    bench.collector->set_bot(1, at(14'001), {true, true});
    bench.collector->set_bot(2, at(0), {true, true});
    const auto feed = [&](BotIndex bot, std::int64_t when, std::uint64_t bytes) {
        bench.collector->add_count(MetricId::peers_bytes, Spot::of(bot, Way::down), at(when),
                                   bytes);
    };
    feed(0, 4'500, 1'000'000);  // out of scope
    feed(0, 6'000, 1'000);
    feed(1, 14'500, 1'000'000);  // in scope, not long enough Active
    feed(2, 6'000, 5'000);
    const GateResult result = bench.judge();
    CHECK(result.value == 4'000);  // 1,000 B in 2 s; 5,000 B in 10 s is as much
    CHECK(result.values == 2);
    CHECK(result.bots_left_out == 1);
    CHECK(result.verdict == Verdict::ok);

    Bench boundary("peers.retransmits per minute max < 61 in storm");
    boundary.collector->set_bot(1, at(14'000), {true, true});
    boundary.collector->add_count(MetricId::peers_retransmits, Spot::of(1, Way::up, Lane::state),
                                  at(14'500), 1);
    const GateResult one_second = boundary.judge();
    CHECK(one_second.bots_left_out == 0);
    CHECK(one_second.value == 3'600);  // 1 a second, in events an hour
    CHECK(one_second.verdict == Verdict::ok);
}

TEST_CASE("rates of the server's own counts are over the scope's length") {
    Bench bench("server.joins per second < 2/s in storm");
    bench.everybody_active(0);
    // 15 joins in the storm's 10 s, 9 elsewhere: 1.5 a second, 5,400 an hour.
    for (int i = 0; i < 15; ++i)
        bench.collector->add_count(MetricId::server_joins, Spot{}, at(5'000 + i));
    for (int i = 0; i < 9; ++i)
        bench.collector->add_count(MetricId::server_joins, Spot{}, at(16'000 + i));
    const GateResult result = bench.judge();
    CHECK(result.verdict == Verdict::ok);
    CHECK(result.value == 5'400);
}

TEST_CASE(
    "what the server counts of somebody is of those whom the gate names, and of all without") {
    const auto value_of = [](const std::string& gate) {
        Bench bench(gate);
        // Two of the first idle bot, three of the first runner, four of strangers.
        bench.collector->add_count(MetricId::server_joins, Spot::of(0, Way::both), at(6'000), 2);
        bench.collector->add_count(MetricId::server_joins, Spot::of(2, Way::both), at(6'000), 3);
        bench.collector->add_count(MetricId::server_joins, Spot{}, at(6'000), 4);
        return bench.judge().value;
    };
    CHECK(value_of("server.joins total < 100 of idle") == 2);
    CHECK(value_of("server.joins total < 100 of idle, runner-0") == 5);
    CHECK(value_of("server.joins total < 100 of runner-1") == 0);
    CHECK(value_of("server.joins total < 100") == 9);
    // 9 in the storm's 10 s, in events an hour.
    CHECK(value_of("server.joins per second < 100/s in storm") == 3'240);
}

TEST_CASE("picks of rates are nearest rank across peers") {
    struct Row {
        const char* pick;
        std::int64_t value;
    };
    for (const Row& row :
         {Row{"min", 0}, Row{"p50", 720}, Row{"mean", 780}, Row{"p95", 1'800}, Row{"max", 1'800}}) {
        Bench bench(std::string("peers.retransmits per second ") + row.pick + " < 100 in storm");
        bench.everybody_active(0);
        for (BotIndex bot = 0; bot < 6; ++bot)
            bench.collector->add_count(MetricId::peers_retransmits, Spot::of(bot, Way::up),
                                       at(6'000), bot == 4 ? 2 : bot);
        // In 10 s: 0, 1, 2, 3, 2, 5, and one in 10 s is 360 an hour.
        CHECK_MESSAGE(bench.judge().value == row.value, row.pick);
    }
}

TEST_CASE("totals add the peers, in scope only") {
    Bench bench("peers.datagrams total == 5 in storm up");
    bench.everybody_active(0);
    bench.collector->add_count(MetricId::peers_datagrams, Spot::of(0, Way::up), at(5'000), 2);
    bench.collector->add_count(MetricId::peers_datagrams, Spot::of(4, Way::up), at(6'000), 3);
    bench.collector->add_count(MetricId::peers_datagrams, Spot::of(4, Way::down), at(6'000), 9);
    bench.collector->add_count(MetricId::peers_datagrams, Spot::of(4, Way::up), at(15'000), 9);
    CHECK(bench.judge().verdict == Verdict::ok);
}

TEST_CASE("shares: the quotient of the sums, tolerance at its edge") {
    const auto verdict = [](std::uint64_t lost) {
        Bench bench("links.loss mean == 2% +- 0.5%");
        bench.collector->add_share(MetricId::links_loss, Spot::of(0, Way::up), at(10), 0, 500);
        bench.collector->add_share(MetricId::links_loss, Spot::of(1, Way::up), at(10), lost, 500);
        return bench.judge();
    };
    CHECK(verdict(20).value == 20'000'000);
    CHECK(verdict(25).verdict == Verdict::ok);
    CHECK(verdict(26).verdict == Verdict::fail);
    CHECK(verdict(15).verdict == Verdict::ok);
    CHECK(verdict(14).verdict == Verdict::fail);
    CHECK(verdict(26).worst_bot == "idle-1");
    CHECK(verdict(20).values == 1'000);
}

TEST_CASE("peers.active is one value a tick for the bots in scope") {
    Bench bench("peers.active min == 100% of runner");
    for (BotIndex bot = 2; bot < 6; ++bot)
        bench.collector->set_bot(bot, at(0), {true, true});
    bench.collector->set_bot(0, at(0), {true, false});  // not in scope
    bench.collector->end_tick(at(0));
    bench.collector->end_tick(at(16));
    CHECK(bench.collector->active_now() == 4);
    CHECK(bench.collector->wanted_now() == 5);
    CHECK(bench.judge().verdict == Verdict::ok);

    Bench one_out("peers.active min == 100% of runner");
    for (BotIndex bot = 2; bot < 6; ++bot)
        one_out.collector->set_bot(bot, at(0), {true, true});
    one_out.collector->end_tick(at(0));
    one_out.collector->set_bot(3, at(5), {true, false});
    one_out.collector->end_tick(at(16));
    one_out.collector->set_bot(3, at(20), {false, false});  // not wanted any more: 3 of 3
    one_out.collector->end_tick(at(33));
    const GateResult result = one_out.judge();
    CHECK(result.verdict == Verdict::fail);
    CHECK(result.value == 750'000'000);
    CHECK(result.values == 3);
    CHECK(result.worst.at == at(16));

    Bench empty("peers.active min == 100%");
    empty.collector->end_tick(at(0));
    CHECK(empty.judge().verdict == Verdict::no_values);
}

TEST_CASE("cost gates count only when asked to") {
    for (const bool count : {false, true}) {
        Bench bench("cost.tick p99 < 1ms");
        bench.collector->add_value(MetricId::cost_tick, Spot{}, at(10), ms(2));
        const GateResult result = bench.judge(count);
        CHECK(result.verdict == (count ? Verdict::fail : Verdict::not_counted));
        CHECK(!result.holds);
    }
}

TEST_CASE("the order of feeding changes nothing") {
    const auto run = [](bool backwards) {
        Bench bench("peers.rtt last < 1ns");
        for (int i = 0; i < 12; ++i) {
            const int n = backwards ? 11 - i : i;
            bench.collector->add_value(MetricId::peers_rtt,
                                       Spot::of(static_cast<BotIndex>(n % 6), Way::up),
                                       at(1'000 + 100 * (n / 6)), 5 + n % 3);
        }
        return bench.judge();
    };
    const GateResult forward = run(false);
    const GateResult backward = run(true);
    CHECK(forward.value == 7);  // the worst of the latest instant
    CHECK(forward.value == backward.value);
    CHECK(forward.worst.at == backward.worst.at);
    CHECK(forward.worst.bot == backward.worst.bot);
    CHECK(forward.worst_bot == "runner-0");
}

TEST_CASE("what has failed for good") {
    Bench bench("peers.rtt max < 50ms");
    CHECK(failed_for_good(bench.gates, *bench.collector) == 0);
    bench.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up), at(10), ms(49));
    CHECK(failed_for_good(bench.gates, *bench.collector) == 0);
    bench.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up), at(10), ms(50));
    CHECK(failed_for_good(bench.gates, *bench.collector) == 1);
    Bench total("peers.disconnects total == 1");
    CHECK(failed_for_good(total.gates, *total.collector) == 0);
    total.collector->add_count(MetricId::peers_disconnects, Spot::of(2, Way::both), at(10), 2);
    CHECK(failed_for_good(total.gates, *total.collector) == 1);
    Bench percentile("peers.rtt p99 < 50ms");
    percentile.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up), at(10), ms(90));
    CHECK(failed_for_good(percentile.gates, *percentile.collector) == 0);
}

TEST_CASE("for every peer: each alone, and the worst decides") {
    Bench bench("peers.rtt p50 < 20ms for every peer");
    for (std::int64_t i = 0; i < 9; ++i) {
        // Everybody together has a median of 10 ms; runner-1 alone one of 30.
        for (const BotIndex bot : {0u, 2u, 4u})
            bench.collector->add_value(MetricId::peers_rtt, Spot::of(bot, Way::up), at(6'000 + i),
                                       ms(10));
    }
    bench.collector->add_value(MetricId::peers_rtt, Spot::of(3, Way::up), at(7'000), ms(30));
    bench.collector->add_value(MetricId::peers_rtt, Spot::of(3, Way::up), at(7'100), ms(31));
    const GateResult result = bench.judge();
    CHECK(result.verdict == Verdict::fail);
    CHECK(result.worst_bot == "runner-1");
    CHECK(result.worst.at == at(7'100));
    CHECK(result.value >= ms(30));
    CHECK(result.value < ms(31));
    CHECK(result.bots_in_scope == 4);
    CHECK(result.bots_breaking == 1);
    CHECK(result.values == 29);
}

TEST_CASE("for every peer: shares, counts and rates") {
    Bench share("peers.input_loss mean < 10% for every peer");
    share.everybody_active(0);
    share.collector->add_share(MetricId::peers_input_loss, Spot::of(2, Way::both), at(6'000), 1, 4);
    share.collector->add_share(MetricId::peers_input_loss, Spot::of(3, Way::both), at(6'000), 0,
                               96);
    const GateResult lost = share.judge();
    CHECK(lost.verdict == Verdict::fail);
    CHECK(lost.value == 250'000'000);
    CHECK(lost.worst_bot == "runner-0");
    Bench total("peers.retransmits total <= 3 for every peer");
    total.everybody_active(0);
    total.collector->add_count(MetricId::peers_retransmits, Spot::of(2, Way::up), at(6'000), 3);
    total.collector->add_count(MetricId::peers_retransmits, Spot::of(3, Way::up), at(6'000), 3);
    CHECK(total.judge().verdict == Verdict::ok);
    Bench over("peers.retransmits total <= 3 for every peer");
    over.everybody_active(0);
    over.collector->add_count(MetricId::peers_retransmits, Spot::of(2, Way::up), at(6'000), 4);
    CHECK(failed_for_good(over.gates, *over.collector) == 1);
    CHECK(over.judge().value == 4);
    Bench none("peers.rtt p50 < 20ms for every peer");
    none.everybody_active(0);
    CHECK(none.judge().verdict == Verdict::no_values);
}

TEST_CASE("for every 5s: each window must hold, the incomplete last one is left out") {
    const auto judged = [](std::int64_t late_at) {
        Bench bench("peers.rtt max <= 20ms after 2s for every 5s");
        // Windows from 2, 7 and 12 s on; the rest after 17 s is none.
        for (const std::int64_t second : {2, 7, 12, 17})
            bench.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up),
                                       at(second * 1'000), ms(20));
        bench.collector->add_value(MetricId::peers_rtt, Spot::of(3, Way::up), at(late_at), ms(21));
        return bench.judge();
    };
    CHECK(judged(1'999).verdict == Verdict::ok);
    CHECK(judged(2'000).verdict == Verdict::fail);
    const GateResult middle = judged(11'999);
    CHECK(middle.verdict == Verdict::fail);
    CHECK(middle.value == ms(21));
    CHECK(middle.worst_bot == "runner-1");
    CHECK(judged(16'999).verdict == Verdict::fail);
    CHECK(judged(17'000).verdict == Verdict::ok);
    // A window without a value is one that nobody looked at.
    Bench empty("peers.rtt max <= 20ms for every 5s");
    empty.collector->add_value(MetricId::peers_rtt, Spot::of(2, Way::up), at(1'000), ms(1));
    CHECK(empty.judge().verdict == Verdict::no_values);
}

TEST_CASE("a window in which nothing happened does not hide one in which something did") {
    Bench bench("peers.retransmits total == 0 in storm for every 5s");
    bench.everybody_active(0);
    bench.collector->add_count(MetricId::peers_retransmits, Spot::of(2, Way::up), at(12'000));
    const GateResult result = bench.judge();
    CHECK(result.verdict == Verdict::fail);
    CHECK(result.value == 1);
    CHECK(result.window_start == at(10'000));
    CHECK(result.windows == 2);
    CHECK(result.windows_breaking == 1);
}
