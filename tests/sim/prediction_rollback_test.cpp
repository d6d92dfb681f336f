// SPDX-License-Identifier: MIT
//
// Goal: two peers with full rollback show the same confirmed history under delay, loss and an
// offset of their starts; a broken one is found with its tick (F44); the price of the way is shared
// (F45). Method: two Duels over messages with chosen delays; the truth is one Duel with all inputs.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <vector>

#include "engine/arena/duel.hpp"
#include "engine/base/rng.hpp"
#include "engine/prediction/desync_finder.hpp"
#include "engine/prediction/pace_split.hpp"
#include "engine/prediction/rollback.hpp"

namespace wt::arena::prediction_rollback_test {
namespace {

using prediction::Tick;

Command wish(std::uint32_t player, Tick tick) {
    // A new wish every few ticks, often towards the other.
    const std::uint64_t draw = LuckKey::root(4).with(player).draw(tick / 7);
    return {.move_x = static_cast<std::int8_t>(static_cast<int>(draw % 15) - 7),
            .move_y = static_cast<std::int8_t>(static_cast<int>(draw >> 8 & 7) - 3),
            .aim = static_cast<std::uint16_t>(player == 0 ? 0 : 2'048),
            .shoot = (draw >> 16 & 1) != 0,
            .push = (draw >> 17 & 1) != 0};
}

struct Note {
    std::int64_t arrival = 0;  // In sixteenths of a tick, of the world.
    Tick newest = 0;           // Newest input of the sender; the ones before ride along.
    std::int32_t advantage = 0;
    std::vector<prediction::ConfirmedChecksum> sums{};
    std::uint64_t predicted_sum = 0;  // For the wrong detector.
    Tick predicted_tick = 0;
};

struct Peer {
    Peer(std::uint32_t which, const Duel& game, Tick start)
        : number(which), rollback(game, start, Duel::opening()), newest_input(start) {}

    std::uint32_t number;
    prediction::Rollback<Duel> rollback;
    prediction::DesyncFinder finder{};
    prediction::PaceSplit pace{};
    Tick newest_input;
    std::int32_t other_advantage = 0;
    std::vector<Note> inbox{};
    std::map<Tick, std::uint64_t> confirmed_sums{};
    std::map<Tick, std::uint64_t> predicted_sums{};
    std::uint64_t wrong_alarms = 0;
    Tick confirmed_before = 0;
    bool confirmed_is_monotonic = true;
};

struct Match {
    std::int64_t offset = 0;  // Ticks by which peer 1 starts later.
    std::int64_t way = 64;    // Sixteenths of a tick, each way.
    std::uint32_t loss_percent = 0;
    bool is_paced = true;
    Tick broken_from = 0;  // Of peer 1.
    Tick start = 100;

    std::vector<Peer> peers{};

    void run(std::int64_t ticks) {
        peers.emplace_back(0, Duel{}, start);
        peers.emplace_back(1, Duel{.broken_from = broken_from}, start);
        for (std::int64_t tick = 0; tick < ticks; ++tick) {
            turn(peers[0], peers[1], tick * 16);
            if (tick >= offset) turn(peers[1], peers[0], tick * 16 + 5);
        }
    }

    void turn(Peer& me, Peer& other, std::int64_t now) {
        std::vector<Note> rest;
        for (const Note& note : me.inbox) {
            if (note.arrival > now) {
                rest.push_back(note);
            } else {
                hear(me, other.number, note);
            }
        }
        me.inbox = rest;
        const Tick heard = me.rollback.heard(other.number);
        const std::uint32_t wait = me.pace.on_tick(me.rollback.newest(), heard, me.other_advantage);
        const bool may_play = !is_paced || wait == 0;
        if (may_play && me.newest_input == me.rollback.newest()) {
            ++me.newest_input;
            const auto added =
                me.rollback.add_input(me.number, me.newest_input, wish(me.number, me.newest_input));
            if (added != prediction::RemoteInput::ok) --me.newest_input;
        }
        if (may_play && me.newest_input > me.rollback.newest()) {
            (void)me.rollback.advance();
        } else {
            me.rollback.settle();
        }
        me.confirmed_is_monotonic =
            me.confirmed_is_monotonic && me.rollback.confirmed() >= me.confirmed_before;
        me.confirmed_before = me.rollback.confirmed();
        tell(me, other, now);
    }

    void hear(Peer& me, std::uint32_t from, const Note& note) {
        me.other_advantage = note.advantage;
        for (Tick tick = me.rollback.heard(from) + 1; tick <= note.newest; ++tick)
            (void)me.rollback.add_input(from, tick, wish(from, tick));
        for (const prediction::ConfirmedChecksum& sum : note.sums)
            (void)me.finder.add_other(sum.tick, sum.sum);
        const auto found = me.predicted_sums.find(note.predicted_tick);
        if (found == me.predicted_sums.end()) return;
        me.wrong_alarms += found->second == note.predicted_sum ? 0u : 1u;
    }

    void tell(Peer& me, Peer& other, std::int64_t now) {
        Note note{.arrival = now + way,
                  .newest = me.newest_input,
                  .advantage = me.pace.advantage(),
                  .predicted_sum = me.rollback.predicted_checksum(),
                  .predicted_tick = me.rollback.newest()};
        me.predicted_sums.emplace(note.predicted_tick, note.predicted_sum);
        prediction::ConfirmedChecksum sum;
        while (me.rollback.next_checksum(sum)) {
            me.confirmed_sums[sum.tick] = sum.sum;
            (void)me.finder.add_own(sum.tick, sum.sum);
            note.sums.push_back(sum);
        }
        // Checksums travel reliably in the game; here a lost message loses its own.
        const std::uint64_t draw =
            LuckKey::root(9).with(me.number).draw(static_cast<std::uint64_t>(now));
        if (uniform_below(draw, 100) >= loss_percent) other.inbox.push_back(note);
    }
};

std::uint64_t truth_at(Tick start, Tick end) {
    const Duel game;
    Duel::State state = Duel::opening();
    for (Tick tick = start + 1; tick <= end; ++tick) {
        const std::array<Command, 2> commands = {wish(0, tick), wish(1, tick)};
        state = game.step(state, commands, tick);
    }
    return game.checksum(state);
}

TEST_CASE("confirmed histories are equal to the truth, whatever the way and the loss") {
    for (const std::int64_t way : {0, 16, 64, 160}) {
        for (const std::uint32_t loss : {0u, 20u}) {
            Match match{.way = way, .loss_percent = loss, .start = 0xffff'ff00};
            match.run(1'200);
            for (const Peer& peer : match.peers) {
                REQUIRE(peer.confirmed_sums.size() > 1'000);
                CHECK_FALSE(peer.finder.has_desync());
                CHECK(peer.finder.counters().compared > 700);
                CHECK(peer.confirmed_is_monotonic);
                const auto last = peer.confirmed_sums.rbegin();
                CHECK(last->second == truth_at(match.start, last->first));
            }
            for (const auto& [tick, sum] : match.peers[0].confirmed_sums) {
                const auto other = match.peers[1].confirmed_sums.find(tick);
                if (other != match.peers[1].confirmed_sums.end()) REQUIRE(other->second == sum);
            }
        }
    }
}

TEST_CASE("a desync is found with its first tick") {
    for (const Tick broken_from : {Tick{101}, Tick{500}}) {
        Match match{.way = 64, .broken_from = broken_from};
        match.run(700);
        for (const Peer& peer : match.peers) {
            CHECK(peer.finder.has_desync());
            CHECK(peer.finder.first_desync() == broken_from);
        }
    }
}

// F44: comparing what was only predicted raises alarms in a healthy match; the finder, which waits
// for confirmation, raises none.
TEST_CASE("only confirmed states are compared") {
    Match match{.way = 64};
    match.run(600);
    CHECK(match.peers[0].wrong_alarms > 20);
    CHECK_FALSE(match.peers[0].finder.has_desync());
    CHECK_FALSE(match.peers[1].finder.has_desync());
}

// F45: with a start offset of 5 ticks on a symmetric way of 4 ticks.
TEST_CASE("the corrections of an offset start are split between both") {
    const auto replayed = [](bool is_paced, std::size_t which) {
        Match match{.offset = 5, .way = 64, .is_paced = is_paced};
        match.run(1'800);
        return match.peers[which].rollback.counters().replayed;
    };
    const std::uint64_t first = replayed(true, 0);
    const std::uint64_t second = replayed(true, 1);
    CHECK(first > 0);
    CHECK(second > 0);
    CHECK(std::max(first, second) <= 2 * std::min(first, second));
    // Without the split one of them pays for both.
    CHECK(replayed(false, 0) > 5 * std::max<std::uint64_t>(replayed(false, 1), 1));
}

TEST_CASE("a silent peer stalls the other at the window, and nothing is lost") {
    prediction::Rollback<Duel> rollback({}, 100, Duel::opening());
    std::uint32_t played = 0;
    for (Tick tick = 101; tick < 200; ++tick) {
        if (rollback.add_input(0, tick, wish(0, tick)) != prediction::RemoteInput::ok) break;
        played += rollback.advance() ? 1u : 0u;
    }
    CHECK(played == prediction::Rollback<Duel>::window);
    CHECK_FALSE(rollback.advance());
    CHECK(rollback.counters().stalls == 1);
    CHECK(rollback.confirmed() == 100);
    prediction::ConfirmedChecksum sum;
    CHECK_FALSE(rollback.next_checksum(sum));
    CHECK(rollback.add_input(1, 102, wish(1, 102)) == prediction::RemoteInput::gap);
    for (Tick tick = 101; tick <= 132; ++tick)
        CHECK(rollback.add_input(1, tick, wish(1, tick)) == prediction::RemoteInput::ok);
    CHECK(rollback.add_input(1, 132, wish(1, 132)) == prediction::RemoteInput::duplicate);
    rollback.settle();
    Tick last = 0;
    while (rollback.next_checksum(sum))
        last = sum.tick;
    CHECK(last == 132);
    CHECK(sum.sum == truth_at(100, 132));
    CHECK(rollback.add_input(1, 133 + 31, {}) == prediction::RemoteInput::gap);
}

TEST_CASE("the finder names the lowest differing tick and forgives what is missing") {
    prediction::DesyncFinder finder;
    CHECK_FALSE(finder.add_own(5, 1));
    CHECK_FALSE(finder.add_other(5, 1));
    CHECK_FALSE(finder.add_own(6, 1));
    CHECK(finder.add_other(6, 2));
    CHECK(finder.first_desync() == 6);
    CHECK_FALSE(finder.add_own(7, 1));
    CHECK_FALSE(finder.add_own(7 + prediction::DesyncFinder::history, 1));
    CHECK(finder.counters().unmatched == 1);
    CHECK_FALSE(finder.add_other(7, 3));
    CHECK(finder.counters().compared == 2);
}

}  // namespace
}  // namespace wt::arena::prediction_rollback_test
