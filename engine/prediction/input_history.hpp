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
    void clear() { newest_ = 0, count_ = 0; }
    // A tick that does not follow the newest forgets what was there: a message can only name
    // consecutive ticks.
    void record(Tick tick, std::uint32_t command, const View* seen);
    // Fills tick, commands and views with the newest command and up to `repeats` older ones; the
    // caller adds acknowledgement and clock. False, nothing filled, while there is no command.
    [[nodiscard]] bool fill(std::size_t repeats, InputMessage& out) const;

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Tick newest() const { return newest_; }

private:
    struct Entry {
        std::uint32_t command = 0;
        bool has_view = false;
        WireView view{};
    };

    std::array<Entry, commands_max> entries_{};
    Tick newest_ = 0;
    std::size_t count_ = 0;
};

}  // namespace wt::prediction
