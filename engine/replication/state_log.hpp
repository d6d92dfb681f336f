// SPDX-License-Identifier: MIT
//
// The states that a client received lately, snapshot after snapshot as they came, so that a delta
// finds its baseline: the states of one snapshot lie side by side in slot order, and so do those of
// the next one that is made against it. Reading both is a walk, not a search.
// Easy to break: a run is in place only when publish() was called; until then its room is scratch.
// Spec: 001, replication (delta against acknowledged quantised baselines).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/grow_ring.hpp"
#include "engine/replication/schema.hpp"

namespace wt::replication {

struct LoggedState {
    State state;  // Left as it is by the room that open() gives.
    std::uint16_t slot;
};
static_assert(sizeof(LoggedState) == 12);

class StateLog {
public:
    // Runs stay for so many ticks after they were logged: a baseline's 63, and a snapshot that
    // comes a quarter of a second late finds what it needs.
    static constexpr std::uint32_t kept_ticks = 64 + 16;
    // 64 ticks of 16 messages of 1,400 objects of 6 bits would be 17 MB: a server that says so much
    // loses the oldest. 65,536 are 285 snapshots of 230.
    static constexpr std::uint32_t states_max = 65'536;
    // Looking for one walks them: 64 ticks of 16 messages, and as many that came late or rested.
    static constexpr std::uint32_t runs_max = 2'048;

    // Room for it is taken with the first state; more is taken as it comes.
    struct Expected {
        std::uint32_t runs = 0;
        std::uint32_t states = 0;
    };
    StateLog() = default;
    explicit StateLog(const Expected& expected) : expected_(expected) {}

    // Where reading one run stands: behind its last state lies one of no slot, so that nobody has
    // to count. Valid until the next open().
    struct Cursor {
        const LoggedState* at = &nothing;
        const LoggedState* end = &nothing;
    };

    void clear();

    // A run that goes, while its states can still be read. Numbers follow each other and wrap.
    struct Leaving {
        std::uint16_t number = 0;
        std::uint32_t tick = 0;
        std::span<const LoggedState> states{};
    };
    // Room for `count` states in slot order, before anybody knows whether they are good. Runs that
    // came kept_ticks before `now` give way; leave(const Leaving&) sees each of them.
    template <class Leave>
    [[nodiscard]] std::span<LoggedState> open(std::uint32_t count, std::uint32_t now,
                                              Leave&& leave) {
        while (must_drop(count, now)) {
            const Run& oldest = runs_.front();
            leave(Leaving{first_number_, oldest.tick, states_of(oldest)});
            runs_.pop();
            ++first_number_;
        }
        return std::span(states_).subspan(room_at_, count);
    }
    // As above.
    [[nodiscard]] std::span<LoggedState> open(std::uint32_t count, std::uint32_t now) {
        return open(count, now, [](const Leaving&) {});
    }
    // The first `count` states of that room are those of `tick`, and came at `now`. At most one
    // after each open().
    void publish(std::uint32_t tick, std::uint32_t count, std::uint32_t now);
    // Of the run that publish() makes next, if it has states.
    [[nodiscard]] std::uint16_t next_number() const {
        return static_cast<std::uint16_t>(first_number_ + runs_.size());
    }
    // Of the run of that number, from the slot on; and the run's tick. It must be there.
    [[nodiscard]] Cursor from_slot(std::uint16_t number, std::uint32_t slot,
                                   std::uint32_t& tick) const;

    // The newest run of `tick`; an empty cursor if there is none.
    [[nodiscard]] Cursor at_tick(std::uint32_t tick) const;
    // The slot's state in the run, if the slots asked for go up. Null: not in it.
    [[nodiscard]] static const State* next(Cursor& cursor, std::uint32_t slot) {
        const LoggedState* at = cursor.at;
        while (at->slot < slot)
            ++at;
        cursor.at = at;
        return at->slot == slot ? &at->state : nullptr;
    }
    // The slot's state at exactly `tick`, in whatever run. Null: not here.
    [[nodiscard]] const State* find(std::uint32_t tick, std::uint32_t slot) const;
    // The slot's newest state before `tick`, but not before `least`; `at` is its tick then.
    [[nodiscard]] const State* find_before(std::uint32_t tick, std::uint32_t least,
                                           std::uint32_t slot, std::uint32_t& at) const;
    // All that the run still has.
    [[nodiscard]] static std::span<const LoggedState> rest_of(const Cursor& cursor) {
        return {cursor.at, cursor.end};
    }

    [[nodiscard]] std::size_t memory() const;

private:
    static constexpr std::uint16_t no_slot = 0xffff;
    static_assert(slots_max <= no_slot);
    static constexpr LoggedState nothing{.state = {}, .slot = no_slot};

    struct Run {
        std::uint32_t tick = 0;
        std::uint32_t logged = 0;  // Tick at which it came.
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    [[nodiscard]] std::span<const LoggedState> states_of(const Run& run) const {
        return std::span(states_).subspan(run.first, run.count);
    }
    [[nodiscard]] Cursor cursor_in(const Run& run, std::uint32_t slot) const;
    [[nodiscard]] const State* find_in(const Run& run, std::uint32_t slot) const;
    [[nodiscard]] bool must_drop(std::uint32_t count, std::uint32_t now);
    [[nodiscard]] bool place(std::uint32_t count);
    void grow(std::uint32_t count);

    std::vector<LoggedState> states_{};  // A ring in which no run goes over the end.
    GrowRing<Run> runs_{};               // The oldest first.
    std::uint16_t first_number_ = 0;     // Of the oldest.
    std::uint32_t room_at_ = 0;          // Of what open() gave last.
    Expected expected_{};
};

}  // namespace wt::replication
