// SPDX-License-Identifier: MIT
//
// Which objects a peer is to know. Looked at again is only what was spawned, despawned, given away
// or moved to another cell, and the cells that the viewpoint gained or lost.
// Spec: 001, replication (explicit relevance sets, uniform grid, owner and team filters).
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

namespace {

// Snapshots between two looks for the nearest: 200 ms at 20 a second, in which two runners of 8 m/s
// come 3 m nearer.
constexpr std::uint32_t nearest_interval = 4;

std::uint32_t distance_of(std::uint32_t a, std::uint32_t b) {
    return a < b ? b - a : a - b;
}

}  // namespace

void PeerReplication::reset(ObjectTable& table, const PeerConfig& config) {
    held_.visit([&](std::uint32_t slot) { table.release(slot); });
    const PeerFault fault = fault_;
    std::vector<Told> told = std::move(told_);
    std::vector<Sent> sent = std::move(sent_);
    std::vector<std::uint64_t> rows = std::move(rows_);
    const std::uint32_t row_words = row_words_;
    // Numbers go on, so that an acknowledgement of the epoch before means nothing.
    const std::uint16_t number = next_number_;
    *this = PeerReplication(config);
    fault_ = fault;
    told_ = std::move(told);
    sent_ = std::move(sent);
    rows_ = std::move(rows);
    row_words_ = row_words;
    std::fill(told_.begin(), told_.end(), Told{});
    std::fill(sent_.begin(), sent_.end(), Sent{});
    std::fill(rows_.begin(), rows_.end(), 0);
    next_number_ = number;
    open_number_ = number;
    for (SlotSet* set :
         {&relevant_, &live_, &held_, &confirmed_, &leaving_, &fresh_, &baseless_, &to_spawn_,
          &to_despawn_, &to_owner_, &pending_, &aged_, &nearest_, &near_}) {
        set->reset(table.capacity());
    }
    request_tokens_ = config_.request_burst;
    request_tick_ = table.tick();
}

void PeerReplication::make_room(const ObjectTable& table) {
    if (told_.size() >= table.slots_used()) return;
    // In steps, so that a world that fills up does not move them for each object.
    constexpr std::size_t step = 256;
    const std::size_t wanted = (table.slots_used() + step - 1) / step * step;
    const std::size_t size = std::min<std::size_t>(wanted, table.capacity());
    told_.reserve(size);  // No more than that: a world fills up once.
    told_.resize(size);
    const std::size_t words = (told_.size() + 63) / 64;
    resize_log({.places = static_cast<std::uint32_t>(sent_.size()),
                .words = static_cast<std::uint32_t>(words)});
}

bool PeerReplication::wants(const ObjectTable& table, std::uint32_t slot) const {
    if (!table.is_alive(slot)) return false;
    const bool owned = config_.player != no_owner && table.owner_of(slot) == config_.player;
    if (owned) return true;
    switch (table.schemas().at(table.schema_of(slot)).relevance) {
        case Relevance::always:
            return true;
        case Relevance::owner:
            return mutated<"relevance-owner">();
        case Relevance::team:
            return table.team_of(slot) == config_.team || mutated<"relevance-team">();
        case Relevance::spatial:
            break;
    }
    if (config_.everything || !table.has_place(slot)) return true;
    const bool is_kept = relevant_.has(slot) && !mutated<"relevance-margin">();
    const std::uint32_t reach = config_.radius_cells + (is_kept ? 1u : 0u);
    return distance_of(table.cell_line(table.x_of(slot)), table.cell_line(viewpoint_.x)) <= reach &&
           distance_of(table.cell_line(table.y_of(slot)), table.cell_line(viewpoint_.y)) <= reach;
}

void PeerReplication::set_relevant(const ObjectTable& table, std::uint32_t slot) {
    if (relevant_.has(slot)) return;
    relevant_.insert(slot);
    if (leaving_.has(slot)) return;  // confirm_despawn() goes on.
    if (!held_.has(slot)) {
        if (mutated<"f33-no-state">() && table.state_of(slot) == State{}) return;
        to_spawn_.insert(slot);
        told_[slot].waiting_since = static_cast<std::uint16_t>(table.tick());
        return;
    }
    // Back before its despawn went out; what changed meanwhile was not gathered.
    to_despawn_.erase(slot);
    live_.insert(slot);
    wait_from(slot, table.tick());
}

void PeerReplication::set_irrelevant(std::uint32_t slot) {
    if (!relevant_.has(slot)) return;
    relevant_.erase(slot);
    to_spawn_.erase(slot);
    to_owner_.erase(slot);
    live_.erase(slot);
    pending_.erase(slot);
    aged_.erase(slot);
    nearest_.erase(slot);
    if (held_.has(slot) && !leaving_.has(slot)) to_despawn_.insert(slot);
}

void PeerReplication::evaluate(ObjectTable& table, std::uint32_t slot) {
    ++visited_;
    if (!wants(table, slot)) {
        set_irrelevant(slot);
        return;
    }
    set_relevant(table, slot);
    if (live_.has(slot) && told_[slot].owner != table.owner_of(slot)) to_owner_.insert(slot);
}

// Interest up to the table's tick, for the viewpoint as it is.
void PeerReplication::sync(ObjectTable& table) {
    make_room(table);
    const bool first = !has_view_;
    if (!first && synced_ == table.tick()) return;
    if (first || table.tick() - synced_ >= ObjectTable::history_ticks) {
        has_view_ = true;
        held_.visit([&](std::uint32_t slot) {
            if (!table.is_alive(slot)) set_irrelevant(slot);
        });
        to_spawn_.visit([&](std::uint32_t slot) {
            if (!table.is_alive(slot)) set_irrelevant(slot);
        });
        table.alive().visit([&](std::uint32_t slot) { evaluate(table, slot); });
    } else {
        for (std::uint64_t tick = synced_ + 1; tick <= table.tick(); ++tick)
            table.moved_in(tick).visit([&](std::uint32_t slot) { evaluate(table, slot); });
    }
    synced_ = table.tick();
}

void PeerReplication::update_interest(ObjectTable& table, const Viewpoint& viewpoint) {
    visited_ = 0;
    if (!has_view_) viewpoint_ = viewpoint;
    sync(table);
    move_view(table, viewpoint);
}

// Looks again at the objects of the cells around `around` that are not around `other`.
void PeerReplication::visit_cells(ObjectTable& table, const Viewpoint& around,
                                  const Viewpoint& other) {
    const std::uint32_t reach = config_.radius_cells + 1u;
    const std::uint32_t last = table.cells_across() - 1;
    const std::uint32_t column = table.cell_line(around.x);
    const std::uint32_t row = table.cell_line(around.y);
    const auto from = [&](std::uint32_t line) { return line < reach ? 0 : line - reach; };
    for (std::uint32_t y = from(row); y <= std::min(row + reach, last); ++y) {
        for (std::uint32_t x = from(column); x <= std::min(column + reach, last); ++x) {
            // Inside of both squares nothing changes; the rims count as outside.
            const std::uint32_t inner = config_.radius_cells;
            if (distance_of(x, table.cell_line(other.x)) <= inner &&
                distance_of(y, table.cell_line(other.y)) <= inner &&
                distance_of(x, column) <= inner && distance_of(y, row) <= inner) {
                continue;
            }
            for (std::uint16_t slot = table.first_in(x, y); slot != ObjectTable::no_slot;
                 slot = table.next_in_cell(slot)) {
                ++visited_;
                if (wants(table, slot)) {
                    set_relevant(table, slot);
                } else {
                    set_irrelevant(slot);
                }
            }
        }
    }
}

void PeerReplication::move_view(ObjectTable& table, const Viewpoint& to) {
    const Viewpoint before = viewpoint_;
    viewpoint_ = to;
    if (config_.everything) return;
    if (table.cell_line(before.x) == table.cell_line(to.x) &&
        table.cell_line(before.y) == table.cell_line(to.y)) {
        return;
    }
    visit_cells(table, before, to);
    visit_cells(table, to, before);
}

// The nearest of those that come first, for a while: who they are changes slowly.
void PeerReplication::refresh_nearest(const ObjectTable& table, EncodeScratch& scratch) {
    if (nearest_age_ != 0 && nearest_age_ < nearest_interval) {
        ++nearest_age_;
        return;
    }
    nearest_age_ = 1;
    find_nearest(table, scratch, {.most = config_.nearest_count}, nearest_);
}

void PeerReplication::find_nearest(const ObjectTable& table, EncodeScratch& scratch, Nearest rule,
                                   SlotSet& found) const {
    found.clear();
    scratch.distances.clear();
    const auto measure = [&](std::uint32_t slot) {
        if (!table.has_place(slot)) return;
        if (!rule.with_own && table.owner_of(slot) == config_.player) return;
        const std::uint64_t dx = distance_of(table.x_of(slot), viewpoint_.x);
        const std::uint64_t dy = distance_of(table.y_of(slot), viewpoint_.y);
        scratch.distances.push_back((dx * dx + dy * dy) << 16 | slot);
    };
    table.nearest_first().visit_words([&](std::uint32_t index, std::uint64_t word) {
        for (word &= live_.word(index); word != 0; word &= word - 1)
            measure(index * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
    });
    const std::size_t count = std::min(rule.most, scratch.distances.size());
    if (count < scratch.distances.size()) {
        std::nth_element(scratch.distances.begin(),
                         scratch.distances.begin() + static_cast<std::ptrdiff_t>(count),
                         scratch.distances.end());
    }
    for (std::size_t i = 0; i < count; ++i)
        found.insert(static_cast<std::uint32_t>(scratch.distances[i] & 0xffff));
}

// Of the nearest, how many wait and how many of those were chosen. A set of its own, looked for
// whether or not anybody has to be ranked: a figure must not change what is sent.
void PeerReplication::count_near(const ObjectTable& table, EncodeScratch& scratch,
                                 EncodeResult& result) {
    if (near_age_++ % nearest_interval == 0) {
        // One's own would be the nearest of all.
        find_nearest(table, scratch, {.most = near_count, .with_own = false}, near_);
    }
    near_.visit_words([&](std::uint32_t index, std::uint64_t word) {
        const std::uint64_t waiting = word & pending_.word(index);
        result.near_waiting += static_cast<std::uint32_t>(std::popcount(waiting));
    });
    result.near_objects = result.near_waiting;
    // Nothing where all of them fitted.
    for (const Candidate& one : scratch.chosen_from()) {
        if (!one.chosen && near_.has(one.slot)) --result.near_objects;
    }
}

}  // namespace wt::replication
