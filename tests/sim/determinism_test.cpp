// SPDX-License-Identifier: MIT
//
// Goal: a run is a function of (scenario, seed). Method: the 16-peer gate and a file full of
// partitions, kills and a restart give one digest for both ciphers, for hosts, links and acts in
// any order, for any grouping and window length, watched or not; and altering any field of any
// record of a busy second gives another one.
#include <map>

#include "simulator/core/world.hpp"
#include "simulator/run/world_builder.hpp"
#include "tests/sim/scenario_run.hpp"

namespace wt::sim::determinism_test {
namespace {

#ifdef WT_LONG_RUNS
constexpr Instant longest_run = Instant::never();
#else
// A debug build looks at the beginning only: the turmoil's first crashes, cuts and pauses.
constexpr Instant longest_run = Instant{} + Duration::seconds(7);
#endif

struct Outcome {
    DigestValue digest{};
    std::uint64_t last_draw = 0;
    std::uint64_t datagrams = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(World& world) {
    world.run_until(world.plan().end);
    world.finish();
    const WorldTotals totals = world.totals();
    return {world.digest(), totals.last_draw, totals.datagrams};
}

// Same hosts in another order, their numbers in the acts changed with them.
void shuffle(WorldPlan& plan, std::uint64_t seed) {
    const std::size_t count = plan.hosts.size();
    std::vector<std::uint32_t> order(count);  // order[new place] = old place
    for (std::uint32_t i = 0; i < count; ++i)
        order[i] = i;
    LuckStream luck(LuckKey::root(seed).with("shuffle"));
    for (std::size_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[luck.next() % i]);
    std::vector<HostPlan> hosts;
    std::vector<std::uint32_t> place_of(count);
    for (std::uint32_t place = 0; place < count; ++place) {
        hosts.push_back(plan.hosts[order[place]]);
        place_of[order[place]] = place;
    }
    plan.hosts = std::move(hosts);
    for (ActPlan& act : plan.acts) {
        for (std::uint32_t& host : act.hosts)
            host = place_of[host];
        std::reverse(act.hosts.begin(), act.hosts.end());
    }
    // Acts of one instant on one host go in file order; these files have no such pair.
    std::reverse(plan.acts.begin(), plan.acts.end());
    std::reverse(plan.links.begin(), plan.links.end());
}

Outcome run_world(const Scenario& scenario, const std::function<void(WorldPlan&)>& alter = {}) {
    BuiltWorld built = build_world(scenario, scenario.seed);
    built.plan.end = std::min(built.plan.end, longest_run);
    built.plan.level_rate = {};
    if (alter) alter(built.plan);
    World world(built.plan);
    return outcome_of(world);
}

// `least` datagrams make it a run worth comparing; a short run of few bots has less than others.
void check_file(const std::string& path, std::uint64_t least = 10'000) {
    CAPTURE(path);
    const Scenario scenario = quick_scenario(path);
    const Outcome reference = run_world(scenario);
    CHECK(reference.datagrams > least);
    CHECK(run_world(scenario_of(path)) == reference);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        CHECK(run_world(scenario, [&](WorldPlan& plan) { shuffle(plan, seed); }) == reference);
    }
    using Grouping = WindowPlan::Grouping;
    for (const WindowPlan windows : {WindowPlan{Grouping::everything, Duration::max()},
                                     WindowPlan{Grouping::pairs, Duration::max()},
                                     WindowPlan{Grouping::automatic, Duration::micros(300)},
                                     WindowPlan{Grouping::pairs, Duration::millis(3)},
                                     WindowPlan{Grouping::everything, Duration::millis(20)}}) {
        CAPTURE(windows.window_max.ns);
        CHECK(run_world(scenario, [&](WorldPlan& plan) {
                  plan.windows = windows;
                  shuffle(plan, 3);
              }) == reference);
    }
    for (const std::uint32_t workers : {2u, 3u, 8u}) {
        CAPTURE(workers);
        CHECK(run_world(scenario, [&](WorldPlan& plan) { plan.windows.workers = workers; }) ==
              reference);
    }
    // The whole run, observed by the metrics and in pieces of 100 ms.
    if (longest_run == Instant::never()) {
        const RunResult watched = run_of(scenario);
        CHECK(watched.digest == reference.digest);
        CHECK(watched.last_draw == reference.last_draw);
    }
    Scenario other = scenario;
    ++other.seed;
    CHECK_FALSE(run_world(other) == reference);
}

}  // namespace

TEST_CASE("the 16-peer gate has one digest") {
    check_file("scenarios/gates/transport_16.toml");
}

TEST_CASE("partitions, kills, pauses, departures and a restart have one digest") {
    check_file("scenarios/adverse/turmoil.toml");
}

TEST_CASE("a scenario that its seed draws has one digest") {
    // Seed 1 draws a dozen or so bots, and runs that are not optimised stop after some seconds.
    check_file("scenarios/adverse/swarm.toml", 2'000);
}

#ifdef WT_LONG_RUNS
TEST_CASE("altering any field of any kind of record at a restarting server changes the digest") {
    // What the unit test of simulator/core does for a small world, at the server of a large one: it
    // is restarted in its eleventh second, and its clients are back in the fourteenth.
    const Scenario scenario = quick_scenario("scenarios/adverse/turmoil.toml");
    const auto plan_of_build = [](BuiltWorld& built) {
        built.plan.end = Instant{} + Duration::seconds(14);
        built.plan.level_rate = {};
        return built.plan;
    };
    Outcome reference;
    std::map<std::string, std::uint64_t> ordinal_of;
    for (const std::int64_t second : {10, 13}) {
        BuiltWorld built = build_world(scenario, scenario.seed);
        World world(plan_of_build(built));
        REQUIRE(world.watch("server", static_cast<std::uint64_t>(second)));
        world.run_until(Instant{} + Duration::seconds(second));
        std::uint64_t ordinal = world.host(0).chronicle().records();
        reference = outcome_of(world);
        for (const std::string& line : world.watched_lines("server")) {
            ordinal_of.try_emplace(line.substr(0, line.find(' ')), ordinal++);
        }
    }
    const std::map<std::string, RecordKind> kinds = {
        {"handed_over", RecordKind::handed_over},
        {"received", RecordKind::received},
        {"lost_on_arrival", RecordKind::lost_on_arrival},
        {"message", RecordKind::message},
        {"connection", RecordKind::connection},
        {"act", RecordKind::act},
        {"checksum", RecordKind::checksum}};
    REQUIRE(ordinal_of.size() == kinds.size());
    for (const std::pair<const std::string, std::uint64_t>& each : ordinal_of) {
        const RecordField* fields = fields_of(kinds.at(each.first));
        for (unsigned field = 0; fields[field].width != 0; ++field) {
            CAPTURE(each.first);
            CAPTURE(fields[field].name);
            BuiltWorld again = build_world(scenario, scenario.seed);
            World bent(plan_of_build(again));
            REQUIRE(bent.tamper("server", {.ordinal = each.second, .field = field}));
            const Outcome outcome = outcome_of(bent);
            CHECK(outcome.digest != reference.digest);
            // Nothing but the record was altered: the history is the same.
            CHECK(outcome.last_draw == reference.last_draw);
            CHECK(outcome.datagrams == reference.datagrams);
        }
    }
}
#endif

}  // namespace wt::sim::determinism_test
