// SPDX-License-Identifier: MIT
#include "simulator/core/schedule.hpp"

#include <numeric>
#include <utility>

#include "engine/base/check.hpp"

namespace wt::sim {

Schedule::Schedule(const Grid& grid, std::uint32_t host_count, std::uint32_t node_count)
    : grid_(grid),
      host_count_(host_count),
      next_(host_count + node_count, Instant::never()),
      hears_(host_count, 1),
      group_of_(host_count + node_count),
      inboxes_(host_count + node_count),
      chunk_of_(host_count + node_count) {
    std::iota(group_of_.begin(), group_of_.end(), 0u);
    // An estimate, so that steady windows find their memory there.
    for (ArrivalQueue& inbox : inboxes_)
        inbox.reserve(inbox_estimate);
}

void Schedule::set_groups(std::vector<std::uint32_t> group_of, std::vector<std::uint32_t> chunk_of,
                          std::uint32_t workers) {
    WT_CHECK(group_of.size() == next_.size());
    WT_CHECK(chunk_of.size() == next_.size());
    group_of_ = std::move(group_of);
    chunk_of_ = std::move(chunk_of);
    // Estimates of what one window posts: a few datagrams to each bot, and everybody's to a node
    // or to the server, which is in the first chunk.
    constexpr std::size_t mail_estimate = 8;
    const std::size_t crowd = mail_estimate * next_.size();
    std::vector<std::size_t> mail(1, crowd);
    for (std::uint32_t entity = 0; entity < chunk_of_.size(); ++entity) {
        const std::uint32_t chunk = chunk_of_[entity];
        if (chunk >= mail.size()) mail.resize(chunk + 1, 0);
        mail[chunk] += is_node(entity) ? crowd : mail_estimate;
    }
    for (Outboxes* set : {&filling_, &full_}) {
        set->assign(workers, std::vector<std::vector<Mail>>(mail.size()));
        for (std::vector<std::vector<Mail>>& of_worker : *set) {
            for (std::size_t chunk = 0; chunk < mail.size(); ++chunk)
                of_worker[chunk].reserve(mail[chunk]);
        }
    }
}

void Schedule::deliver_chunk(std::uint32_t chunk) {
    for (std::vector<std::vector<Mail>>& of_worker : full_) {
        for (const Mail& mail : of_worker[chunk])
            deliver(mail.to, mail.arrival);
        of_worker[chunk].clear();
    }
}

void Schedule::deliver_all() {
    for (Outboxes* set : {&filling_, &full_}) {
        for (std::vector<std::vector<Mail>>& of_worker : *set) {
            for (std::vector<Mail>& box : of_worker) {
                for (const Mail& mail : box)
                    deliver(mail.to, mail.arrival);
                box.clear();
            }
        }
    }
}

}  // namespace wt::sim
