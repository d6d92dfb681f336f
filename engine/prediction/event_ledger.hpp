// SPDX-License-Identifier: MIT
//
// Gameplay events happen once, however often their tick is played again. An id names the event by
// what it is, not by when it was computed: (tick, source, kind). Predicted events wait for the
// server's word; those it never confirms are taken back.
// Spec: 001, replication and latency hiding (idempotent ids).
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/mutated.hpp"
#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

struct EventId {
    Tick tick = 0;
    std::uint32_t source = 0;
    std::uint16_t kind = 0;

    friend constexpr bool operator==(const EventId&, const EventId&) = default;
};

struct EventCounters {
    std::uint64_t shown = 0;
    std::uint64_t suppressed = 0;  // Seen before.
    std::uint64_t retracted = 0;   // Predicted and never confirmed.
    std::uint64_t forgotten = 0;   // Pushed out by newer ones while still waiting.
    std::uint64_t too_old = 0;     // Before the window: cannot be told from a repetition.
};

class EventLedger {
public:
    static constexpr std::uint32_t capacity = 64;

    void reset() { *this = {}; }

    // A prediction (or its replay) produced this event. True the first time: show it.
    [[nodiscard]] bool predict(const EventId& id) { return note(id, false); }
    // The server says so. True if nobody has shown it yet.
    [[nodiscard]] bool confirm(const EventId& id) { return note(id, true); }

    // All server events up to `tick` have been heard: the next predicted one at or before it that
    // was not confirmed. False when there is none left.
    [[nodiscard]] bool next_retracted(Tick tick, EventId& out) {
        for (std::uint32_t i = 0; i < count_; ++i) {
            Entry& entry = entries_[i];
            if (entry.is_confirmed || entry.is_retracted || entry.id.tick > tick) continue;
            entry.is_retracted = true;
            ++counters_.retracted;
            out = entry.id;
            return true;
        }
        return false;
    }
    [[nodiscard]] const EventCounters& counters() const { return counters_; }

private:
    struct Entry {
        EventId id{};
        bool is_confirmed = false;
        bool is_retracted = false;
    };

    bool note(const EventId& id, bool is_confirmed) {
        for (std::uint32_t i = 0; i < count_; ++i) {
            Entry& entry = entries_[i];
            if (!(entry.id == id) || mutated<"event-once">()) continue;
            entry.is_confirmed = entry.is_confirmed || is_confirmed;
            ++counters_.suppressed;
            return false;
        }
        if (has_forgotten_ && id.tick <= forgotten_through_) {
            ++counters_.too_old;
            return false;
        }
        place(id).is_confirmed = is_confirmed;
        ++counters_.shown;
        return true;
    }

    // The oldest tick makes room. What lies at or before a forgotten tick is not shown again.
    Entry& place(const EventId& id) {
        std::uint32_t at = count_;
        if (count_ < capacity) {
            ++count_;
        } else {
            at = 0;
            for (std::uint32_t i = 1; i < capacity; ++i) {
                if (entries_[i].id.tick < entries_[at].id.tick) at = i;
            }
            const Entry& oldest = entries_[at];
            if (!oldest.is_confirmed && !oldest.is_retracted) ++counters_.forgotten;
            if (!has_forgotten_ || oldest.id.tick > forgotten_through_) {
                forgotten_through_ = oldest.id.tick;
            }
            has_forgotten_ = true;
        }
        entries_[at] = {.id = id};
        return entries_[at];
    }

    std::array<Entry, capacity> entries_{};
    std::uint32_t count_ = 0;
    bool has_forgotten_ = false;
    Tick forgotten_through_ = 0;
    EventCounters counters_;
};

}  // namespace wt::prediction
