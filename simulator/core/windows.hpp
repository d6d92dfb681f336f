// SPDX-License-Identifier: MIT
//
// Which entities work as one group, and how far a window may reach: to the largest instant such
// that nothing sent inside the window can be seen before its end (DESIGN R4). Neither ever changes
// a digest; a wrong answer here would, so it errs towards short windows.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/core/grid.hpp"
#include "simulator/core/topology.hpp"

namespace wt::sim {

class Windows {
public:
    // Where a floor would force windows shorter than this, both ends join one group.
    static constexpr Duration window_min = Duration::millis(1);

    // `entity_of` gives the entity of each direction that is a node.
    Windows(const WorldPlan& plan, const Topology& topology,
            const std::vector<std::uint32_t>& entity_of, std::uint32_t entity_count);

    // Group numbers by entity, from 0 and dense.
    [[nodiscard]] const std::vector<std::uint32_t>& groups() const { return groups_; }
    [[nodiscard]] std::uint32_t group_count() const { return group_count_; }
    // The end of a window that begins at `start`, the earliest event of anybody.
    [[nodiscard]] Instant end_of(Instant start) const;

private:
    // One way for post from entity to entity, with the floor's whole life.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool is_to_node = false;
        const DirectionTimeline* floor = nullptr;  // nullptr: no delay at all.
    };
    // The least floors between groups, from `start` until the next entry.
    struct Floors {
        Instant start{};
        Duration to_host = Duration::max();
        Duration to_node = Duration::max();
    };

    void join_groups(const WorldPlan& plan, const std::vector<Edge>& edges);
    void gather_floors(const std::vector<Edge>& edges);

    Grid grid_;
    std::vector<Frequency> ticks_{};  // Every rate in use, once.
    Duration window_max_;
    std::vector<std::uint32_t> groups_{};
    std::uint32_t group_count_ = 0;
    std::vector<Floors> floors_{};
};

}  // namespace wt::sim
