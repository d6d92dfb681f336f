// SPDX-License-Identifier: MIT
//
// A scenario becomes hosts: endpoints with keys of their own luck, behaviours above them, links
// between them, acts on the timeline. Owns what a World only points to.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bots/bot.hpp"
#include "bots/server_application.hpp"
#include "simulator/core/plan.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// One process of a run. Its entropy is a luck stream of its own, so that real and null cipher draw
// the same and nobody else's luck moves.
struct Process {
    LuckStream luck;
    std::unique_ptr<transport::Endpoint> endpoint{};
    std::unique_ptr<bots::Behaviour> behaviour{};
};

struct BuiltWorld {
    WorldPlan plan{};
    std::vector<std::unique_ptr<Process>> processes{};  // By host index; the server is 0.
    std::vector<HostName> names{};                      // By host index.

    [[nodiscard]] const transport::Endpoint& server() const { return *processes[0]->endpoint; }
    [[nodiscard]] const bots::ServerApplication& server_application() const {
        return static_cast<const bots::ServerApplication&>(*processes[0]->behaviour);
    }
    // Bots count from 0, as in the scenario's order of groups.
    [[nodiscard]] const bots::Bot& bot(std::uint32_t number) const {
        return static_cast<const bots::Bot&>(*processes[number + 1]->behaviour);
    }
};

[[nodiscard]] BuiltWorld build_world(const Scenario& scenario, std::uint64_t seed);

}  // namespace wt::sim
