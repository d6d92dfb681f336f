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

// Finds `count` places and the one that ends them in one piece behind the newest run; the oldest
// one is what they must not reach. False: there are none.
bool StateLog::place(std::uint32_t states) {
    const std::uint32_t count = states + 1;
    const std::uint32_t capacity = static_cast<std::uint32_t>(states_.size());
    if (runs_.empty()) {
        room_at_ = 0;
        return count <= capacity;
    }
    const Run& newest = runs_.at(runs_.size() - 1);
    const std::uint32_t oldest = runs_.front().first;
    room_at_ = newest.first + newest.count + 1;
    // Runs lie in one piece from the oldest to the newest, or around the end.
    if (newest.first < oldest) return room_at_ + count <= oldest;
    if (room_at_ + count <= capacity) return true;
    room_at_ = 0;
    return count <= oldest;
}

void StateLog::grow(std::uint32_t count) {
    std::uint32_t live = 0;
    for (std::uint32_t i = 0; i < runs_.size(); ++i)
        live += runs_.at(i).count + 1;
    constexpr std::uint32_t least = 64;
    // An eighth more than there is, since twice as much would be most of what a client needs.
    const std::uint32_t wanted = live + count + 1;
    const std::uint32_t size = std::max({least, expected_.states, wanted + wanted / 8});
    runs_.reserve(std::bit_ceil(std::max(1u, expected_.runs)));
    std::vector<LoggedState> wider(size);
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
        Run& run = runs_.at(i);
        std::copy_n(states_.begin() + run.first, run.count + 1, wider.begin() + at);
        run.first = at;
        at += run.count + 1;
    }
    states_ = std::move(wider);
    room_at_ = at;
}

// Whether the oldest run has to go before there is room for so many; if not, there is.
bool StateLog::must_drop(std::uint32_t count, std::uint32_t now) {
    if (!runs_.empty()) {
        if (now - runs_.front().logged >= kept_ticks || runs_.size() == runs_max) return true;
    }
    if (place(count)) return false;
    if (states_.size() >= states_max && !runs_.empty()) return true;
    grow(count);
    return false;
}

void StateLog::publish(std::uint32_t tick, std::uint32_t count, std::uint32_t now) {
    if (count == 0) return;
    WT_CHECK(room_at_ + count < states_.size());
    states_[room_at_ + count].slot = no_slot;
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

StateLog::Cursor StateLog::cursor_in(const Run& run, std::uint32_t slot) const {
    const std::span<const LoggedState> states = states_of(run);
    const auto found =
        std::lower_bound(states.begin(), states.end(), slot,
                         [](const LoggedState& one, std::uint32_t key) { return one.slot < key; });
    const LoggedState* const first = states_.data() + run.first;
    return {.at = first + (found - states.begin()), .end = first + run.count};
}

const State* StateLog::find_in(const Run& run, std::uint32_t slot) const {
    Cursor cursor = cursor_in(run, slot);
    return next(cursor, slot);
}

StateLog::Cursor StateLog::from_slot(std::uint16_t number, std::uint32_t slot,
                                     std::uint32_t& tick) const {
    const Run& run = runs_.at(static_cast<std::uint16_t>(number - first_number_));
    tick = run.tick;
    return cursor_in(run, slot);
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
