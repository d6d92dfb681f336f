// SPDX-License-Identifier: MIT
//
// When a behaviour does what it does: the same with the game and without one.
#pragma once

#include "bots/behaviour_kind.hpp"
#include "engine/base/time.hpp"

namespace wt::bots {

// How long a joiner is away.
inline constexpr Duration away_for = Duration::seconds(1);
// Frame-less reports: one a millisecond, over a few tags, of which only the newest each is sent.
inline constexpr Duration latest_every = Duration::millis(1);
inline constexpr std::uint32_t latest_tags = 4;

// Between two chat lines, bulk requests or goodbyes; 0 for behaviours that do none of these.
[[nodiscard]] constexpr Duration habit_period(BehaviourKind kind) {
    switch (kind) {
        case BehaviourKind::chatter:
            return Duration::seconds(1);
        case BehaviourKind::hoarder:
            return Duration::seconds(3);
        case BehaviourKind::joiner:
            return Duration::seconds(10);
        case BehaviourKind::idle:
        case BehaviourKind::runner:
        case BehaviourKind::reporter:
        case BehaviourKind::fighter:
        case BehaviourKind::laggard:
        case BehaviourKind::scripted:
        case BehaviourKind::flooder:
        case BehaviourKind::ticket_thief:
        case BehaviourKind::never_reads:
        case BehaviourKind::forger:
        case BehaviourKind::replayer:
            return {};
    }
    return {};
}

}  // namespace wt::bots
