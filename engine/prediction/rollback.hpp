// SPDX-License-Identifier: MIT
//
// Full rollback, opt-in, for games whose whole state is deterministic and small: every peer runs
// everybody, guesses the inputs it has not heard yet, and plays again from the first wrong guess.
// Only states whose inputs are all known are ever compared: a predicted one differs by right (F44).
// Spec: 001, replication and latency hiding (full rollback).
//
// A RollbackGame has
//   State, Command                          plain values; Command compares with ==
//   static constexpr std::uint32_t players
//   State step(const State&, std::span<const Command>, Tick) const
//   std::uint64_t checksum(const State&) const
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include "engine/base/check.hpp"
#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

template <class T>
concept RollbackGame = requires(const T& game, const typename T::State& state,
                                std::span<const typename T::Command> commands, Tick tick) {
    { T::players } -> std::convertible_to<std::uint32_t>;
    { game.step(state, commands, tick) } -> std::same_as<typename T::State>;
    { game.checksum(state) } -> std::same_as<std::uint64_t>;
};

enum class RemoteInput : std::uint8_t {
    ok,
    duplicate,
    gap,      // Not the next of that player: the sender repeats what is missing.
    too_far,  // Beyond what the window can hold.
};

struct RollbackCounters {
    std::uint64_t rollbacks = 0;
    std::uint64_t replayed = 0;  // Ticks played again.
    std::uint64_t stalls = 0;    // Ticks not played for want of others' inputs.
    std::uint64_t duplicates = 0;
    std::uint64_t refused = 0;  // Inputs with a gap before them or too far ahead.
};

struct ConfirmedChecksum {
    Tick tick = 0;
    std::uint64_t sum = 0;
};

template <RollbackGame Game>
class Rollback {
public:
    using State = typename Game::State;
    using Command = typename Game::Command;

    static constexpr std::uint32_t players = Game::players;
    // Ticks that may be guessed; states and inputs of twice that are kept.
    static constexpr std::uint32_t window = 32;

    // `state` is everybody's truth after `tick`.
    Rollback(const Game& game, Tick tick, const State& state)
        : game_(game), newest_(tick), reported_(tick), dirty_from_(tick + 1) {
        heard_.fill(tick);
        slot(tick).state = state;
    }

    // The own player's input for a tick, or another's as it arrives. Of each player in order.
    RemoteInput add_input(std::uint32_t player, Tick tick, const Command& command) {
        WT_CHECK(player < players);
        if (tick <= heard_[player]) {
            ++counters_.duplicates;
            return RemoteInput::duplicate;
        }
        if (tick != heard_[player] + 1 || tick > confirmed() + window) {
            ++counters_.refused;
            return tick != heard_[player] + 1 ? RemoteInput::gap : RemoteInput::too_far;
        }
        heard_[player] = tick;
        last_heard_[player] = command;
        Command& used = slot(tick).commands[player];
        const bool was_wrong = tick <= newest_ && !(used == command);
        used = command;
        if (was_wrong) dirty_from_ = std::min(dirty_from_, tick);
        return RemoteInput::ok;
    }

    // Plays again what was guessed wrong, then one tick more. False, without the tick more, while
    // somebody's inputs are a whole window behind.
    bool advance() {
        settle();
        if (newest_ + 1 > confirmed() + window) {
            ++counters_.stalls;
            return false;
        }
        ++newest_;
        play(newest_);
        dirty_from_ = newest_ + 1;
        return true;
    }

    // Plays again without going on: for a peer that waits.
    void settle() {
        if (dirty_from_ > newest_) return;
        ++counters_.rollbacks;
        for (Tick tick = dirty_from_; tick <= newest_; ++tick) {
            play(tick);
            ++counters_.replayed;
        }
        dirty_from_ = newest_ + 1;
    }

    // Checksums of confirmed ticks, each once, in order; after advance() or settle().
    [[nodiscard]] bool next_checksum(ConfirmedChecksum& out) {
        const Tick last = std::min(confirmed(), newest_);
        if (reported_ >= last || dirty_from_ <= reported_ + 1) return false;
        ++reported_;
        out = {.tick = reported_, .sum = game_.checksum(slot(reported_).state)};
        return true;
    }

    [[nodiscard]] Tick newest() const { return newest_; }
    // Every input up to here is known. Never goes back.
    [[nodiscard]] Tick confirmed() const { return *std::min_element(heard_.begin(), heard_.end()); }
    [[nodiscard]] Tick heard(std::uint32_t player) const { return heard_[player]; }
    [[nodiscard]] const State& state() const { return slots_[newest_ % kept].state; }
    // Test hook: what a detector that does not wait for confirmation would compare.
    [[nodiscard]] std::uint64_t predicted_checksum() const { return game_.checksum(state()); }
    [[nodiscard]] const RollbackCounters& counters() const { return counters_; }

private:
    static constexpr std::uint32_t kept = 4 * window;

    struct Slot {
        State state{};
        std::array<Command, players> commands{};
    };

    Slot& slot(Tick tick) { return slots_[tick % kept]; }

    void play(Tick tick) {
        Slot& now = slot(tick);
        for (std::uint32_t player = 0; player < players; ++player) {
            // The best guess for a player is that it goes on as it did.
            if (heard_[player] < tick) now.commands[player] = last_heard_[player];
        }
        now.state = game_.step(slot(tick - 1).state, now.commands, tick);
    }

    Game game_;
    std::array<Slot, kept> slots_{};
    std::array<Tick, players> heard_{};  // Newest input of each.
    std::array<Command, players> last_heard_{};
    Tick newest_ = 0;
    Tick reported_ = 0;
    Tick dirty_from_ = 0;  // First tick whose state is to be played again; newest + 1: none.
    RollbackCounters counters_;
};

}  // namespace wt::prediction
