// SPDX-License-Identifier: MIT
#include "simulator/core/workers.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/check.hpp"

namespace wt::sim {

Workers::Workers(std::vector<std::unique_ptr<Host>>& hosts, Network& network, Schedule& schedule,
                 std::vector<Group> groups)
    : hosts_(hosts), network_(network), schedule_(schedule), groups_(std::move(groups)) {}

Instant Workers::earliest() const {
    Instant earliest = Instant::never();
    for (std::uint32_t entity = 0; entity < schedule_.entity_count(); ++entity) {
        earliest = std::min(earliest, schedule_.next(entity));
    }
    return earliest;
}

void Workers::run_window(Instant end) {
    for (const Group& group : groups_)
        run_group(group, end);
}

void Workers::run_group(const Group& group, Instant end) {
    CheckContext& place = check_context();
    if (group.hosts.size() == 1 && group.nodes.empty()) {
        // The usual case: nobody else's time matters inside the window.
        const std::uint32_t host = group.hosts.front();
        while (schedule_.next(host) < end) {
            const Instant now = schedule_.next(host);
            place.virtual_ns = now.ns;
            ++place.event;
            hosts_[host]->run(now);
        }
        return;
    }
    while (true) {
        Instant now = Instant::never();
        for (const std::uint32_t host : group.hosts)
            now = std::min(now, schedule_.next(host));
        for (const std::uint32_t node : group.nodes)
            now = std::min(now, schedule_.next(node));
        if (now >= end) return;
        place.virtual_ns = now.ns;
        // Hosts of one instant cannot see each other. What they send without delay reaches nodes
        // in this very instant, and passes them level by level.
        for (const std::uint32_t host : group.hosts) {
            if (schedule_.next(host) != now) continue;
            ++place.event;
            hosts_[host]->run(now);
        }
        for (const std::uint32_t node : group.nodes) {
            if (schedule_.next(node) != now) continue;
            ++place.event;
            network_.run_node(node, now);
        }
    }
}

}  // namespace wt::sim
