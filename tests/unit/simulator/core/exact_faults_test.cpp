// SPDX-License-Identifier: MIT
//
// Goal: an exact fault hits the datagrams that it names and nothing else moves. Method: one world
// with weather of every kind, once with and once without the fault, datagram by datagram; on a
// link that is asked at hand-over and on a shared one, which is a node.
#include <doctest/doctest.h>

#include <map>

#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim {
namespace {

// What became of each original, by path and its ordinal there.
class Fates final : public Observer {
public:
    struct Fate {
        DropCause cause = DropCause::none;
        std::int64_t delay_ns = -1;
        friend bool operator==(const Fate&, const Fate&) = default;
    };
    void on_handed(const DatagramHanded& what) override {
        const std::uint32_t path = path_of(what.flow.bot, what.flow.way);
        const std::uint64_t ordinal = ordinal_of[path]++;
        by_sequence[{path, what.sequence}] = ordinal;
        by_ordinal[{path, ordinal}].cause = what.cause;
        copies += what.copies;
        if (what.label.has(transport::Kind::input)) inputs[path].push_back(ordinal);
    }
    void on_delivered(const DatagramDelivered& what) override {
        ++arrived;
        if (what.is_duplicate) return;
        const std::uint32_t path = path_of(what.flow.bot, what.flow.way);
        by_ordinal[{path, by_sequence[{path, what.sequence}]}].delay_ns = what.delay.ns;
    }
    void on_lost(const DatagramLost& what) override {
        const std::uint32_t path = path_of(what.flow.bot, what.flow.way);
        if (what.is_duplicate) return;
        by_ordinal[{path, by_sequence[{path, what.sequence}]}].cause = what.cause;
    }

    std::map<std::uint32_t, std::uint64_t> ordinal_of{};
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> by_sequence{};
    std::map<std::pair<std::uint32_t, std::uint64_t>, Fate> by_ordinal{};
    std::map<std::uint32_t, std::vector<std::uint64_t>> inputs{};
    std::uint64_t copies = 0;
    std::uint64_t arrived = 0;
};

FaultPlan fault_of(FaultAction action, NumberSpan ordinals) {
    FaultPlan fault;
    fault.action = action;
    fault.what.way = Way::up;
    fault.what.kind = transport::Kind::input;
    fault.what.ordinals = ordinals;
    return fault;
}

// Two bots on weather without a rate: nobody answers what is lost, so traffic stays the same.
struct Outcome {
    Fates fates{};
    FaultReport report{};
    std::uint64_t exact = 0;
    std::uint64_t duplicated = 0;
};
Outcome outcome_of(bool is_shared, const FaultPlan* fault) {
    Party party(2);
    for (DirectionConfig* way : {&party.up(), &party.down()}) {
        *way = rough();
        way->rate = {};
        way->queue = {};
    }
    if (is_shared) party.plan.links[0].share.kind = ShareConfig::Kind::all;
    if (fault != nullptr)
        party.act(ActPlan::Do::fault, 1'000, -1, {party.host_of_bot(0)}).fault = *fault;
    Outcome outcome;
    World& world = party.run(&outcome.fates);
    if (fault != nullptr) outcome.report = world.fault_report(0);
    for (std::uint32_t bot = 0; bot < 2; ++bot) {
        const PathCounters up = world.path_counters(bot, Way::up);
        outcome.exact += up.dropped.of(DropCause::exact);
        outcome.duplicated += up.duplicated;
    }
    return outcome;
}

// The ordinals on bot 0's way up whose fate is another one.
std::vector<std::uint64_t> moved(const Fates& a, const Fates& b) {
    std::vector<std::uint64_t> ordinals;
    for (const auto& [place, fate] : a.by_ordinal) {
        const auto other = b.by_ordinal.find(place);
        if (other == b.by_ordinal.end() || other->second == fate) continue;
        CHECK(place.first == path_of(0, Way::up));
        ordinals.push_back(place.second);
    }
    return ordinals;
}

}  // namespace

TEST_CASE("a dropped datagram is lost with its own cause and moves nobody else's luck") {
    for (const bool is_shared : {false, true}) {
        CAPTURE(is_shared);
        const FaultPlan fault = fault_of(FaultAction::drop, {20, 29});
        const Outcome without = outcome_of(is_shared, nullptr);
        const Outcome with = outcome_of(is_shared, &fault);
        CHECK(with.report.hits == 10);
        CHECK(with.exact == 10);
        CHECK(without.exact == 0);
        const std::vector<std::uint64_t> ordinals = moved(with.fates, without.fates);
        CHECK(ordinals.size() == 10);
        for (const std::uint64_t ordinal : ordinals) {
            const auto place = std::pair{path_of(0, Way::up), ordinal};
            CHECK(with.fates.by_ordinal.at(place).cause == DropCause::exact);
        }
    }
}

TEST_CASE("a delay comes on top of the link's own and holds nobody back") {
    for (const bool is_shared : {false, true}) {
        FaultPlan fault = fault_of(FaultAction::delay, {5, 24});
        fault.by = Duration::millis(100);
        const Outcome without = outcome_of(is_shared, nullptr);
        const Outcome with = outcome_of(is_shared, &fault);
        CHECK(with.report.hits == 20);
        const std::vector<std::uint64_t> ordinals = moved(with.fates, without.fates);
        CHECK(ordinals.size() >= 17);  // The link loses 5 % in bursts, those it does not delay.
        for (const std::uint64_t ordinal : ordinals) {
            const auto place = std::pair{path_of(0, Way::up), ordinal};
            CHECK(with.fates.by_ordinal.at(place).delay_ns ==
                  without.fates.by_ordinal.at(place).delay_ns + 100'000'000);
        }
    }
}

TEST_CASE("copies and replays are counted and move no original") {
    for (const bool is_shared : {false, true}) {
        CAPTURE(is_shared);
        const Outcome without = outcome_of(is_shared, nullptr);
        for (const FaultAction action : {FaultAction::duplicate, FaultAction::replay}) {
            FaultPlan fault = fault_of(action, {10, 12});
            fault.copies = 4;
            fault.after = Duration::millis(7);
            fault.is_from_stranger = action == FaultAction::replay;
            const Outcome with = outcome_of(is_shared, &fault);
            CHECK(with.report.hits == 3);
            CHECK(moved(with.fates, without.fates).empty());
            const std::uint64_t extra = with.duplicated - without.duplicated;
            // Of what the link loses there are no copies, but somebody may have kept it.
            CHECK(extra <= (action == FaultAction::replay ? 3 : 12));
            CHECK(extra >= (action == FaultAction::replay ? 3 : 4));
            CHECK(extra % (action == FaultAction::replay ? 1 : 4) == 0);
        }
    }
}

TEST_CASE("ordinals are counted per bot from the act's start; every n-th begins with the first") {
    Party party(2);
    ActPlan& act =
        party.act(ActPlan::Do::fault, 1'000, 2'000, {party.host_of_bot(0), party.host_of_bot(1)});
    act.fault = fault_of(FaultAction::drop, {3, NumberSpan::open});
    act.fault->what.every = 10;
    Fates fates;
    World& world = party.run(&fates);
    // Of 60 inputs in that second: #3, #13, #23, #33, #43, #53, of each bot.
    CHECK(world.fault_report(0).hits == 12);
    for (std::uint32_t bot = 0; bot < 2; ++bot) {
        CHECK(world.path_counters(bot, Way::up).dropped.of(DropCause::exact) == 6);
        CHECK(world.path_counters(bot, Way::down).dropped.of(DropCause::exact) == 0);
    }
}

TEST_CASE("a partition comes first: its ordinals are used up, but nothing was hit") {
    Party party(1);
    party.act(ActPlan::Do::partition, 900, 1'200, {party.host_of_bot(0)});
    party.act(ActPlan::Do::fault, 1'000, -1, {party.host_of_bot(0)}).fault =
        fault_of(FaultAction::drop, {1, 5});
    World& world = party.run();
    CHECK(world.fault_report(1).hits == 0);
    CHECK(world.path_counters(0, Way::up).dropped.of(DropCause::exact) == 0);
}

TEST_CASE("a flipped bit is one bit; the receiver gets it") {
    std::uint64_t folded[2] = {};
    for (const bool is_faulty : {false, true}) {
        Party party(1);
        if (is_faulty) {
            FaultPlan fault = fault_of(FaultAction::corrupt, {50, 50});
            fault.bit = 8 * 30 + 3;
            party.act(ActPlan::Do::fault, 0, -1, {party.host_of_bot(0)}).fault = fault;
        }
        World& world = party.run();
        CHECK(world.path_counters(0, Way::up).dropped.total() == 0);
        folded[is_faulty ? 1 : 0] = party.server().folded;
    }
    CHECK(folded[0] != folded[1]);
}

}  // namespace wt::sim
