// SPDX-License-Identifier: MIT
//
// A scenario in real time is two processes, and each of them sees its own end. A gate on what only
// the other end can see is named and left out; it never passes for want of values.
#pragma once

#include <string>
#include <vector>

#include "simulator/gates/gate.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

enum class Side : std::uint8_t { server, bots };
[[nodiscard]] const char* name_of(Side side);

// Whether this side takes values of the metric in one of the directions that `way` means. Nobody
// does of what needs both ends, or the instant at which the other one did something.
[[nodiscard]] bool sees(Side side, MetricId id, Way way, GameKind game);

// Gates as one side judges them.
struct SplitGates {
    std::vector<Gate> seen{};
    std::vector<std::string> unseen{};  // Names.
};
[[nodiscard]] SplitGates split_gates(Side side, const std::vector<Gate>& gates, GameKind game);

}  // namespace wt::sim
