// SPDX-License-Identifier: MIT
//
// What kinds of bots there are. The words stand in scenario files.
#pragma once

#include <cstdint>

namespace wt::bots {

enum class BehaviourKind : std::uint8_t {
    idle,      // Joins and keeps alive.
    runner,    // Walks: inputs and framed reports.
    chatter,   // A chat line each second on top.
    joiner,    // Leaves every 10 s and comes back.
    hoarder,   // Asks for a 200 KiB bulk record every 3 s.
    reporter,  // Frame-less reports by tag at 1 kHz beside the framed ones.
};

}  // namespace wt::bots
