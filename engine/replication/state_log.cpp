// SPDX-License-Identifier: MIT
#include "engine/replication/state_log.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/serial.hpp"

namespace wt::replication {

void StateLog::clear() {
    runs_.clear();
    room_at_ = 0;
}

// Finds `count` places in one piece behind the newest run; the oldest one is what they must not
// reach. False: there are none.
bool StateLog::place(std::uint32_t count) {
    const std::uint32_t capacity = static_cast<std::uint32_t>(states_.size());
    if (runs_.empty()) {
        room_at_ = 0;
        return count <= capacity;
    }
    const Run& newest = runs_.at(runs_.size() - 1);
    const std::uint32_t oldest = runs_.front().first;
    room_at_ = newest.first + newest.count;
    // Runs lie in one piece from the oldest to the newest, or around the end.
    if (newest.first < oldest) return room_at_ + count <= oldest;
    if (room_at_ + count <= capacity) return true;
    room_at_ = 0;
    return count <= oldest;
}

void StateLog::grow(std::uint32_t count) {
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < runs_.size(); ++i)
        live += runs_.at(i).count;
    constexpr std::uint32_t least = 64;
    const std::uint32_t size = std::max({least, expected_.states, (live + count) * 3 / 2});
    runs_.reserve(std::bit_ceil(std::max(1u, expected_.runs)));
    std::vector<LoggedState> wider(size);
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
        Run& run = runs_.at(i);
        std::ranges::copy(states_of(run), wider.begin() + at);
        run.first = at;
        at += run.count;
    }
    states_ = std::move(wider);
    room_at_ = at;
}

std::span<LoggedState> StateLog::open(std::uint32_t count, std::uint32_t now) {
    while (!runs_.empty() && now - runs_.front().logged >= kept_ticks)
        runs_.pop();
    if (runs_.size() == runs_max) runs_.pop();
    while (!place(count)) {
        if (states_.size() < states_max) {
            grow(count);
            break;
        }
        WT_CHECK(!runs_.empty());
        runs_.pop();
    }
    return std::span(states_).subspan(room_at_, count);
}

void StateLog::publish(std::uint32_t tick, std::uint32_t count, std::uint32_t now) {
    WT_CHECK(room_at_ + count <= states_.size());
    if (count == 0) return;
    runs_.push() = {.tick = tick, .logged = now, .first = room_at_, .count = count};
}

StateLog::Cursor StateLog::at_tick(std::uint32_t tick) const {
    for (std::uint32_t i = runs_.size(); i > 0; --i) {
        const Run& run = runs_.at(i - 1);
        if (run.tick != tick) continue;
        const LoggedState* const first = states_.data() + run.first;
        return {.at = first, .end = first + run.count};
    }
    return {};
}

const State* StateLog::find_in(const Run& run, std::uint32_t slot) const {
    const std::span<const LoggedState> states = states_of(run);
    const auto found =
        std::lower_bound(states.begin(), states.end(), slot,
                         [](const LoggedState& one, std::uint32_t key) { return one.slot < key; });
    return found != states.end() && found->slot == slot ? &found->state : nullptr;
}

const State* StateLog::find(std::uint32_t tick, std::uint32_t slot) const {
    for (std::uint32_t i = runs_.size(); i > 0; --i) {
        const Run& run = runs_.at(i - 1);
        if (run.tick != tick) continue;
        if (const State* state = find_in(run, slot); state != nullptr) return state;
    }
    return nullptr;
}

const State* StateLog::find_before(std::uint32_t tick, std::uint32_t least, std::uint32_t slot,
                                   std::uint32_t& at) const {
    const State* best = nullptr;
    // Runs come nearly in the order of their ticks, so the first hit is mostly the last.
    for (std::uint32_t i = runs_.size(); i > 0; --i) {
        const Run& run = runs_.at(i - 1);
        if (!serial_newer(tick, run.tick) || serial_newer(least, run.tick)) continue;
        if (best != nullptr && !serial_newer(run.tick, at)) continue;
        const State* state = find_in(run, slot);
        if (state == nullptr) continue;
        best = state;
        at = run.tick;
    }
    return best;
}

std::size_t StateLog::memory() const {
    return states_.capacity() * sizeof(LoggedState) + runs_.capacity() * sizeof(Run);
}

}  // namespace wt::replication
