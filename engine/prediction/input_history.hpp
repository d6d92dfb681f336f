// SPDX-License-Identifier: MIT
//
// The commands a client made, kept so that each message can carry the last few again: a lost
// datagram then costs nothing if the next one arrives before the input cut.
// Spec: 001, delivery semantics (Input).
#pragma once

#include <array>
#include <cstdint>

#include "engine/prediction/input_message.hpp"

namespace wt::prediction {

class InputHistory {
public:
    void clear() { *this = {}; }
    // A tick that does not follow the newest forgets what was there: a message can only name
    // consecutive ticks.
    void record(Tick tick, std::uint32_t command, const View* seen);
    // Fills tick, commands and views with what was recorded since the last message and up to
    // `repeats` commands before that; the caller adds acknowledgement and clock, and calls again
    // while it is true. False, and nothing filled, when there is nothing new.
    [[nodiscard]] bool next_message(std::size_t repeats, InputMessage& out);

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Tick newest() const { return newest_; }

private:
    struct Entry {
        std::uint32_t command = 0;
        bool has_view = false;
        WireView view{};
    };

    static constexpr std::size_t capacity = 32;

    std::array<Entry, capacity> entries_{};
    Tick newest_ = 0;
    std::size_t count_ = 0;
    std::size_t unsent_ = 0;
};

}  // namespace wt::prediction
