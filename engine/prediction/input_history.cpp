// SPDX-License-Identifier: MIT
#include "engine/prediction/input_history.hpp"

#include <algorithm>

namespace wt::prediction {

void InputHistory::record(Tick tick, std::uint32_t command, const View* seen) {
    if (tick != newest_ + 1) {
        count_ = 0;
        unsent_ = 0;
    }
    newest_ = tick;
    count_ = std::min(count_ + 1, capacity);
    unsent_ = std::min(unsent_ + 1, capacity);
    Entry& entry = entries_[tick % capacity];
    entry = {.command = command, .has_view = seen != nullptr};
    if (seen != nullptr) entry.view = to_wire(*seen);
}

bool InputHistory::next_message(std::size_t repeats, InputMessage& out) {
    if (unsent_ == 0) return false;
    // The oldest new ones first; a slow frame may have made more than one message holds.
    const std::size_t room = commands_max - std::min(repeats, commands_max - 1);
    const std::size_t fresh = std::min(unsent_, room);
    const std::size_t newer = unsent_ - fresh;
    const Tick newest = newest_ - newer;
    const std::size_t count = std::min(fresh + repeats, std::min(count_ - newer, commands_max));
    unsent_ = newer;
    out.newest_tick = static_cast<std::uint32_t>(newest);
    out.count = static_cast<std::uint8_t>(count);
    out.view_mask = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Entry& entry = entries_[(newest - i) % capacity];
        out.commands[i] = entry.command;
        if (!entry.has_view) continue;
        out.view_mask = static_cast<std::uint16_t>(out.view_mask | 1u << i);
        out.views[i] = entry.view;
    }
    return true;
}

}  // namespace wt::prediction
