// SPDX-License-Identifier: MIT
//
// A small game on links, run step by step by a test that looks at both ends: scenarios as text,
// null cipher, no metrics.
#pragma once

#include <optional>
#include <string>

#include "engine/replication/divergence.hpp"
#include "simulator/core/world.hpp"
#include "simulator/run/world_builder.hpp"
#include "tests/sim/scenario_run.hpp"

namespace wt::sim {

inline Scenario game_scenario(const std::string& text, Settings settings = {}) {
    settings.push_back("transport.cipher=null");
    const PartialScenario read = read_text_partly(text, "game.toml", settings);
    for (const Problem& problem : read.problems)
        FAIL_CHECK(problem.message);
    REQUIRE(read.problems.empty());
    return read.scenario;
}

struct GameRun {
    GameRun(const Scenario& from, std::uint64_t seed, const TestHooks& hooks = {},
            Observer* observer = nullptr)
        : scenario(from), built(build_world(scenario, seed, hooks)), world(built.plan, observer) {}

    void run_to(Duration time) { world.run_until(Instant{} + time); }

    [[nodiscard]] const bots::GameClient& client(std::uint32_t bot) const {
        return built.game_bot(bot).client();
    }
    // Nothing where one of the two ends does not take the bot for a player.
    [[nodiscard]] std::optional<replication::Divergence> divergence(std::uint32_t bot) const {
        const bots::GameServer& server = built.game_server();
        const replication::PeerReplication* view = server.view_of(built.game_bot(bot).player());
        if (view == nullptr || client(bot).state() != session::State::active) return std::nullopt;
        return replication::compare(*server.table(), *view, client(bot).replicas());
    }
    // Every bot is in, and its copy is the server's relevance set bit for bit.
    [[nodiscard]] bool is_converged() const {
        const bots::GameServer& server = built.game_server();
        for (std::uint32_t bot = 0; bot < scenario.bot_count(); ++bot) {
            const std::optional<replication::Divergence> found = divergence(bot);
            if (!found.has_value() || !found->is_converged()) return false;
            const replication::PeerReplication& view =
                *server.view_of(built.game_bot(bot).player());
            const std::uint64_t expected = replication::expected_checksum(*server.table(), view);
            if (client(bot).replicas().checksum() != expected) return false;
        }
        return true;
    }

    Scenario scenario;
    BuiltWorld built;
    World world;
};

}  // namespace wt::sim
