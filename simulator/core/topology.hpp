// SPDX-License-Identifier: MIT
//
// Which directions lie between each bot and the server: chains through `via`, instances through
// `share`, the server's own uplink, and the whole life of each direction with all changes of the
// timeline worked in. Fixed before the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/core/plan.hpp"
#include "simulator/link/compiled_direction.hpp"

namespace wt::sim {

inline constexpr std::uint32_t no_direction = 0xffff'ffff;
// A bot's chain of at most four links, and as many on the server's side.
inline constexpr std::size_t path_nodes_max = 8;

// One direction of one instance of a link.
struct DirectionPlan {
    std::string link{};      // The configuration's name.
    std::string text{};      // "home/player-7/up", "cell/0/down": for reports.
    std::uint64_t name = 0;  // Stands for the instance's name in luck and digests.
    Way way = Way::up;
    DirectionTimeline timeline{};
    // False: one host hands every datagram over to it, and it is asked at hand-over. True: it is a
    // node of its own, with a queue of arrivals and maybe with turns.
    bool is_node = false;
    std::uint32_t owner = 0;  // The host, where it is not a node.
    // Nodes of one instant work in the order of their levels, so that what passes several nodes
    // without delay meets them in the order of its path.
    std::uint32_t level = 0;
};

// [start, end) during which something holds on a path.
struct PathSpan {
    Instant start{};
    Instant end{};
};

// From a bot to the server, or back.
struct PathPlan {
    std::uint32_t bot = 0;     // Ordinal among the bots.
    std::uint32_t source = 0;  // Hosts.
    std::uint32_t target = 0;
    Way way = Way::up;
    std::uint32_t first = no_direction;  // Asked at hand-over; none: straight to the nodes.
    std::vector<std::uint32_t> nodes{};  // Directions that are nodes, in order.
    std::uint64_t name = 0;
    std::vector<PathSpan> partitions{};   // Sorted and apart.
    std::vector<PathSpan> suspensions{};  // The same.
};

struct Topology {
    std::vector<DirectionPlan> directions{};
    std::vector<PathPlan> paths{};      // Of bot b: 2b up, 2b + 1 down.
    std::vector<std::uint32_t> bots{};  // Host of each bot ordinal.
    std::uint32_t server = 0;           // Host.
};

[[nodiscard]] constexpr std::uint32_t path_of(std::uint32_t bot, Way way) {
    return 2 * bot + (way == Way::down ? 1 : 0);
}

[[nodiscard]] Topology make_topology(const WorldPlan& plan);

}  // namespace wt::sim
