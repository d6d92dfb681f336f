// SPDX-License-Identifier: MIT
//
// Goal: 4 round trips and 200 ms after the input stops, every client's copy is the server's
// quantised state of its relevance set, bit for bit, in every profile. Method: fighters in a small
// world whose objects stand still unless somebody touches them; hands off; then both ends beside
// each other at exactly that instant. 50 seeds over four profiles, half of them with a short sight.
//
// Bodies coast when their players let go: from the 12 m/s of who was knocked about at 36 m/s^2, 333
// ms. That long the input goes on to work, so the clock starts behind it.
//
// The largest round trips of the profiles: lan 2 x (0.15 + 0.05) ms; home-broadband 2 x 44 ms;
// mobile-4g 2 x 120 ms; wifi-bad, p99 401 ms (its jitter has no end, and its bad state adds).
#include "tests/sim/game_run.hpp"

namespace wt::sim::game_convergence_test {
namespace {

struct Line {
    std::string link{};
    Duration round_trip{};
    std::uint64_t seeds = 0;
};

constexpr Duration coasting = Duration::millis(334);
static_assert(arena::speed_max * 1'000 / arena::acceleration <= 334);

#ifdef WT_LONG_RUNS
constexpr std::uint64_t share = 1;
#else
constexpr std::uint64_t share = 6;
#endif

Scenario fight_of(const Line& line, std::uint64_t seed) {
    const std::string text = R"(
[scenario]
phases = ["play 5s", "rest 4s"]
[transport]
profile = "tuned"
[world]
objects = 120
moving = "0%"
[bots.fighter]
count = 4
join_over = "500ms"
[bots.joiner]
count = 1
[[at]]
phase = "rest"
do = "behave"
as = "idle"
who = "all"
)";
    Settings settings{"bots.fighter.link=" + line.link, "bots.joiner.link=" + line.link};
    if (seed % 2 == 0) settings.push_back("world.interest=40m");
    return game_scenario(text, settings);
}

}  // namespace

TEST_CASE(
    "4 round trips and 200 ms after the input stops every copy is the server's, bit for bit") {
    const Line lines[] = {{"lan", Duration::micros(400), 13},
                          {"home-broadband", Duration::millis(88), 13},
                          {"mobile-4g", Duration::millis(240), 12},
                          {"wifi-bad", Duration::millis(401), 12}};
    std::uint64_t runs = 0;
    std::uint64_t apart_at_once = 0;
    for (const Line& line : lines) {
        for (std::uint64_t seed = 1; seed <= line.seeds; seed += share) {
            CAPTURE(line.link);
            CAPTURE(seed);
            GameRun run(fight_of(line, seed), seed);
            const Duration stop = Duration::seconds(5);
            run.run_to(stop);
            if (!run.is_converged()) ++apart_at_once;
            run.run_to(stop + coasting + line.round_trip * 4 + Duration::millis(200));
            CHECK(run.is_converged());
            ++runs;
        }
    }
    // The oracle sees a difference while there is one.
    CHECK(apart_at_once * 10 >= runs * 9);
}

// What moves by itself goes on; no replica may ever hold what the server did not have at its tick,
// and nobody may be missing or too many once what is under way has come.
TEST_CASE("in a world that never rests no replica holds a state that the server did not have") {
    for (const char* const link : {"lan", "home-broadband", "mobile-4g", "wifi-bad"}) {
        Scenario scenario = fight_of({.link = link}, 1);
        scenario.world.moving = Chance::percent(20);
        scenario.world.spawns_per_hour = 10 * 3'600;
        scenario.world.teleports_per_hour = 60;
        GameRun run(scenario, 3);
        std::uint32_t looked = 0;
        for (std::int64_t ms = 2'000; ms < 9'000; ms += 250) {
            CAPTURE(link);
            CAPTURE(ms);
            run.run_to(Duration::millis(ms));
            for (std::uint32_t bot = 0; bot < 5; ++bot) {
                const std::optional<replication::Divergence> found = run.divergence(bot);
                if (!found.has_value()) continue;
                CHECK(found->differing == 0);
                CHECK(found->resurrected == 0);
                CHECK(found->unexplained() == 0);
                ++looked;
            }
        }
        CHECK(looked > 100);
    }
}

}  // namespace wt::sim::game_convergence_test
