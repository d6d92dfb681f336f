// SPDX-License-Identifier: MIT
#include "viewer/model/saved_world.hpp"

#include <algorithm>

#include "engine/base/serial.hpp"

namespace wt::viewer {

namespace {

// A snapshot of the tick that is shown may still be on its way: so long it is waited for.
constexpr Duration on_the_way = Duration::seconds(2);

}  // namespace

SavedWorld::SavedWorld(const trace::TraceFile& trace)
    : trace_(trace), problem_(trace::replay_problem(trace)), payloads_(trace) {
    clock_.rate = Frequency{trace.header().tick_rate};
    clock_.initial_tick = trace.header().initial_tick;
}

// The peer, and others spread evenly over all whose records were kept.
void SavedWorld::choose_witnesses(std::uint16_t peer) {
    std::vector<std::uint16_t> full;
    for (std::size_t i = 1; i < trace_.about().peers.size(); ++i) {
        if (trace_.about().peers[i].is_full && i != peer)
            full.push_back(static_cast<std::uint16_t>(i));
    }
    witnesses_.clear();
    witnesses_.push_back(std::make_unique<trace::ReplicaReplay>(payloads_, peer));
    const std::size_t others = std::min(witnesses_max - 1, full.size());
    for (std::size_t i = 0; i < others; ++i)
        witnesses_.push_back(
            std::make_unique<trace::ReplicaReplay>(payloads_, full[i * full.size() / others]));
}

bool SavedWorld::advance(std::size_t& budget) {
    const auto run = [&](trace::ReplicaReplay& replay, Instant until, bool only_told) {
        for (;;) {
            const trace::ReplayMessage* const message = replay.next(budget);
            if (message == nullptr) return replay.is_at_end();
            // What is of a later tick than the one shown says nothing of it.
            const bool is_later = only_told && serial_newer(message->tick, tick_);
            if (message->time > until.ns || is_later) return true;
            (void)replay.take();
            budget -= std::min(budget, message_cost);
            if (budget == 0) return false;
        }
    };
    bool is_there = run(*view_, at_, false);
    for (const auto& witness : witnesses_)
        is_there = is_there && run(*witness, at_ + on_the_way, true);
    return is_there;
}

bool SavedWorld::refresh(std::uint16_t peer, Instant at) {
    if (!problem_.empty() || peer == 0 || peer >= trace_.about().peers.size()) return true;
    if (peer != peer_ || at < at_) {
        if (peer != peer_ || !view_) {
            view_ = std::make_unique<trace::ReplicaReplay>(payloads_, peer);
            choose_witnesses(peer);
        } else {
            view_->begin_anew();
            for (const auto& witness : witnesses_)
                witness->begin_anew();
        }
        peer_ = peer;
        is_done_ = false;
    }
    if (at != at_) is_done_ = false;
    at_ = at;
    if (is_done_) return true;
    tick_ = static_cast<std::uint32_t>(clock_.rate.first_tick_at_or_after(at + Duration::nanos(1)) -
                                       1 + clock_.initial_tick);
    std::size_t budget = a_frame;
    is_done_ = advance(budget);
    if (is_done_) paint();
    return is_done_;
}

void SavedWorld::paint() {
    picture_ = WorldPicture{};
    picture_.has_game = true;
    picture_.at = at_;
    picture_.bot = peer_ - 1u;
    view_->store().visit([&](const replication::ReplicaView& view) {
        picture_.view.push_back({.slot = view.id.slot,
                                 .kind = view.kind,
                                 .x = view.state->fields[0],
                                 .y = view.state->fields[1]});
    });
    struct Newest {
        WorldObject object{};
        std::uint32_t tick = 0;
        std::uint16_t generation = 0;  // 0: nobody knows the slot.
    };
    std::vector<Newest> slots(replication::slots_max);
    for (const auto& witness : witnesses_) {
        const bool is_own = witness->peer() == peer_;
        witness->store().visit([&](const replication::ReplicaView& view) {
            Newest& known = slots[view.id.slot];
            const bool is_newer = known.generation == 0 || serial_newer(view.tick, known.tick);
            const bool is_relevant = known.object.is_relevant || is_own;
            if (is_newer) {
                known = {.object = {.slot = view.id.slot,
                                    .kind = view.kind,
                                    .x = view.state->fields[0],
                                    .y = view.state->fields[1]},
                         .tick = view.tick,
                         .generation = view.id.generation};
            }
            known.object.is_relevant = is_relevant;
        });
    }
    for (const Newest& known : slots) {
        if (known.generation != 0) picture_.truth.push_back(known.object);
    }
}

}  // namespace wt::viewer
