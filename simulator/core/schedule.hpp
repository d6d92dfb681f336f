// SPDX-License-Identifier: MIT
//
// Who has to do something when, who is in which scheduling group, and the post between them.
// Entities are hosts first, then nodes. Inside a group post arrives at once; across groups it
// waits in an outbox until the window ends, which nobody can notice, because windows are cut so
// that nothing sent inside one is visible before its end (DESIGN R4).
//
// A chunk is what one worker takes at once: some whole groups. An outbox belongs to one worker and
// one receiving chunk, and there are two sets of them: one fills while the other, filled in the
// window before, is delivered by whoever takes the chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/core/arrival_queue.hpp"
#include "simulator/core/grid.hpp"
#include "simulator/core/station.hpp"

namespace wt::sim {

class Schedule {
public:
    // Datagrams under way to one bot.
    static constexpr std::size_t inbox_estimate = 128;

    Schedule(const Grid& grid, std::uint32_t host_count, std::uint32_t node_count);

    // Before the first post. `chunk_of` gives the chunk of every entity; members of one group are
    // in one chunk.
    void set_groups(std::vector<std::uint32_t> group_of, std::vector<std::uint32_t> chunk_of,
                    std::uint32_t workers);

    [[nodiscard]] Instant next(std::uint32_t entity) const { return next_[entity]; }
    void set_next(std::uint32_t entity, Instant at) { next_[entity] = at; }
    // A paused host is not woken by arrivals.
    void set_hears(std::uint32_t host, bool hears) { hears_[host] = hears ? 1 : 0; }

    [[nodiscard]] ArrivalQueue& inbox(std::uint32_t entity) { return inboxes_[entity]; }

    void post(Station& station, std::uint32_t from, std::uint32_t to, const Arrival& arrival) {
        if (group_of_[from] == group_of_[to]) {
            deliver(to, arrival);
            return;
        }
        filling_[station.worker][chunk_of_[to]].push_back({to, arrival});
        // Whether the host hears at all is its own worker's business: at the earliest then.
        const Instant wake = is_node(to) ? arrival.at : grid_.poll_after(arrival.at);
        station.first_mail = std::min(station.first_mail, wake);
    }
    // Between windows: what was filled will be delivered.
    void turn() { filling_.swap(full_); }
    // By the worker that takes the chunk, before anything of it runs.
    void deliver_chunk(std::uint32_t chunk);
    // Between windows: everything that waits in an outbox.
    void deliver_all();

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
    // By worker, then by receiving chunk.
    using Outboxes = std::vector<std::vector<std::vector<Mail>>>;
    std::vector<std::uint32_t> chunk_of_;
    Outboxes filling_{};
    Outboxes full_{};
};

}  // namespace wt::sim
