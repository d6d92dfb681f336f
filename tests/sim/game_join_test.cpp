// SPDX-License-Identifier: MIT
//
// Goal: joining does not depend on how old the server is (F34), nor on what an earlier session left
// under way. Method: the same game with first ticks of 0, 10^6 and just below the wrap of 32 bits,
// a late bot at tick 10 of each; and bots that die and come back while their old datagrams are
// still in flight both ways.
#include <array>

#include "tests/sim/game_run.hpp"

namespace wt::sim::game_join_test {
namespace {

// When each bot's two ends were both Active, the last time.
class Arrivals final : public Observer {
public:
    void on_fact(const GameFact& what) override {
        if (what.fact.what != bots::Fact::What::session_active) return;
        if (what.flow.way == Way::up) active_at[what.flow.bot] = what.at;
    }
    void on_connection(const ConnectionChange& what) override {
        if (what.what == ConnectionChange::What::down && !what.is_server_side) ++downs[what.bot];
    }
    std::array<Instant, 8> active_at{};
    std::array<std::uint32_t, 8> downs{};
};

constexpr const char* party = R"(
[scenario]
phases = ["play 6s", "rest 3s"]
[transport]
profile = "tuned"
[world]
objects = 200
moving = "0%"
[links.default]
rtt = "60ms"
[bots.runner]
count = 3
[bots.late]
behaviour = "fighter"
count = 1
[[at]]
phase = "rest"
do = "behave"
as = "idle"
who = "all"
)";

// Avatars in the server's world: one a player, however often somebody came.
std::uint32_t avatars(const GameRun& run) {
    const replication::ObjectTable& table = *run.built.game_server().table();
    std::uint32_t count = 0;
    for (std::uint32_t slot = 0; slot < table.slots_used(); ++slot) {
        if (!table.is_alive(slot)) continue;
        if (table.schemas().at(table.schema_of(slot)).kind == arena::avatar_kind) ++count;
    }
    return count;
}

// From a bot's start to both ends being in.
Duration join_time(const Settings& settings, Duration join_at) {
    Settings all = settings;
    all.push_back("bots.late.join_at=" + std::to_string(join_at.ns) + "ns");
    Arrivals arrivals;
    GameRun run(game_scenario(party, all), 1, {}, &arrivals);
    run.run_to(Duration::millis(6'800));  // 333 ms of coasting, 4 x 60 ms and 200 ms.
    CHECK(run.is_converged());
    CHECK(avatars(run) == 4);
    // By name: "late" is the first group.
    return arrivals.active_at[0] - (Instant{} + join_at);
}

}  // namespace

TEST_CASE("joining takes as long on an old server as on a young one (F34)") {
    // Snapshots of one peer lie 50 ms apart, in a phase that the tick's number decides, and frames
    // 17 ms: nothing else may differ.
    constexpr Duration tolerance = Duration::millis(70);
    const Duration tick_10 = Duration::nanos(1'000'000'000 * std::int64_t{10} / 60);
    const Duration young = join_time({}, tick_10);
    CHECK(young > Duration::millis(120));  // Two round trips at least.
    CHECK(young < Duration::millis(700));
    for (const char* const first : {"1_000_000", "4_294_966_996", "4_294_967_280"}) {
        CAPTURE(first);
        const Duration old = join_time({std::string("initial.tick=") + first}, tick_10);
        CHECK(old <= young + tolerance);
        CHECK(young <= old + tolerance);
    }
    const Duration later = join_time({}, Duration::seconds(4));
    CHECK(later <= young + tolerance);
    CHECK(young <= later + tolerance);
}

TEST_CASE("every counter of [initial] passes its wrap in the middle of a game") {
    const Settings wraps{"initial.tick=4_294_967_000",
                         "initial.transmission_sequence=65_500",
                         "initial.message_id=65_400",
                         "initial.packet_number=4_294_967_200",
                         "initial.record_counter=4_294_967_200",
                         "initial.epoch=4_294_967_294"};
    (void)join_time(wraps, Duration::millis(500));
}

namespace {

// What bot 0 and its server had under way is held back for 3 s by exact faults; meanwhile it goes
// and comes back. Fails unless old datagrams really met the new session.
void check_return(const std::string& bots, const std::string& act, std::uint32_t times) {
    const std::string text = R"(
[scenario]
phases = ["play 9s", "rest 3s"]
[transport]
profile = "tuned"
timeout = "2500ms"
[world]
objects = 150
moving = "0%"
[links.default]
rtt = "80ms"
[[at]]
phase = "rest"
do = "behave"
as = "idle"
who = "all"
[[at]]
name = "old_up"
time = "3900ms"
every = "2s"
for = "200ms"
do = "delay"
by = "3s"
who = "comer-0"
what = "up datagram #1..60"
[[at]]
name = "old_down"
time = "3900ms"
every = "2s"
for = "200ms"
do = "delay"
by = "3s"
who = "comer-0"
what = "down datagram #1..60"
)" + bots + act;
    Arrivals arrivals;
    GameRun run(game_scenario(text), 5, {}, &arrivals);
    run.run_to(Duration::millis(9'900));  // 333 ms of coasting, 4 x 80 ms and 200 ms.
    CHECK(run.is_converged());
    CHECK(avatars(run) == run.scenario.bot_count());
    CHECK(arrivals.downs[0] >= times);
    const transport::Counters& server = run.built.server().counters();
    std::uint64_t refused = 0;
    for (const std::uint64_t count : server.refused)
        refused += count;
    CHECK(refused > 0);
    run.run_to(Duration::seconds(12));
    run.world.finish();
    CHECK(run.world.fault_report(1).hits > 5);
}

}  // namespace

TEST_CASE("a bot that dies comes back although its old datagrams still arrive") {
    check_return(
        "[bots.comer]\nbehaviour = \"fighter\"\nreconnect = { after = \"100ms\" }\n"
        "[bots.runner]\ncount = 3\n",
        "[[at]]\ntime = \"4s\"\nevery = \"2s\"\nfor = \"100ms\"\ndo = \"kill\"\n"
        "who = \"comer-0\"\n",
        2);
}

TEST_CASE("a bot that leaves and returns on the same port takes nothing of its old session") {
    check_return(
        "[bots.comer]\nbehaviour = \"fighter\"\nreconnect = { after = \"100ms\" }\n"
        "[bots.runner]\ncount = 3\n",
        "[[at]]\ntime = \"4s\"\nevery = \"2s\"\nfor = \"300ms\"\ndo = \"leave\"\n"
        "who = \"comer-0\"\n",
        2);
}

TEST_CASE("a server that restarts takes its players back and none of their old datagrams") {
    check_return(
        "[bots.comer]\nbehaviour = \"fighter\"\n"
        "reconnect = { after = \"100ms\", tries = 20 }\n"
        "[bots.runner]\ncount = 3\nreconnect = { after = \"100ms\", tries = 20 }\n",
        "[[at]]\ntime = \"4s\"\nfor = \"200ms\"\ndo = \"restart\"\n"
        "who = \"server\"\n",
        1);
}

}  // namespace wt::sim::game_join_test
