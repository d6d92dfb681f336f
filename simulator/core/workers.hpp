// SPDX-License-Identifier: MIT
//
// Runs the groups of one window. One worker does them in turn today; groups share nothing that
// changes during a window but the parcels' pool and the outboxes, which become one a worker when
// more workers come.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/core/host.hpp"

namespace wt::sim {

// The members of one group, in the order in which they are stored; it never matters.
struct Group {
    std::vector<std::uint32_t> hosts{};
    std::vector<std::uint32_t> nodes{};  // By level.
};

class Workers {
public:
    Workers(std::vector<std::unique_ptr<Host>>& hosts, Network& network, Schedule& schedule,
            std::vector<Group> groups);

    // Everything before `end`, of every group. The seed is for crash reports.
    void run_window(Instant end);
    // The earliest event of anybody.
    [[nodiscard]] Instant earliest() const;

private:
    void run_group(const Group& group, Instant end);

    std::vector<std::unique_ptr<Host>>& hosts_;
    Network& network_;
    Schedule& schedule_;
    std::vector<Group> groups_;
};

}  // namespace wt::sim
