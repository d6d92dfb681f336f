// SPDX-License-Identifier: MIT
//
// Goal: whatever a channel loses, delays, reorders and repeats, after the game stops every copy
// becomes the server's table bit for bit, soon, and no copy ever held a state that the server did
// not have. Method: 50 seeds, each with a channel and a game of its own; the same oracle must
// fail when a rule of replication is broken on purpose.
#include <doctest/doctest.h>

#include "tests/support/replication_crowd.hpp"
#include "tests/support/replication_lab.hpp"

namespace wt::replication::replication_convergence_test {
namespace {

constexpr std::uint64_t seeds = 50;

struct Weather {
    LabConfig config{};
    std::uint64_t settle_ticks = 0;
};

Weather weather_of(std::uint64_t seed) {
    LuckStream luck(LuckKey::root(seed).with("weather"));
    LabConfig config{.seed = seed};
    config.loss = Chance::ppm(static_cast<std::uint32_t>(luck.below(250'000)));
    config.duplicate = Chance::ppm(static_cast<std::uint32_t>(luck.below(100'000)));
    config.delay_min = 1 + luck.below(8);
    config.delay_max = config.delay_min + luck.below(8);
    config.snapshot_every = static_cast<std::uint32_t>(1 + luck.below(4));
    config.payload_bytes = 200 + luck.below(853);
    config.batches = static_cast<std::uint8_t>(1 + luck.below(3));
    // Also where 16 bits of ticks and 32 bits of ticks end.
    const std::array<std::uint64_t, 4> starts = {0, 65'300, 0xffff'ff00, 1'000'000};
    config.first_tick = starts[luck.below(4)];
    config.peer.everything = luck.below(2) == 0;
    config.peer.player = 3;
    config.peer.team = 1;
    config.store.pre_spawn_max = static_cast<std::uint32_t>(4 + luck.below(100));
    // 4 round trips and 12 ticks (200 ms), the spawn's wait for the control lane with 4 losses in
    // a row, and for each loss in a row beyond (p < 1/4, so 6 are one in 4,096) a trip more.
    const std::uint64_t round = 2 * config.delay_max + config.snapshot_every;
    return {config, 4 * round + 12 + 4 * config.control_retry + 6 * round};
}

// A game that does everything at once: walks, fights, gives things away, runs through cells.
class Game {
public:
    explicit Game(ReplicationLab& lab) : lab_(lab), crowd_(lab.table, lab.luck(), 150, crate_kind) {
        for (PlayerSlot player = 0; player < 6; ++player)
            crowd_.spawn(avatar_kind, player);
        for (PlayerSlot player = 2; player < 5; ++player) {
            crowd_.spawn(secret_kind, player);
            crowd_.spawn(flag_kind);
            lab.table.set_team(crowd_.ids.back(), static_cast<std::uint8_t>(player % 2));
        }
    }
    void tick() {
        LuckStream& luck = lab_.luck();
        crowd_.walk(40, 300);
        if (luck.below(4) == 0) crowd_.despawn(luck.below(crowd_.ids.size()));
        if (luck.below(4) == 0) {
            crowd_.spawn(static_cast<std::uint16_t>(1 + luck.below(4)),
                         static_cast<PlayerSlot>(luck.below(6)));
        }
        const ObjectId id = crowd_.ids[luck.below(crowd_.ids.size())];
        lab_.table.set_owner(id, static_cast<PlayerSlot>(luck.below(6)));
        lab_.table.set_team(id, static_cast<std::uint8_t>(luck.below(2)));
        lab_.view.x = static_cast<std::uint16_t>(lab_.view.x + luck.below(900));
        lab_.view.y = static_cast<std::uint16_t>(lab_.view.y + luck.below(500));
    }

private:
    ReplicationLab& lab_;
    Crowd crowd_;
};

}  // namespace

TEST_CASE("convergence: fifty channels, every copy becomes the table") {
    std::uint64_t despawns = 0;
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const Weather weather = weather_of(seed);
        ReplicationLab lab(weather.config);
        Game game(lab);
        for (int i = 0; i < 400; ++i)
            lab.step([&] { game.tick(); });
        CHECK(lab.settle(weather.settle_ticks) <= weather.settle_ticks);
        CHECK(lab.differing == 0);
        CHECK(lab.resurrected == 0);
        CHECK(lab.store.checksum() == expected_checksum(lab.table, lab.peer));
        CHECK(lab.store.count() == lab.peer.relevant().count());
        CHECK(lab.statuses[static_cast<std::size_t>(SnapshotStatus::malformed)] == 0);
        CHECK(lab.statuses[static_cast<std::size_t>(SnapshotStatus::unknown)] == 0);
        // No baseline loop: with an honest server a miss can only follow a refused early state.
        CHECK(lab.store.counters().baseline_misses <= lab.store.counters().pre_spawn_refused);
        despawns += lab.peer.counters().despawns;
        lost += lab.peer.counters().versions_lost;
    }
    // The channels did their worst.
    CHECK(despawns > 50 * 50);
    CHECK(lost > 50 * 5);
}

TEST_CASE("convergence: the oracle sees broken rules") {
    // Several seeds, since one channel may be too kind for the break to matter.
    const auto is_seen = [](PeerFault fault) {
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            const Weather weather = weather_of(seed);
            ReplicationLab lab(weather.config);
            lab.peer.set_fault(fault);
            Game game(lab);
            for (int i = 0; i < 400; ++i)
                lab.step([&] { game.tick(); });
            const bool settled = lab.settle(weather.settle_ticks) <= weather.settle_ticks;
            if (!settled || lab.differing != 0 || lab.resurrected != 0 ||
                lab.store.counters().baseline_misses > lab.store.counters().pre_spawn_refused) {
                return true;
            }
        }
        return false;
    };
    CHECK_FALSE(is_seen(PeerFault::none));
    CHECK(is_seen(PeerFault::assume_delivered));
    CHECK(is_seen(PeerFault::ignore_losses));
    CHECK(is_seen(PeerFault::reuse_at_once));
}

TEST_CASE("convergence: the same seed gives the same bytes") {
    const auto run = [](std::uint64_t seed) {
        ReplicationLab lab(weather_of(seed).config);
        Game game(lab);
        for (int i = 0; i < 200; ++i)
            lab.step([&] { game.tick(); });
        return std::array<std::uint64_t, 3>{lab.store.checksum(), lab.object_bits,
                                            lab.objects_sent};
    };
    CHECK(run(7) == run(7));
    CHECK(run(7) != run(8));
}

}  // namespace wt::replication::replication_convergence_test
