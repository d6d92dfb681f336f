// SPDX-License-Identifier: MIT
//
// From acts in a file to what a world does: repetitions, targets, and changes of links that lie
// over one another.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "simulator/run/act_expansion.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

namespace {

Scenario scenario_with(const std::string& acts) {
    const std::string head = R"(
[scenario]
phases = ["join 2s", "storm 6s", "rest 2s"]
[links.default]
rtt = "20ms"
loss = "1%"
[bots.runner]
count = 8
[bots.walker]
behaviour = "runner"
count = 2
)";
    auto scenario = read_scenario_text(head + acts, "acts.toml", {});
    REQUIRE(scenario.has_value());
    return std::move(*scenario);
}

std::vector<ActPlan> plans_of(const Scenario& scenario, std::uint64_t seed = 1) {
    const HostIndex index(scenario);
    return expand_acts(scenario, firings_of(scenario, index, seed));
}

constexpr Instant at(std::int64_t ms) {
    return Instant{} + Duration::millis(ms);
}

}  // namespace

TEST_CASE("a repeated act fires inside its phase only, the end left out") {
    const Scenario scenario = scenario_with(R"(
[[at]]
phase = "storm"
do = "kill"
who = "runner-3"
every = "2s"
for = "500ms"
)");
    const std::vector<ActPlan> plans = plans_of(scenario);
    REQUIRE(plans.size() == 3);  // At 2, 4 and 6 s; 8 s is the next phase's.
    CHECK(plans[2].start == at(6'000));
    CHECK(plans[2].end == at(6'500));
    CHECK(plans[0].hosts == std::vector<std::uint32_t>{4});  // The server is host 0.
}

TEST_CASE("targets: a range, a group, everybody, the server") {
    const Scenario scenario = scenario_with(R"(
[[at]]
time = "3s"
for = "1s"
do = "pause"
who = "runner-6..7, walker"
[[at]]
time = "3s"
for = "1s"
do = "partition"
who = "all"
[[at]]
time = "5s"
for = "1s"
do = "restart"
who = "server"
)");
    const std::vector<ActPlan> plans = plans_of(scenario);
    REQUIRE(plans.size() == 3);
    CHECK(plans[0].hosts == std::vector<std::uint32_t>{7, 8, 9, 10});
    CHECK(plans[1].hosts.size() == 10);
    CHECK(plans[1].hosts.front() == 1);
    CHECK(plans[2].hosts == std::vector<std::uint32_t>{0});
}

TEST_CASE("any K draws K different bots, anew for each firing, the same for a seed") {
    const Scenario scenario = scenario_with(R"(
[[at]]
name = "crash"
phase = "storm"
do = "kill"
who = "any 3 of runner"
every = "1s"
for = "100ms"
)");
    const std::vector<ActPlan> plans = plans_of(scenario, 7);
    REQUIRE(plans.size() == 6);
    bool differs = false;
    for (const ActPlan& plan : plans) {
        CHECK(plan.hosts.size() == 3);
        CHECK(std::adjacent_find(plan.hosts.begin(), plan.hosts.end()) == plan.hosts.end());
        CHECK(plan.hosts.back() <= 8);
        differs = differs || plan.hosts != plans[0].hosts;
    }
    CHECK(differs);
    const std::vector<ActPlan> again = plans_of(scenario, 7);
    for (std::size_t i = 0; i < plans.size(); ++i)
        CHECK(again[i].hosts == plans[i].hosts);
    const std::vector<ActPlan> other = plans_of(scenario, 8);
    CHECK(std::any_of(other.begin(), other.end(), [&](const ActPlan& plan) {
        return plan.hosts != plans[static_cast<std::size_t>(&plan - other.data())].hosts;
    }));
}

TEST_CASE("changes of different keys hold together; of one key the later start wins") {
    const Scenario scenario = scenario_with(R"(
[[at]]
name = "lossy"
time = "2s"
for = "4s"
do = "change"
link = "default"
set = { loss = "10%" }
[[at]]
name = "slow"
time = "3s"
for = "4s"
do = "change"
link = "default"
set = { rtt = "200ms" }
[[at]]
name = "lossier"
time = "4s"
for = "1s"
do = "change"
link = "default"
set = { loss = "50%" }
)");
    const std::vector<ActPlan> plans = plans_of(scenario);
    const auto at_time = [&](std::int64_t ms) -> const DirectionConfig& {
        for (const ActPlan& plan : plans) {
            if (plan.start <= at(ms) && at(ms) < plan.end) return plan.becomes->up;
        }
        return scenario.links.front().up;
    };
    const auto check = [&](std::int64_t ms, std::uint32_t percent, std::int64_t delay_ms) {
        CHECK(at_time(ms).loss == Chance::percent(percent));
        CHECK(at_time(ms).delay == Duration::millis(delay_ms));
    };
    check(1'999, 1, 10);
    check(2'000, 10, 10);
    check(3'000, 10, 100);
    check(4'500, 50, 100);
    check(5'000, 10, 100);  // The later one ends, the earlier one is back.
    check(6'000, 1, 100);   // The first ends before the second.
    check(7'000, 1, 10);
}

TEST_CASE("a change for some bots lies over one for all of them") {
    const Scenario scenario = scenario_with(R"(
[[at]]
name = "all"
time = "2s"
for = "4s"
do = "change"
link = "default"
set = { loss = "10%" }
[[at]]
name = "some"
time = "3s"
for = "1s"
do = "change"
link = "default"
set = { rtt = "200ms" }
who = "walker-1"
)");
    std::vector<ActPlan> now;
    for (const ActPlan& plan : plans_of(scenario)) {
        if (plan.start <= at(3'500) && at(3'500) < plan.end) now.push_back(plan);
    }
    REQUIRE(now.size() == 2);
    CHECK(now[0].hosts.empty());  // Every instance,
    CHECK(now[0].becomes->up.delay == Duration::millis(10));
    CHECK(now[1].hosts == std::vector<std::uint32_t>{10});  // and then this one's.
    CHECK(now[1].becomes->up.delay == Duration::millis(100));
    CHECK(now[1].becomes->up.loss == Chance::percent(10));
}

TEST_CASE("a ramp: a straight line in steps of 100 ms, then the whole of it, then back") {
    const Scenario scenario = scenario_with(R"(
[[at]]
phase = "storm"
do = "change"
link = "default"
ramp = "400ms"
set = { rtt = "100ms", loss = "9%", order = "free", rate = "1Mbit/s", queue = "10ms" }
)");
    const std::vector<ActPlan> plans = plans_of(scenario);
    REQUIRE(plans.size() == 5);
    // 20 -> 100 ms of both ways: 10 -> 50 ms one way, by 10 ms a step. 1 -> 9 %, by 2 %.
    const std::array<std::int64_t, 5> delays{10, 20, 30, 40, 50};
    const std::array<std::uint32_t, 5> losses{1, 3, 5, 7, 9};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        CAPTURE(i);
        const DirectionConfig& up = plans[i].becomes->up;
        CHECK(plans[i].start == at(2'000 + static_cast<std::int64_t>(i) * 100));
        CHECK(up.delay == Duration::millis(delays[i]));
        const std::uint64_t loss = Chance::percent(losses[i]).threshold;
        // Both ends of a share are rounded to 2^-32.
        CHECK(up.loss.threshold + 2 >= loss);
        CHECK(up.loss.threshold <= loss + 2);
        // No number lies between two orders, or between no limit and one.
        CHECK(up.order == LinkOrder::free);
        CHECK(up.rate.bits_per_second == 1'000'000);
    }
    CHECK(plans[4].end == at(8'000));
}

TEST_CASE("a ramp starts from what holds beneath it, and comes down to it") {
    const Scenario scenario = scenario_with(R"(
[[at]]
time = "1s"
do = "change"
link = "default"
set = { rtt = "200ms", bad = { share = "10%", for = "1s", loss = "20%" } }
[[at]]
time = "3s"
for = "1s"
do = "change"
link = "default"
ramp = "1s"
set = { rtt = "20ms", bad = { share = "30%", for = "1s", loss = "60%" } }
)");
    const std::vector<ActPlan> plans = plans_of(scenario);
    // Before, ten steps, after.
    REQUIRE(plans.size() == 12);
    CHECK(plans[0].becomes->up.delay == Duration::millis(100));
    CHECK(plans[1].becomes->up.delay == Duration::millis(100));
    CHECK(plans[6].becomes->up.delay == Duration::millis(55));
    CHECK(plans[6].becomes->up.bad->share.threshold / 1'000 ==
          Chance::percent(20).threshold / 1'000);
    CHECK(plans[6].becomes->up.bad->loss.threshold / 1'000 ==
          Chance::percent(40).threshold / 1'000);
    CHECK(plans[10].becomes->up.delay == Duration::millis(19));
    CHECK(plans[11].start == at(4'000));
    CHECK(plans[11].becomes->up.delay == Duration::millis(100));
}

}  // namespace wt::sim
