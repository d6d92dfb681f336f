// SPDX-License-Identifier: MIT
//
// Bins and their sums; gates have their own tests.
#include "simulator/metrics/collector.hpp"

#include <doctest/doctest.h>

#include "simulator/metrics/summary.hpp"

using namespace wt;
using namespace wt::sim;
using transport::Lane;

namespace {

constexpr Instant at(std::int64_t ms) {
    return Instant{ms * 1'000'000};
}

CollectorPlan small_plan() {
    CollectorPlan plan;
    plan.phases = {{"a", at(0), at(1'000)}, {"b", at(1'000), at(2'000)}};
    plan.group_counts = {2, 1};
    return plan;
}

const MetricSummary& find(const std::vector<MetricSummary>& list, MetricId id) {
    for (const MetricSummary& summary : list) {
        if (summary.id == id) return summary;
    }
    FAIL("not fed");
    return list.front();
}

}  // namespace

TEST_CASE("a value is in its run, phase, group, lane and direction") {
    Collector collector(small_plan());
    const auto feed = [&](BotIndex bot, Way way, Lane lane, std::int64_t when, std::int64_t value) {
        collector.add_value(MetricId::peers_latency, Spot::of(bot, way, lane), at(when), value);
    };
    feed(0, Way::up, Lane::state, 999, 10);
    feed(1, Way::down, Lane::bulk, 1'000, 20);
    feed(2, Way::down, Lane::bulk, 500, 40);
    feed(2, Way::down, Lane::bulk, 2'000, 70);  // the run's end counts with the last phase
    collector.finish(at(2'000));
    const auto list = summarise(collector, {"one", "two"});
    REQUIRE(list.size() == 1);
    const MetricSummary& latency = list[0];
    CHECK(latency.run.count == 4);
    CHECK(latency.run.max == 70);
    REQUIRE(latency.phases.size() == 2);
    CHECK(latency.phases[0].stats.count == 2);
    CHECK(latency.phases[1].stats.count == 2);
    REQUIRE(latency.groups.size() == 2);
    CHECK(latency.groups[0].stats.max == 20);
    CHECK(latency.groups[1].stats.min == 40);
    REQUIRE(latency.lanes.size() == 2);
    CHECK(latency.lanes[0].name == "state");
    CHECK(latency.lanes[1].stats.count == 3);
    REQUIRE(latency.directions.size() == 2);
    CHECK(latency.directions[0].stats.count == 1);
    CHECK(latency.largest.bot == 2);
    CHECK(latency.largest.at == at(2'000));
    CHECK(collector.bot_largest(MetricId::peers_latency, 1) == 20);
}

TEST_CASE("counts, shares and censored values") {
    Collector collector(small_plan());
    collector.add_count(MetricId::peers_bytes, Spot::of(0, Way::up), at(1), 100);
    collector.add_count(MetricId::peers_bytes, Spot::of(0, Way::down), at(1), 50);
    collector.add_count(MetricId::peers_bytes, Spot::of(2, Way::down), at(1'500), 7);
    collector.add_share(MetricId::links_loss, Spot::of(0, Way::up), at(1), 1, 3);
    collector.add_censored(MetricId::peers_latency, Spot::of(0, Way::up, Lane::bulk), at(1'999), 9);
    collector.finish(at(2'000));
    const auto list = summarise(collector, {"one", "two"});
    CHECK(find(list, MetricId::peers_bytes).run.total == 157);
    CHECK(find(list, MetricId::peers_bytes).phases[1].stats.total == 7);
    CHECK(find(list, MetricId::links_loss).run.mean == 333'333'333);
    CHECK(find(list, MetricId::peers_latency).run.censored == 1);
    CHECK(find(list, MetricId::peers_latency).run.count == 1);
    CHECK(collector.bot_count_of(MetricId::peers_bytes, 0, Way::both) == 150);
    CHECK(collector.bot_count_of(MetricId::peers_bytes, 0, Way::down) == 50);
}

TEST_CASE("peers.active: the run's figure is everybody's, not the sum of the groups") {
    Collector collector(small_plan());
    collector.set_bot(0, at(0), {true, true});
    collector.set_bot(1, at(0), {true, false});
    collector.set_bot(2, at(0), {true, true});
    collector.end_tick(at(0));
    collector.end_tick(at(1'000));
    collector.finish(at(2'000));
    const auto list = summarise(collector, {"one", "two"});
    const MetricSummary& active = find(list, MetricId::peers_active);
    CHECK(active.run.count == 2);
    CHECK(active.run.min == 666'666'666);
    CHECK(active.groups[0].stats.min == 500'000'000);
    CHECK(active.groups[1].stats.min == 1'000'000'000);
}

TEST_CASE("the catalogue: ids, names and definitions") {
    CHECK(metric(MetricId::peers_queue_age).name == "peers.queue_age");
    CHECK(find_metric("cost.memory")->id == MetricId::cost_memory);
    CHECK(find_metric("peers.nothing") == nullptr);
    CHECK(!find_metric("peers.throttle")->is_built());
    for (const Metric& entry : metric_catalogue()) {
        CHECK(find_metric(entry.name) == &entry);
        CHECK(entry.is_built() == !entry.definition.empty());
    }
}
