// SPDX-License-Identifier: MIT
//
// A client's own state ahead of the server: each tick predicted from its command, each confirmed
// state held against what was predicted for that very tick, and everything after it played again
// where they differ. Only what the Simulation knows is predicted.
// Spec: 001, replication and latency hiding.
//
// A Simulation has
//   State, Command                               plain values
//   State step(const State&, Command, Tick) const   pure; is_replay() of the ledger is the caller's
//   bool same(const State&, const State&) const     every predicted field equal on the wire
//   bool same_exactly(const State&, const State&) const
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "engine/base/mutated.hpp"
#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

template <class T>
concept Simulation = requires(const T& s, const typename T::State& state,
                              const typename T::Command& command, Tick tick) {
    { s.step(state, command, tick) } -> std::same_as<typename T::State>;
    { s.same(state, state) } -> std::same_as<bool>;
    { s.same_exactly(state, state) } -> std::same_as<bool>;
};

enum class Confirmation : std::uint8_t {
    matched,
    corrected,  // Differed: the state was replaced and the commands after it played again.
    rebased,    // Nothing was predicted for that tick: the history starts anew here.
    stale,      // Not newer than the last confirmed tick; nothing changed.
    ahead,      // Newer than anything predicted; nothing changed (F35: no rollback to the future).
};

struct ReconcilerCounters {
    std::uint64_t matched = 0;
    std::uint64_t corrected = 0;
    std::uint64_t rebased = 0;
    std::uint64_t stale = 0;
    std::uint64_t ahead = 0;
    std::uint64_t replayed = 0;  // Ticks.
};

template <Simulation Sim>
class Reconciler {
public:
    using State = typename Sim::State;
    using Command = typename Sim::Command;

    // Ticks between the confirmed state and the newest prediction: two seconds at 60 Hz.
    static constexpr std::uint32_t history = 128;

    explicit Reconciler(Sim sim = {}) : sim_(sim) {}

    // Forgets everything; `state` is the truth at `tick`.
    void start(Tick tick, const State& state) {
        is_started_ = true;
        confirmed_ = tick;
        newest_ = tick;
        slot(tick) = {.command = {}, .state = state};
    }
    void stop() { is_started_ = false; }

    // The next tick. False, and nothing changes, when `tick` does not follow the newest one or the
    // history is full: the caller waits for a confirmation (rebase with start()).
    [[nodiscard]] bool predict(Tick tick, const Command& command) {
        if (!is_started_ || tick != newest_ + 1) return false;
        if (tick - confirmed_ >= history) return false;
        const State next = sim_.step(state(), command, tick);
        newest_ = tick;
        slot(tick) = {.command = command, .state = next};
        return true;
    }

    // The server's state at `tick`. `predicted` receives what had been predicted for it where
    // something had been (matched, corrected); otherwise it is untouched.
    Confirmation confirm(Tick tick, const State& truth, State& predicted) {
        if (!is_started_) {
            start(tick, truth);
            ++counters_.rebased;
            return Confirmation::rebased;
        }
        if (tick <= confirmed_ && !mutated<"truth-forward">()) {
            ++counters_.stale;
            return Confirmation::stale;
        }
        if (tick > newest_ && !mutated<"truth-not-ahead">()) {
            ++counters_.ahead;
            return Confirmation::ahead;
        }
        Entry& entry = slot(tick);
        predicted = entry.state;
        confirmed_ = tick;
        const bool same = sim_.same(entry.state, truth);
        if (!sim_.same_exactly(entry.state, truth)) {
            entry.state = truth;
            if (!mutated<"replay-commands">()) replay(tick);
        }
        ++(same ? counters_.matched : counters_.corrected);
        return same ? Confirmation::matched : Confirmation::corrected;
    }

    [[nodiscard]] bool is_started() const { return is_started_; }
    [[nodiscard]] Tick newest() const { return newest_; }
    [[nodiscard]] Tick confirmed() const { return confirmed_; }
    // The newest predicted state.
    [[nodiscard]] const State& state() const { return slots_[newest_ % history].state; }
    // State predicted (or confirmed) for a tick in [confirmed, newest]; null outside.
    [[nodiscard]] const State* at(Tick tick) const {
        if (!is_started_ || tick < confirmed_ || tick > newest_) return nullptr;
        return &slots_[tick % history].state;
    }
    [[nodiscard]] const ReconcilerCounters& counters() const { return counters_; }

private:
    struct Entry {
        Command command{};
        State state{};
    };

    Entry& slot(Tick tick) { return slots_[tick % history]; }

    void replay(Tick from) {
        for (Tick tick = from + 1; tick <= newest_; ++tick) {
            Entry& entry = slot(tick);
            entry.state = sim_.step(slot(tick - 1).state, entry.command, tick);
            ++counters_.replayed;
        }
    }

    Sim sim_;
    std::array<Entry, history> slots_{};
    bool is_started_ = false;
    Tick confirmed_ = 0;
    Tick newest_ = 0;
    ReconcilerCounters counters_;
};

}  // namespace wt::prediction
