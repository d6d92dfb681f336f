// SPDX-License-Identifier: MIT
#include "engine/prediction/input_history.hpp"

#include <algorithm>

namespace wt::prediction {

void InputHistory::record(Tick tick, std::uint32_t command, const View* seen) {
    if (tick != newest_ + 1) count_ = 0;
    newest_ = tick;
    count_ = std::min(count_ + 1, commands_max);
    Entry& entry = entries_[tick % commands_max];
    entry = {.command = command, .has_view = seen != nullptr};
    if (seen != nullptr) entry.view = to_wire(*seen);
}

bool InputHistory::fill(std::size_t repeats, InputMessage& out) const {
    if (empty()) return false;
    const std::size_t count = std::min({repeats + 1, count_, commands_max});
    out.newest_tick = static_cast<std::uint32_t>(newest_);
    out.count = static_cast<std::uint8_t>(count);
    out.view_mask = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Entry& entry = entries_[(newest_ - i) % commands_max];
        out.commands[i] = entry.command;
        if (!entry.has_view) continue;
        out.view_mask = static_cast<std::uint8_t>(out.view_mask | 1u << i);
        out.views[i] = entry.view;
    }
    return true;
}

}  // namespace wt::prediction
