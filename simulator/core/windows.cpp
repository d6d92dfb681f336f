// SPDX-License-Identifier: MIT
#include "simulator/core/windows.hpp"

#include <algorithm>
#include <numeric>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

Duration least_floor(const DirectionTimeline* timeline) {
    if (timeline == nullptr) return {};
    Duration least = Duration::max();
    for (const DirectionSegment& segment : *timeline)
        least = std::min(least, segment.config->floor);
    return least;
}

// The floor that holds at `at`.
Duration floor_at(const DirectionTimeline* timeline, Instant at) {
    if (timeline == nullptr) return {};
    const auto after = std::upper_bound(
        timeline->begin(), timeline->end(), at,
        [](Instant instant, const DirectionSegment& segment) { return instant < segment.start; });
    return std::prev(after)->config->floor;
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t entity) {
    while (parent[entity] != entity) {
        parent[entity] = parent[parent[entity]];
        entity = parent[entity];
    }
    return entity;
}

}  // namespace

Windows::Windows(const WorldPlan& plan, const Topology& topology,
                 const std::vector<std::uint32_t>& entity_of, std::uint32_t entity_count)
    : grid_(plan.grid), window_max_(plan.windows.window_max), groups_(entity_count) {
    for (const HostPlan& host : plan.hosts) {
        if (std::find(ticks_.begin(), ticks_.end(), host.tick_rate) == ticks_.end()) {
            ticks_.push_back(host.tick_rate);
        }
    }
    std::vector<Edge> edges;
    for (const PathPlan& path : topology.paths) {
        std::uint32_t from = path.source;
        const DirectionTimeline* floor =
            path.first == no_direction ? nullptr : &topology.directions[path.first].timeline;
        for (const std::uint32_t node : path.nodes) {
            edges.push_back({from, entity_of[node], true, floor});
            from = entity_of[node];
            floor = &topology.directions[node].timeline;
        }
        edges.push_back({from, path.target, false, floor});
    }
    join_groups(plan, edges);
    gather_floors(edges);
}

void Windows::join_groups(const WorldPlan& plan, const std::vector<Edge>& edges) {
    std::vector<std::uint32_t> parent(groups_.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto join = [&parent](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = root_of(parent, a);
        const std::uint32_t second = root_of(parent, b);
        parent[std::max(first, second)] = std::min(first, second);
    };
    // On the grid a short floor is no trouble, as long as the grid itself is coarse enough.
    const std::uint32_t ticks_coarse = 500;
    const bool is_fine = grid_.poll < window_min ||
                         std::any_of(ticks_.begin(), ticks_.end(),
                                     [](Frequency rate) { return rate.per_second > ticks_coarse; });
    for (const Edge& edge : edges) {
        const bool is_short = least_floor(edge.floor) < window_min;
        if (is_short && (edge.is_to_node || is_fine)) join(edge.from, edge.to);
    }
    const std::uint32_t count = static_cast<std::uint32_t>(groups_.size());
    switch (plan.windows.grouping) {
        case WindowPlan::Grouping::automatic:
            break;
        case WindowPlan::Grouping::everything:
            for (std::uint32_t i = 1; i < count; ++i)
                join(0, i);
            break;
        case WindowPlan::Grouping::pairs:
            for (std::uint32_t i = 1; i < count; i += 2)
                join(i - 1, i);
            break;
    }
    std::vector<std::uint32_t> number(count, 0xffff'ffff);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t& group = number[root_of(parent, i)];
        if (group == 0xffff'ffff) group = group_count_++;
        groups_[i] = group;
    }
}

void Windows::gather_floors(const std::vector<Edge>& edges) {
    std::vector<Instant> starts = {Instant{}};
    for (const Edge& edge : edges) {
        if (edge.floor == nullptr) continue;
        for (const DirectionSegment& segment : *edge.floor)
            starts.push_back(segment.start);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    for (const Instant start : starts) {
        Floors floors{.start = start};
        for (const Edge& edge : edges) {
            if (groups_[edge.from] == groups_[edge.to]) continue;
            Duration& least = edge.is_to_node ? floors.to_node : floors.to_host;
            least = std::min(least, floor_at(edge.floor, start));
        }
        floors_.push_back(floors);
    }
}

Instant Windows::end_of(Instant start) const {
    const auto after =
        std::upper_bound(floors_.begin(), floors_.end(), start,
                         [](Instant at, const Floors& floors) { return at < floors.start; });
    const Floors& floors = *std::prev(after);
    // Cut where a change may lower a floor.
    Instant end = after == floors_.end() ? Instant::never() : after->start;
    if (floors.to_host != Duration::max()) {
        end = std::min(end, next_wake_after(grid_, ticks_, start + floors.to_host));
    }
    if (floors.to_node != Duration::max()) end = std::min(end, start + floors.to_node);
    if (window_max_ != Duration::max()) end = std::min(end, start + window_max_);
    WT_CHECK(end > start);
    return end;
}

}  // namespace wt::sim
