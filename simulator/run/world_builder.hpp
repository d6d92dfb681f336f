// SPDX-License-Identifier: MIT
//
// A scenario becomes hosts: endpoints with keys of their own luck, behaviours above them, links
// between them, acts on the timeline. Owns what a World only points to.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bots/bot.hpp"
#include "bots/game_bot.hpp"
#include "bots/game_server.hpp"
#include "bots/hostile_bot.hpp"
#include "bots/server_application.hpp"
#include "engine/base/check.hpp"
#include "engine/base/entropy.hpp"
#include "simulator/core/own_protocol.hpp"
#include "simulator/core/plan.hpp"
#include "simulator/core/shared_buffers.hpp"
#include "simulator/core/skewed_endpoint.hpp"
#include "simulator/run/test_hooks.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// One process of a run. Its entropy is a luck stream of its own, so that real and null cipher draw
// the same and nobody else's luck moves.
struct Process {
    LuckStream luck;
    std::unique_ptr<transport::Endpoint> endpoint{};
    std::unique_ptr<transport::Endpoint> hostile{};  // In front of it, for some of the crooks.
    std::unique_ptr<SkewedEndpoint> skewed{};  // In front of it, where the host's clock is wrong.
    std::unique_ptr<bots::Behaviour> behaviour{};
};

struct BuiltWorld {
    GameKind game = GameKind::none;
    WorldPlan plan{};
    std::unique_ptr<SharedBuffers> buffers{};  // Before the endpoints that give back to it.
    std::vector<std::unique_ptr<Process>> processes{};  // By host index; the server is 0.
    std::vector<HostName> names{};                      // By host index.
    std::vector<std::uint8_t> is_hostile{};             // By bot.

    [[nodiscard]] const transport::Endpoint& server() const { return *processes[0]->endpoint; }
    // The game's ends, where there is one; of bots only those that play.
    [[nodiscard]] const bots::GameServer& game_server() const {
        WT_CHECK(game == GameKind::arena);
        return static_cast<const bots::GameServer&>(*processes[0]->behaviour);
    }
    [[nodiscard]] const bots::GameBot& game_bot(std::uint32_t number) const {
        WT_CHECK(game == GameKind::arena);
        WT_CHECK(!is_hostile[number]);
        return static_cast<const bots::GameBot&>(*processes[number + 1]->behaviour);
    }
    [[nodiscard]] const bots::ServerApplication& server_application() const {
        WT_CHECK(game == GameKind::none);
        return static_cast<const bots::ServerApplication&>(*processes[0]->behaviour);
    }
    // Bots count from 0, as in the scenario's order of groups.
    [[nodiscard]] const bots::Bot& bot(std::uint32_t number) const {
        WT_CHECK(game == GameKind::none);
        return static_cast<const bots::Bot&>(*processes[number + 1]->behaviour);
    }
};

// What is different where hosts are on real sockets: keys come from the system, and there are other
// processes, of which one may have been here before.
struct RealSockets {
    Entropy entropy;
    bots::TicketBook tickets{};
};

// The server of a scenario for a process of its own, real cipher only.
[[nodiscard]] std::unique_ptr<Process> build_server(const Scenario& scenario, std::uint64_t seed,
                                                    const RealSockets& real);
// Its bots, with `far_end` in the server's place, which takes arrivals every millisecond.
[[nodiscard]] BuiltWorld build_bots(const Scenario& scenario, std::uint64_t seed,
                                    const RealSockets& real, std::unique_ptr<Process> far_end);

[[nodiscard]] BuiltWorld build_world(const Scenario& scenario, std::uint64_t seed,
                                     const TestHooks& hooks = {}, const OwnProtocol* own = nullptr);

}  // namespace wt::sim
