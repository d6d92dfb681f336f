// SPDX-License-Identifier: MIT
//
// The figures of a finished run as plain numbers: what the reports print. Made once, from the
// collector's bins; merging is addition, so a phase, a group and the run are sums of the same bins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/metrics/collector.hpp"

namespace wt::sim {

// In the metric's base unit; shares in 10^-9.
struct Stats {
    std::uint64_t count = 0;
    std::int64_t min = 0;
    std::int64_t mean = 0;
    std::int64_t p50 = 0;
    std::int64_t p90 = 0;
    std::int64_t p95 = 0;
    std::int64_t p99 = 0;
    std::int64_t p999 = 0;
    std::int64_t max = 0;
    std::uint64_t censored = 0;
    std::uint64_t total = 0;        // count metrics
    std::uint64_t numerator = 0;    // share metrics; mean is their quotient
    std::uint64_t denominator = 0;  // share metrics
};

struct NamedStats {
    std::string name{};
    Stats stats{};
};

struct MetricSummary {
    MetricId id = MetricId::not_built;
    Stats run{};
    std::vector<NamedStats> phases{};
    std::vector<NamedStats> groups{};
    std::vector<NamedStats> lanes{};       // Those with values.
    std::vector<NamedStats> directions{};  // "up", "down"; only where the metric has them.
    Taken largest{};
};

// Every metric that has been fed, in the catalogue's order. `groups` in the scenario's order.
[[nodiscard]] std::vector<MetricSummary> summarise(const Collector& collector,
                                                   const std::vector<std::string>& groups);
[[nodiscard]] Stats stats_of(const Histogram& values, const ChunkPool& pool);
[[nodiscard]] const char* lane_name(std::uint8_t lane);

}  // namespace wt::sim
