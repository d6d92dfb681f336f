// SPDX-License-Identifier: MIT
//
// Reports from the field about whole games (FIELD_REPORTS, part 3): each with an oracle, and the
// same run with one part of the game broken on purpose, in which the oracle must speak.
#include <algorithm>
#include <array>

#include "tests/sim/game_run.hpp"

namespace wt::sim::game_field_test {
namespace {

constexpr const char* game = R"(
[scenario]
phases = ["join 3s", "play 9s"]
[transport]
profile = "tuned"
)";

// Frames of a client that show an older snapshot than one that its host had already read.
class Unapplied final : public Observer {
public:
    void on_message(const MessageDelivered& what) override {
        if (what.message.kind != transport::Kind::snapshot || what.flow.way != Way::down) return;
        std::uint64_t& newest = arrived[what.flow.bot];
        newest = std::max<std::uint64_t>(newest, what.message.tick);
    }
    void on_frame(const FrameShown& what) override {
        ++frames;
        if (what.frame.newest_tick < arrived[what.bot]) ++behind;
    }
    std::array<std::uint64_t, 8> arrived{};
    std::uint64_t frames = 0;
    std::uint64_t behind = 0;
};

Unapplied play_lossy(const TestHooks& hooks) {
    const Scenario scenario = game_scenario(std::string(game) + R"(
[world]
objects = 100
[links.default]
rtt = "150ms"
loss = "5%"
[bots.fighter]
count = 4
)");
    Unapplied unapplied;
    GameRun run(scenario, 29, hooks, &unapplied);
    run.run_to(Duration::seconds(12));
    return unapplied;
}

}  // namespace

TEST_CASE("F29: at 5 % loss and 150 ms every frame knows the newest snapshot that has come") {
    const Unapplied right = play_lossy({});
    CHECK(right.frames > 4 * 60 * 8);
    CHECK(right.behind == 0);
    CHECK(play_lossy({.clients_want_every_snapshot = true}).behind > right.frames / 2);
}

namespace {

// How often a client that lags behind had somebody twice, somebody who was gone, a state that the
// server never had, or lost its session over it; looked at four times a second.
std::uint32_t wrong_looks(const TestHooks& hooks) {
    const Scenario scenario = game_scenario(std::string(game) + R"(
[world]
objects = 150
spawn = "60/s"
[links.default]
rtt = "60ms"
loss = "3%"
[bots.laggard]
count = 2
[bots.runner]
count = 2
stall = { every = "1s", for = "80ms" }
[bots.joiner]
count = 1
)");
    GameRun run(scenario, 32, hooks);
    std::uint32_t wrong = 0;
    constexpr std::uint32_t joiner = 0;  // By name; it is away now and then.
    for (std::int64_t ms = 3'000; ms <= 12'000; ms += 250) {
        run.run_to(Duration::millis(ms));
        for (std::uint32_t bot = 0; bot < scenario.bot_count(); ++bot) {
            const std::optional<replication::Divergence> found = run.divergence(bot);
            if (!found.has_value()) {
                if (bot != joiner) ++wrong;
                continue;
            }
            std::array<std::uint32_t, 64> avatars_of{};
            run.client(bot).replicas().visit([&](const replication::ReplicaView& replica) {
                if (replica.kind != arena::avatar_kind) return;
                ++avatars_of[static_cast<std::size_t>(replica.owner) % avatars_of.size()];
            });
            const bool has_twins =
                std::any_of(avatars_of.begin(), avatars_of.end(), [](auto n) { return n > 1; });
            if (has_twins || found->resurrected > 0 || found->differing > 0) ++wrong;
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("F32: clients that lag 2 to 5 ticks meet every spawn once") {
    CHECK(wrong_looks({}) == 0);
    CHECK(wrong_looks({.replication = replication::PeerFault::reuse_at_once}) > 0);
}

namespace {

struct Slow {
    std::int64_t backlog = 0;  // Of the slow peer, the most.
    std::int64_t age_p99 = 0;  // Of the others, while it is slow.
};

// One of 16 players falls to 1 kbit/s for 6 s; in the comparison nobody does.
Slow with_slow_peer(bool is_slow, const TestHooks& hooks) {
    Scenario scenario = game_scenario(R"(
[scenario]
phases = ["join 3s", "play 6s"]
[transport]
profile = "tuned"
[world]
objects = 300
spawn = "10/s"
[links.default]
profile = "home-broadband"
[links.thin]
profile = "home-broadband"
[bots.fighter]
count = 15
[bots.slow]
behaviour = "runner"
link = "thin"
[[at]]
phase = "play"
do = "change"
link = "thin"
direction = "down"
set = { rate = "1kbit/s", queue = "4KiB" }
[gates]
backlog = "peers.backlog max <= 16KiB down in play of slow"
age = "peers.snapshot_age p99 <= 10s in play of fighter"
)");
    if (!is_slow) scenario.acts.clear();
    RunOptions options;
    options.hooks = hooks;
    const RunResult result = run_of(scenario, options);
    return {result.gates.at(0).value, result.gates.at(1).value};
}

}  // namespace

// What may wait for the slow one: one snapshot that is replaced by the next (1,076 B), and the
// control lane's spawns and despawns of 6 s, 20 a second with 30 B each: 5 KB. 16 KiB.
TEST_CASE("F36: a peer at 1 kbit/s keeps no queue that grows, and the others do not notice") {
    const Slow calm = with_slow_peer(false, {});
    const Slow slow = with_slow_peer(true, {});
    CHECK(slow.backlog <= 16 * 1'024);
    const std::int64_t tick_ns = 1'000'000'000 / 60;
    CHECK(slow.age_p99 - calm.age_p99 < tick_ns);
    CHECK(calm.age_p99 - slow.age_p99 < tick_ns);
    // With snapshots that nobody may lose it would: 20 a second for 6 s.
    CHECK(with_slow_peer(true, {.reliable_snapshots = true}).backlog > 32 * 1'024);
}

namespace {

RunResult alone_on(const std::string& link, const TestHooks& hooks) {
    RunOptions options;
    options.hooks = hooks;
    return run_of(game_scenario(R"(
[scenario]
phases = ["join 2s", "play 10s", "rest 11s"]
[transport]
profile = "tuned"
poll = "16666us"
flush = "16666us"
[world]
objects = 0
[bots.runner]
count = 1
link = ")" + link + R"("
[gates]
delivered = "peers.undelivered mean == 0%"
lead = "peers.lead min >= 16ms in play"
inputs = "peers.input_loss mean == 0% in play"
corrections = "peers.corrections total == 0"
starved = "peers.starvation mean == 0% in play"
)"),
                  options);
}

}  // namespace

TEST_CASE(
    "T19: at 0 and 0.3 ms, polled 60 times a second, all arrives and nothing is rolled back") {
    for (const char* const link : {"perfect", "lan"}) {
        for (const GateResult& gate : alone_on(link, {}).gates) {
            CAPTURE(link);
            CAPTURE(gate.gate.name);
            CAPTURE(gate.value);
            CHECK(gate.verdict == Verdict::ok);
        }
        const RunResult broken = alone_on(link, {.broken_prediction_mm = 2});
        CHECK(broken.gates.at(3).verdict == Verdict::fail);
    }
}

}  // namespace wt::sim::game_field_test
