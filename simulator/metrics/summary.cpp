// SPDX-License-Identifier: MIT
//
// Sums of bins. Bins of a lane beside a summary value (LaneRule::summary) stand for themselves and
// stay out of the run's figure; peers.active has one bin for everybody and one for each group,
// which must not be added up.
#include "simulator/metrics/summary.hpp"

#include <array>

#include "engine/base/check.hpp"
#include "engine/base/wide.hpp"

namespace wt::sim {

namespace {

constexpr std::array<const char*, transport::lane_count> lane_names{
    "control", "gameplay", "state", "chat", "bulk", "free_5", "free_6", "free_7"};

// One figure in the making.
struct Sum {
    Histogram values{};
    std::uint64_t censored = 0;
    std::uint64_t count = 0;
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 0;
    bool any = false;

    void add(ChunkPool& pool, const Bin& bin, const ChunkPool& bins_pool) {
        values.merge(pool, bin.values, bins_pool);
        censored += bin.censored;
        count += bin.count;
        numerator += bin.numerator;
        denominator += bin.denominator;
        any = true;
    }

    [[nodiscard]] Stats stats(const ChunkPool& pool) const {
        Stats stats = stats_of(values, pool);
        stats.censored = censored;
        stats.total = count;
        stats.numerator = numerator;
        stats.denominator = denominator;
        if (denominator > 0) {
            stats.mean = static_cast<std::int64_t>(static_cast<Wide>(numerator) * 1'000'000'000 /
                                                   denominator);
        }
        return stats;
    }
};

// What one pass over the bins adds up: those for which `wanted` holds.
template <class Wanted>
Sum sum_of(const Collector& collector, ChunkPool& pool, MetricId id, Wanted wanted) {
    Sum sum;
    for (const Bin& bin : collector.bins()) {
        if (bin.metric == id && wanted(bin)) sum.add(pool, bin, collector.pool());
    }
    return sum;
}

}  // namespace

const char* lane_name(std::uint8_t lane) {
    return lane < lane_names.size() ? lane_names[lane] : "";
}

Stats stats_of(const Histogram& values, const ChunkPool& pool) {
    Stats stats;
    stats.count = values.count();
    stats.min = values.min();
    stats.mean = values.mean();
    stats.p50 = values.percentile(pool, {50, 100});
    stats.p90 = values.percentile(pool, {90, 100});
    stats.p95 = values.percentile(pool, {95, 100});
    stats.p99 = values.percentile(pool, {99, 100});
    stats.p999 = values.percentile(pool, {999, 1'000});
    stats.max = values.max();
    return stats;
}

std::vector<MetricSummary> summarise(const Collector& collector,
                                     const std::vector<std::string>& groups) {
    const CollectorPlan& plan = collector.plan();
    WT_CHECK(groups.size() == plan.group_counts.size());
    std::vector<MetricSummary> summaries;
    for (std::size_t i = 0; i < metric_count; ++i) {
        const MetricId id = static_cast<MetricId>(i);
        // Scratch for this metric's sums; freed before the next one.
        ChunkPool pool(256);
        const LaneRule rule = metric(id).lanes;
        const std::uint32_t none = static_cast<std::uint32_t>(groups.size());
        const auto counts = [&](const Bin& bin) {
            if (rule == LaneRule::summary && bin.lane != Spot::no_lane) return false;
            if (metric(id).is_of_peers() && plan.is_hostile(bin.group)) return false;
            return id != MetricId::peers_active || bin.group == none;
        };
        const Sum run = sum_of(collector, pool, id, counts);
        if (!run.any) continue;
        MetricSummary summary{.id = id, .run = run.stats(pool)};
        const auto add = [&](std::vector<NamedStats>& list, std::string name, const Sum& sum) {
            if (sum.any) list.push_back({std::move(name), sum.stats(pool)});
        };
        for (std::uint32_t phase = 0; phase < plan.phases.size(); ++phase) {
            add(summary.phases, plan.phases[phase].name,
                sum_of(collector, pool, id,
                       [&](const Bin& bin) { return counts(bin) && bin.phase == phase; }));
        }
        for (std::uint32_t group = 0; group < none; ++group) {
            add(summary.groups, groups[group], sum_of(collector, pool, id, [&](const Bin& bin) {
                    const bool lane_fits = rule != LaneRule::summary || bin.lane == Spot::no_lane;
                    return lane_fits && bin.group == group;
                }));
        }
        for (std::uint8_t lane = 0; lane < transport::lane_count; ++lane) {
            add(summary.lanes, lane_name(lane), sum_of(collector, pool, id, [&](const Bin& bin) {
                    if (metric(id).is_of_peers() && plan.is_hostile(bin.group)) return false;
                    return rule != LaneRule::none && bin.lane == lane;
                }));
        }
        if (metric(id).has_way) {
            for (const Way way : {Way::up, Way::down}) {
                add(summary.directions, way == Way::up ? "up" : "down",
                    sum_of(collector, pool, id,
                           [&](const Bin& bin) { return counts(bin) && bin.way == way; }));
            }
        }
        summary.largest = collector.largest(id);
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

}  // namespace wt::sim
