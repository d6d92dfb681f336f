// SPDX-License-Identifier: MIT
//
// One peer's inputs at the server: deduplicated, bounded in age, future and number, handed out once
// at the input cut of their tick. Time is the budget: a peer can never have more ticks accepted
// than went by, plus a clamp; commands for one tick are one command, the first.
// Spec: 001, tick ownership, step 2 and 3; limits.
#pragma once

#include <array>
#include <cstdint>

#include "engine/prediction/feedback.hpp"
#include "engine/prediction/input_message.hpp"

namespace wt::prediction {

struct ServerInputsConfig {
    Frequency tick_rate{60};
    std::uint32_t age_max = 32;       // Ticks behind the next cut that a message may name.
    std::uint32_t future_max = 60;    // Ticks beyond the next cut that it may name. Below 64.
    std::uint32_t clamp = 60;         // Commands that may come at once after a silence.
    std::uint32_t hold_max = 15;      // Missing ticks that repeat the last command; then neutral.
    std::uint32_t repeat_mask = ~0u;  // Bits of a command that may be repeated (no buttons).
    std::uint32_t neutral = 0;
};

enum class InputVerdict : std::uint8_t { ok, too_old, too_far };

// The server's clock as the inputs see it: the next tick to be simulated and its instant.
struct InputCut {
    Tick next = 0;
    Instant at{};
};

// What one message brought: inputs that came for the first time, with their margins.
struct InputReport {
    struct Arrival {
        Tick tick = 0;
        Duration margin{};  // Cut of the tick - now; negative: late.
    };
    InputVerdict verdict = InputVerdict::ok;
    std::uint8_t arrival_count = 0;
    std::array<Arrival, commands_max> arrivals{};
};

struct TakenInput {
    std::uint32_t command = 0;
    bool was_real = false;
    bool has_view = false;
    View view{};
};

struct InputCounters {
    std::uint64_t accepted = 0;     // Commands.
    std::uint64_t duplicates = 0;   // Same tick, same command.
    std::uint64_t conflicts = 0;    // Same tick, another command: the first one stands.
    std::uint64_t late = 0;         // First arrival after the cut.
    std::uint64_t beyond = 0;       // Commands outside the horizon in a message inside it.
    std::uint64_t over_budget = 0;  // Commands without time left for them.
    std::uint64_t too_old = 0;      // Messages.
    std::uint64_t too_far = 0;      // Messages.
    std::uint64_t ticks = 0;        // Taken from the first accepted input's tick on.
    std::uint64_t missed = 0;       // Of those, without their real input.
};

class ServerInputs {
public:
    explicit ServerInputs(const ServerInputsConfig& config);
    void reset();

    // Step 2. A verdict other than ok changed nothing but its counter.
    InputReport on_message(Instant now, const InputMessage& message, InputCut cut);
    // Step 3, once for each tick in order. Jumps of `tick` are allowed forward.
    TakenInput take(Tick tick);
    // For the next snapshot; forgets the worst margin that it reported.
    Feedback feedback(Instant now, Tick snapshot_tick);

    // Whether a message may be looked at, before its payload is decoded.
    [[nodiscard]] InputVerdict judge(std::uint32_t wire_tick, Tick next) const;
    [[nodiscard]] bool has_input() const { return has_input_; }
    [[nodiscard]] const InputCounters& counters() const { return counters_; }

private:
    static constexpr std::uint32_t window = 128;  // future_max + what late inputs are judged by.

    enum class Mark : std::uint8_t { empty, waiting, taken, missed };
    struct Entry {
        Tick tick = 0;
        std::uint32_t command = 0;
        Mark mark = Mark::empty;
        bool has_view = false;
        View view{};
    };

    void add(Tick tick, const InputMessage& message, std::size_t index, Tick next);
    void note_arrival(Instant now, Tick tick, InputCut cut, InputReport& report);
    Entry& entry(Tick tick) { return entries_[tick % window]; }

    ServerInputsConfig config_;
    std::array<Entry, window> entries_{};
    InputCounters counters_;
    std::uint32_t budget_ = 0;
    std::uint32_t held_ = 0;  // Ticks in a row that repeated the last command.
    std::uint32_t last_command_ = 0;
    bool has_input_ = false;  // Any accepted in this epoch.
    Tick first_ = 0;          // The first one accepted.
    bool has_applied_ = false;
    Tick applied_ = 0;  // Newest tick simulated with its real input.
    bool has_margin_ = false;
    Duration worst_margin_{};
    Tick worst_tick_ = 0;
    bool has_clock_ = false;
    std::uint32_t newest_wire_tick_ = 0;
    std::uint32_t clock_us_ = 0;
    Instant clock_at_{};
};

}  // namespace wt::prediction
