// SPDX-License-Identifier: MIT
#include "simulator/core/schedule.hpp"

#include <numeric>

namespace wt::sim {

Schedule::Schedule(const Grid& grid, std::uint32_t host_count, std::uint32_t node_count)
    : grid_(grid),
      host_count_(host_count),
      next_(host_count + node_count, Instant::never()),
      hears_(host_count, 1),
      group_of_(host_count + node_count),
      inboxes_(host_count + node_count),
      outbox_((host_count + node_count) / chunk_entities + 1) {
    std::iota(group_of_.begin(), group_of_.end(), 0u);
    // Estimates, so that steady windows find their memory there.
    for (ArrivalQueue& inbox : inboxes_)
        inbox.reserve(inbox_estimate);
    for (std::vector<Mail>& chunk : outbox_)
        chunk.reserve(std::size_t{chunk_entities} * inbox_estimate / 8);
}

void Schedule::exchange() {
    for (std::vector<Mail>& chunk : outbox_) {
        for (const Mail& mail : chunk)
            deliver(mail.to, mail.arrival);
        chunk.clear();
    }
}

}  // namespace wt::sim
