// SPDX-License-Identifier: MIT
//
// A short run of four players whose messages are captured, and what both ends believed at one
// instant in the middle of it: for whoever reads such traces.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "simulator/run/scenario_run.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "viewer/model/world_picture.hpp"

namespace wt::test {

struct PayloadRun {
    static constexpr std::uint32_t bots = 4;

    // `middle` lies between two events: everything before it has happened, nothing at it.
    explicit PayloadRun(Instant middle) {
        constexpr const char* text = R"(
[scenario]
phases = ["join 1s", "play 2s"]
[links.default]
profile = "home-broadband"
[bots.fighter]
count = 4
)";
        auto scenario = sim::read_scenario_text(text, "run.toml", {});
        REQUIRE(scenario.has_value());
        const std::vector<sim::Gate> gates;
        sim::RunOptions options;
        options.trace = sim::TraceOptions{};
        options.trace->memory = &bytes;
        options.trace->payload = true;
        sim::ScenarioRun run(*scenario, gates, options);
        run.run_until(middle);
        for (std::uint32_t bot = 0; bot < bots; ++bot)
            pictures.push_back(viewer::picture_of(run.built(), bot, middle));
        run.run_until(scenario->end());
        for (std::uint32_t bot = 0; bot < bots; ++bot)
            checksums.push_back(run.built().game_bot(bot).client().replicas().checksum());
        REQUIRE(run.finish(sim::Stopped::at_end).trace_is_whole);
    }

    std::vector<std::uint8_t> bytes{};
    std::vector<viewer::WorldPicture> pictures{};  // In the middle, by bot.
    std::vector<std::uint64_t> checksums{};        // Of replicas, at the end.
};

}  // namespace wt::test
