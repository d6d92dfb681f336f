// SPDX-License-Identifier: MIT
//
// What a scripted bot does, and when: from its process's start on, by its own clock.
#pragma once

#include <cstdint>

#include "bots/behaviour_kind.hpp"
#include "engine/base/time.hpp"

namespace wt::bots {

struct ScriptStep {
    enum class What : std::uint8_t {
        behave,  // As another kind from here on.
        say,     // One chat line.
        ask,     // One bulk record.
        leave,   // Closes properly.
        join,    // Comes again.
    };
    Duration at{};
    What what = What::behave;
    BehaviourKind as = BehaviourKind::idle;
};
inline constexpr std::size_t script_steps_max = 1'000;

}  // namespace wt::bots
