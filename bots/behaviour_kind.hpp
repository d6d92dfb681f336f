// SPDX-License-Identifier: MIT
//
// What a bot does. Names and order are those of the scenario language.
#pragma once

#include <cstdint>

namespace wt::bots {

enum class BehaviourKind : std::uint8_t {
    idle,      // Joins and keeps alive; hands off.
    runner,    // Walks.
    chatter,   // Walks, and says a line each second.
    joiner,    // Walks, leaves every 10 s and comes back.
    hoarder,   // Walks, and asks for a 200 KiB bulk record every 3 s.
    reporter,  // Walks, and writes reports: framed at 60/s, by tag at 1 kHz.
    fighter,   // Walks, shoots, pushes, picks up.
    laggard,   // Walks, presents ten frames a second and stalls.
    scripted,  // Does what its script says.
    // Hostile ones: what they do to others is the question, never how they fare themselves.
    flooder,       // Asks for connections from addresses that are not its own.
    ticket_thief,  // Shows a ticket that somebody else has used.
    never_reads,   // Acknowledges, and reads nothing.
    forger,        // Sends what no client may: wrong kinds, future ticks, others' objects.
    replayer,      // Sends each of its own datagrams again and again.
};

[[nodiscard]] constexpr bool is_hostile(BehaviourKind kind) {
    return kind >= BehaviourKind::flooder;
}

}  // namespace wt::bots
