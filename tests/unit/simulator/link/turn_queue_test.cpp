// SPDX-License-Identifier: MIT
//
// Queues that judge at turns, by hand: whose turn it is (RFC 8290, section 4), who is lost when it
// is full, and what a direction says when. The line does 1 Mbit/s, so 125 B take a millisecond.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/simulator/link/link_fixture.hpp"

namespace wt::sim::turn_queue_test {
namespace {

constexpr transport::WeatherTag tag = transport::WeatherTag::lane_1;

DirectionConfig narrow(Discipline discipline, std::uint64_t queue_bytes) {
    DirectionConfig config;
    config.rate = {1'000'000};
    config.queue = {QueueConfig::Unit::bytes, queue_bytes, 0, {}};
    config.discipline = discipline;
    return config;
}

// What a direction told: "number@instant in us" of a departure's arrival, "-number@decided" of a
// loss.
class Talk {
public:
    explicit Talk(const DirectionConfig& config) : link(direction_of(config)) {}

    void send(std::int64_t us, std::uint32_t whole_bytes, std::uint64_t flow) {
        run_until(at_us(us));
        const Fate fate =
            link.send(at_us(us), whole_bytes - header_bytes, tag, nullptr, {flow, next_++});
        CHECK(fate.is_waiting);
    }
    void run_until(Instant end) {
        while (link.next_turn() < end) {
            const Instant turn = link.next_turn();
            Settled settled;
            while (link.settle(turn, settled))
                note(settled);
        }
    }
    std::string all() {
        run_until(Instant::never());
        return text;
    }

    LinkDirection link;
    std::string text{};
    std::vector<Settled> told{};

private:
    void note(const Settled& settled) {
        told.push_back(settled);
        const bool is_lost = settled.fate.cause != DropCause::none;
        const Instant at = is_lost ? settled.decided : settled.fate.arrival[0];
        text += (text.empty() ? "" : " ") + std::string(is_lost ? "-" : "") +
                std::to_string(settled.number) + "@" + std::to_string(at.ns / 1'000);
    }
    std::uint32_t next_ = 0;
};

}  // namespace

TEST_CASE("drophead: the oldest one that waits goes, never the one that is leaving") {
    // A millisecond each; number 0 is leaving, and two more fit beside it. 3 pushes out 1, 4 pushes
    // out 2.
    Talk talk(narrow(Discipline::drophead, 375));
    for (int i = 0; i < 5; ++i)
        talk.send(i * 100, 125, 1);
    CHECK(talk.all() == "0@1000 -1@300 -2@400 3@2000 4@3000");
    CHECK(talk.link.counters().dropped.of(DropCause::queue) == 2);
    CHECK(talk.link.waiting().empty());
    // Droptail loses the newest in their place.
    LinkDirection tail = direction_of(narrow(Discipline::droptail, 375));
    std::string lost;
    for (int i = 0; i < 5; ++i) {
        const Fate fate = tail.send(at_us(i * 100), 97, tag);
        if (fate.cause == DropCause::queue) lost += std::to_string(i);
    }
    CHECK(lost == "34");
}

TEST_CASE("a limit in time is about what is in front of the newest") {
    DirectionConfig config = narrow(Discipline::drophead, 0);
    config.queue = {QueueConfig::Unit::time, 0, 0, Duration::millis(3)};
    Talk talk(config);
    // Five at once: the fifth has four in front, 4 ms of them, so the first of those goes.
    for (int i = 0; i < 5; ++i)
        talk.send(0, 125, 1);
    CHECK(talk.all() == "-0@0 1@1000 2@2000 3@3000 4@4000");
    config.queue = {QueueConfig::Unit::packets, 0, 2, {}};
    Talk few(config);
    for (int i = 0; i < 4; ++i)
        few.send(i * 100, 125, 1);
    CHECK(few.all() == "0@1000 -1@200 -2@300 3@2000");
}

TEST_CASE("fq-codel: who begins goes first, once; then everybody has a quantum a round") {
    DirectionConfig config = narrow(Discipline::fq_codel, 100'000);
    config.fair = {1'024, 250};  // Two of these packets.
    const auto story = [](const DirectionConfig& how) {
        Talk talk(how);
        for (int i = 0; i < 6; ++i)
            talk.send(0, 125, 1);
        talk.send(2'500, 125, 2);
        talk.send(4'500, 125, 2);
        return talk.all();
    };
    // 0 and 1 use up the first quantum, 2 begins the next one. 6 begins a flow and goes at once, at
    // 3 ms. Its bucket is empty at 4 ms and stays a round among the old ones, behind the first; so
    // 7 waits until that has used up its quantum with 3, and no longer.
    CHECK(story(config) == "0@1000 1@2000 2@3000 6@4000 3@5000 7@6000 4@7000 5@8000");
    // In one bucket it is a line.
    config.fair = {1, 250};
    CHECK(story(config) == "0@1000 1@2000 2@3000 3@4000 4@5000 5@6000 6@7000 7@8000");
}

TEST_CASE("fq-codel: what is too much goes from the head of the fattest bucket") {
    Talk talk(narrow(Discipline::fq_codel, 1'000));
    for (int i = 0; i < 6; ++i)
        talk.send(0, 125, 1);
    talk.send(100, 250, 2);
    // 125 leaving, 625 and 250 waiting: full. This one makes 1 go, which is neither the newest nor
    // of the bucket that came last.
    talk.send(200, 125, 3);
    CHECK(talk.all() == "0@1000 -1@200 2@2000 3@3000 4@4000 5@5000 6@7000 7@8000");
}

TEST_CASE("turns at opportunities: who comes before one takes part in it") {
    DirectionConfig config;
    config.queue = {QueueConfig::Unit::bytes, 10'000, 0, {}};
    config.discipline = Discipline::fq_codel;
    config.fair = {1'024, 250};
    config.trace.opportunities = std::make_shared<const OpportunityTrace>(
        OpportunityTrace{.times = {10'000'000}, .period = Duration::millis(10), .bytes = 250});
    Talk talk(config);
    for (int i = 0; i < 4; ++i)
        talk.send(0, 125, 1);
    talk.send(15'000, 125, 2);
    CHECK(talk.all() == "0@10000 1@10000 4@20000 2@20000 3@30000");
    // A recording that is over lets nothing pass, and says so.
    config.trace.opportunities = std::make_shared<const OpportunityTrace>(OpportunityTrace{
        .times = {10'000'000}, .period = Duration::millis(10), .bytes = 250, .wraps = false});
    Talk over(config);
    for (int i = 0; i < 3; ++i)
        over.send(0, 125, 1);
    CHECK(over.all() == "0@10000 1@10000 -2@10000");
}

TEST_CASE("delay is that of the turn, and so is the floor") {
    DirectionConfig slow = narrow(Discipline::drophead, 10'000);
    slow.delay = Duration::millis(50);
    DirectionConfig fast = slow;
    fast.delay = Duration::millis(10);
    LinkDirection link(LuckKey::root(1),
                       {{at_us(0), compile(slow)}, {at_us(1'500), compile(fast)}});
    for (std::uint32_t i = 0; i < 3; ++i)
        (void)link.send(at_us(0), 97, tag, nullptr, {0, i});
    std::vector<std::int64_t> arrivals;
    while (link.next_turn() != Instant::never()) {
        const Instant turn = link.next_turn();
        Settled settled;
        while (link.settle(turn, settled)) {
            arrivals.push_back(settled.fate.arrival[0].ns / 1'000);
            CHECK(settled.fate.queue_wait == turn - Instant{});
        }
    }
    // 1 begins to leave at 1 ms, 2 at 2 ms, and still comes after those before it.
    CHECK(arrivals == std::vector<std::int64_t>{51'000, 52'000, 52'000});
}

TEST_CASE("exact faults, duplicates and losses are the same at a turn as at hand-over") {
    DirectionConfig config = narrow(Discipline::droptail, 100'000);
    config.loss = Chance::percent(10);
    config.duplicate = {Chance::percent(10), Duration::millis(1)};
    config.jitter = {JitterConfig::Kind::uniform, Duration::millis(5), {}, {}};
    FaultPlan delay;
    delay.action = FaultAction::delay;
    delay.by = Duration::millis(7);
    LinkDirection plain = direction_of(config);
    config.discipline = Discipline::drophead;
    LinkDirection turning = direction_of(config);
    std::vector<Fate> expected;
    std::vector<Fate> found(400);
    for (std::uint32_t i = 0; i < 400; ++i) {
        const Instant now = at_us(i * 1'700);
        const FaultPlan* fault = i % 9 == 0 ? &delay : nullptr;
        expected.push_back(plain.send(now, 100, tag, fault));
        const Fate fate = turning.send(now, 100, tag, fault, {0, i});
        if (!fate.is_waiting) found[i] = fate;
        Settled settled;
        while (turning.next_turn() < at_us((i + 1) * 1'700)) {
            const Instant turn = turning.next_turn();
            while (turning.settle(turn, settled))
                found[settled.number] = settled.fate;
        }
    }
    unsigned lost = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(found[i].cause == expected[i].cause);
        CHECK(found[i].copies == expected[i].copies);
        CHECK(found[i].arrival == expected[i].arrival);
        if (found[i].cause == DropCause::loss) ++lost;
    }
    CHECK(lost > 20);
    CHECK(turning.counters().sent == plain.counters().sent);
    CHECK(turning.counters().duplicated == plain.counters().duplicated);
    CHECK(turning.counters().dropped.by_cause == plain.counters().dropped.by_cause);
}

TEST_CASE("fq-codel: a flow that sends too much waits for itself, and CoDel shortens it") {
    Talk talk(narrow(Discipline::fq_codel, 200'000));
    // 1,000 B each 6.4 ms are 125 % of the line; beside it 100 B each 50 ms.
    for (std::int64_t us = 0; us < 60'000'000; us += 100) {
        if (us % 6'400 == 0) talk.send(us, 1'000, 1);
        if (us % 50'000 == 0 && us > 0) talk.send(us, 100, 2);
    }
    talk.run_until(Instant::never());
    std::int64_t longest = 0;
    std::int64_t longest_small = 0;
    std::uint64_t small = 0;
    for (const Settled& settled : talk.told) {
        if (settled.fate.cause != DropCause::none) continue;
        const bool is_small = settled.fate.service < Duration::millis(1);
        if (is_small) ++small;
        std::int64_t& most = is_small ? longest_small : longest;
        most = std::max(most, settled.fate.queue_wait.ns);
    }
    // Nobody of the small ones is lost, and each waits for the packet that is leaving and no more:
    // the large flow began once, before them, and never again.
    CHECK(small == 1'199);
    CHECK(longest_small <= 8'000'000);
    CHECK(longest_small > 6'000'000);
    // As CoDel alone (shared_queue_test has the arithmetic): droptail would stand at 1.6 s.
    CHECK(longest < 200'000'000);
    CHECK(talk.link.counters().dropped.of(DropCause::queue) == 0);
    CHECK(talk.link.counters().dropped.of(DropCause::aqm) > 31 * 55);
}

TEST_CASE("fq-codel: a greedy flow of others costs our probes one of its packets") {
    DirectionConfig config = narrow(Discipline::fq_codel, 65'536);
    config.delay = Duration::millis(10);
    CrossConfig greedy;
    greedy.name = "others";
    greedy.kind = CrossKind::greedy;
    config.cross = {greedy};
    const auto waits = [](const DirectionConfig& how, std::uint64_t& lost) {
        Talk talk(how);
        for (std::int64_t i = 0; i < 1'000; ++i)
            talk.send(1'000'000 + i * 50'000, header_bytes, 1);
        talk.run_until(Instant::never());
        std::vector<std::int64_t> found;
        for (const Settled& settled : talk.told) {
            if (settled.fate.cause == DropCause::none)
                found.push_back(settled.fate.queue_wait.ns);
            else
                ++lost;
        }
        REQUIRE(found.size() + lost == 1'000);
        std::sort(found.begin(), found.end());
        return found;
    };
    std::uint64_t lost = 0;
    const std::vector<std::int64_t> fair = waits(config, lost);
    // 1,228 B at 1 Mbit/s are 9.824 ms; it always has something waiting (its window is at least a
    // packet, and 20 ms of pipe hold two), so in most cases one of them is leaving.
    CHECK(lost == 0);
    CHECK(fair.back() <= 9'824'000);
    CHECK(fair[500] > 1'000'000);
    // The same with the head of one line: the window grows until the queue is full, 524 ms, and
    // halves: never under 230 ms, as droptail in shared_queue_test.
    config.discipline = Discipline::drophead;
    const std::vector<std::int64_t> line = waits(config, lost);
    CHECK(line[100] > 200'000'000);
    CHECK(line.back() <= 525'000'000);
}

}  // namespace wt::sim::turn_queue_test
