// SPDX-License-Identifier: MIT
//
// Bursts in the order of hand-over whoever loses, utilisation from stretches of serialisation, and
// the words of the weather. Method: events by hand, figures by hand.
#include <doctest/doctest.h>

#include "simulator/metrics/summary.hpp"
#include "simulator/run/link_metrics.hpp"

namespace wt::sim {
namespace {

Scenario two_bots() {
    Scenario scenario;
    scenario.phases = {{"all", Instant{}, Instant{} + Duration::seconds(10)}};
    scenario.groups.resize(1);
    scenario.groups[0].name = "runner";
    scenario.groups[0].count = 2;
    return scenario;
}

struct Bench {
    explicit Bench(MetricId asked = MetricId::links_burst) : collector(plan(asked)) {}

    static CollectorPlan plan(MetricId asked) {
        CollectorPlan made = plan_of(two_bots());
        made.watches.push_back({.metric = asked});
        return made;
    }
    void hand(std::uint64_t sequence, std::int64_t ms, DropCause cause = DropCause::none,
              Duration service = {}) {
        const std::uint8_t copies = cause == DropCause::none ? 1 : 0;
        links.add(DatagramHanded{flow, at(ms), sequence, 100, copies, cause, {}, service, label});
    }
    void deliver(std::uint64_t sequence, std::int64_t ms) {
        links.add(DatagramDelivered{flow, at(ms), {}, sequence, 100, false, false, label});
    }
    void lose(std::uint64_t sequence, std::int64_t ms, DropCause cause) {
        links.add(DatagramLost{flow, at(ms), {}, sequence, 100, cause, false, false, label});
    }
    static Instant at(std::int64_t ms) { return Instant{} + Duration::millis(ms); }
    [[nodiscard]] Stats stats(MetricId id) {
        for (const MetricSummary& summary : summarise(collector, {"runner"})) {
            if (summary.id == id) return summary.run;
        }
        return {};
    }

    Scenario scenario = two_bots();
    Collector collector;
    LinkMetrics links{scenario, collector};
    Flow flow{1, Way::down};
    transport::Label label{};
};

}  // namespace

TEST_CASE("a burst counts losses at hand-over, on the way and at the receiver alike") {
    Bench bench;
    bench.hand(10, 1);
    bench.hand(11, 2, DropCause::loss);
    bench.hand(14, 3);
    bench.hand(15, 4);
    bench.hand(16, 5);
    bench.deliver(16, 30);
    // 10 and 15 are still under way: nothing is known of the run around 11 and 14.
    bench.lose(14, 31, DropCause::queue);
    CHECK(bench.stats(MetricId::links_burst).count == 0);
    bench.deliver(10, 40);
    CHECK(bench.stats(MetricId::links_burst).count == 0);
    bench.lose(15, 50, DropCause::receive_buffer);
    const Stats stats = bench.stats(MetricId::links_burst);
    CHECK(stats.count == 1);
    CHECK(stats.max == 3'000);  // 11, 14 and 15, in thousandths.
}

TEST_CASE("a run that nobody survived is not over; strangers to the flow change nothing") {
    Bench bench;
    bench.hand(1, 1, DropCause::loss);
    bench.hand(2, 2, DropCause::loss);
    bench.deliver(7, 3);
    CHECK(bench.stats(MetricId::links_burst).count == 0);
    bench.hand(3, 4);
    bench.deliver(3, 9);
    bench.deliver(3, 10);
    CHECK(bench.stats(MetricId::links_burst).max == 2'000);
    CHECK(bench.stats(MetricId::links_burst).count == 1);
}

TEST_CASE("utilisation is the time of serialisation between two ticks") {
    Bench bench(MetricId::links_utilisation);
    REQUIRE(bench.links.wants_utilisation());
    bench.hand(1, 0, DropCause::none, Duration::millis(4));
    bench.links.take_utilisation(1, Bench::at(10));  // 4 of 10 ms.
    bench.hand(2, 15, DropCause::none, Duration::millis(10));
    bench.links.take_utilisation(1, Bench::at(20));  // 15 to 20: 5 of 10 ms.
    bench.links.take_utilisation(1, Bench::at(30));  // 20 to 25.
    bench.links.take_utilisation(1, Bench::at(40));
    const Stats stats = bench.stats(MetricId::links_utilisation);
    CHECK(stats.count == 8);  // Both directions.
    CHECK(stats.max == 500'000'000);
    CHECK(stats.mean == (400'000'000 + 2 * 500'000'000) / 8);
}

TEST_CASE("the weather of a moment in words") {
    Bench bench;
    bench.hand(1, 1'200, DropCause::bad_state);
    bench.hand(2, 1'900);
    bench.hand(3, 2'100, DropCause::bad_state);
    bench.hand(4, 2'200, DropCause::loss);
    bench.lose(2, 2'300, DropCause::receive_buffer);
    CHECK(bench.links.weather_at(1, Way::both, Bench::at(2'500)) ==
          "down: 4 of 4 datagrams lost (loss 1, bad_state 2, receive_buffer 1)");
    CHECK(bench.links.weather_at(1, Way::up, Bench::at(2'500)).empty());
    CHECK(bench.links.weather_at(0, Way::both, Bench::at(2'500)).empty());
    CHECK(bench.links.weather_at(1, Way::both, Bench::at(5'500)).empty());
}

}  // namespace wt::sim
