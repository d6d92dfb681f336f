// SPDX-License-Identifier: MIT
//
// Who has to do something when, who is in which scheduling group, and the post between them.
// Entities are hosts first, then nodes. Inside a group post arrives at once; across groups it
// waits in an outbox until the window ends, which nobody can notice, because windows are cut so
// that nothing sent inside one is visible before its end (DESIGN R4).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/core/arrival_queue.hpp"
#include "simulator/core/grid.hpp"

namespace wt::sim {

class Schedule {
public:
    // Receivers whose post lies in one outbox.
    static constexpr std::uint32_t chunk_entities = 32;
    // Datagrams under way to one bot.
    static constexpr std::size_t inbox_estimate = 128;

    Schedule(const Grid& grid, std::uint32_t host_count, std::uint32_t node_count);

    void set_groups(std::vector<std::uint32_t> group_of) { group_of_ = std::move(group_of); }

    [[nodiscard]] Instant next(std::uint32_t entity) const { return next_[entity]; }
    void set_next(std::uint32_t entity, Instant at) { next_[entity] = at; }
    // A paused host is not woken by arrivals.
    void set_hears(std::uint32_t host, bool hears) { hears_[host] = hears ? 1 : 0; }

    [[nodiscard]] ArrivalQueue& inbox(std::uint32_t entity) { return inboxes_[entity]; }

    void post(std::uint32_t from, std::uint32_t to, const Arrival& arrival) {
        if (group_of_[from] == group_of_[to]) {
            deliver(to, arrival);
        } else {
            outbox_[to / chunk_entities].push_back({to, arrival});
        }
    }
    // Between windows: hands over what crossed group borders.
    void exchange();

    [[nodiscard]] bool is_node(std::uint32_t entity) const { return entity >= host_count_; }
    [[nodiscard]] std::uint32_t host_count() const { return host_count_; }
    [[nodiscard]] std::uint32_t entity_count() const {
        return static_cast<std::uint32_t>(next_.size());
    }
    [[nodiscard]] const std::vector<std::uint32_t>& groups() const { return group_of_; }

private:
    struct Mail {
        std::uint32_t to = 0;
        Arrival arrival{};
    };

    void deliver(std::uint32_t to, const Arrival& arrival) {
        inboxes_[to].push(arrival);
        if (is_node(to)) {
            next_[to] = std::min(next_[to], arrival.at);
        } else if (hears_[to] != 0) {
            next_[to] = std::min(next_[to], grid_.poll_after(arrival.at));
        }
    }

    Grid grid_;
    std::uint32_t host_count_;
    std::vector<Instant> next_;
    std::vector<std::uint8_t> hears_;
    std::vector<std::uint32_t> group_of_;
    std::vector<ArrivalQueue> inboxes_;
    // Of the one worker there is, by chunk of receivers. More workers have one set each.
    std::vector<std::vector<Mail>> outbox_;
};

}  // namespace wt::sim
