// SPDX-License-Identifier: MIT
//
// Goal: declared CPU, skewed clocks, stalls and forged addresses do to a host what the README says,
// and no more. Method: the party of world_test with one of them each.
#include <doctest/doctest.h>

#include "simulator/core/skewed_endpoint.hpp"
#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim {
namespace {

HostPlan& server_plan(Party& party) {
    return party.plan.hosts[party.at[0]];
}

std::int64_t longest_ms(const Talker& talker) {
    Duration longest{};
    for (const Duration delay : talker.delays)
        longest = std::max(longest, delay);
    return longest.ns / 1'000'000;
}

}  // namespace

TEST_CASE("a server with declared work answers later, and as late as the work lasts") {
    Party idle(3);
    idle.run();
    CHECK(longest_ms(idle.bot(0)) <= 10);
    Party busy(3);
    // A tick's 3 messages in and 3 out: 6 x 2 ms of each 16.7 ms.
    server_plan(busy).cost.datagram = Duration::millis(2);
    busy.run();
    // 72 % of the time; ticks that fell into work are run at the poll behind it, and where two did,
    // the older one is let go.
    CHECK(busy.server().ticks >= idle.server().ticks * 3 / 4);
    CHECK(busy.bot(0).received > 130);
    CHECK(longest_ms(busy.bot(0)) > 10);
    // Two polls, and the work of two ticks at most.
    CHECK(longest_ms(busy.bot(0)) <= 10 + 24);
}

TEST_CASE("a server with more work than time lets ticks go and still says something") {
    Party busy(3);
    server_plan(busy).cost.datagram = Duration::millis(6);
    busy.run();
    // 18 ms to read one tick's messages and as many for a tick's answers: 108 % of the time for
    // reading alone. What it reads meanwhile grows, but each reading is followed by a tick's
    // answers.
    CHECK(busy.server().ticks < 120);
    CHECK(busy.server().ticks > 10);
    for (std::uint32_t bot = 0; bot < 3; ++bot)
        CHECK(busy.bot(bot).received >= busy.server().ticks / 2);
}

TEST_CASE("handshakes and objects are paid for") {
    Party plain(3);
    plain.run();
    Party dear(3);
    server_plan(dear).cost.handshake = Duration::millis(300);
    dear.run();
    // The ping endpoint asks nobody for permission: nothing to pay.
    CHECK(dear.world->digest() == plain.world->digest());
}

TEST_CASE("no grouping, window or worker is seen in a run with declared work and stalls") {
    std::vector<DigestValue> digests;
    for (const WindowPlan::Grouping grouping :
         {WindowPlan::Grouping::automatic, WindowPlan::Grouping::everything,
          WindowPlan::Grouping::pairs}) {
        for (const std::uint32_t workers : {1u, 3u}) {
            Party party(4);
            party.up() = rough();
            party.down() = rough();
            server_plan(party).cost.datagram = Duration::micros(900);
            HostPlan& bot = party.plan.hosts[party.host_of_bot(1)];
            bot.stall = StallPlan{Duration::millis(700), Duration::millis(150)};
            bot.clock = {.is_skewed = true, .offset = Duration::seconds(-9), .drift_ppm = 5'000};
            party.plan.windows.grouping = grouping;
            party.plan.windows.workers = workers;
            digests.push_back(party.run().digest());
        }
    }
    for (const DigestValue& digest : digests)
        CHECK(digest == digests.front());
}

TEST_CASE("a stall is a pause of the plan") {
    Party party(2);
    party.plan.hosts[party.host_of_bot(0)].stall =
        StallPlan{Duration::seconds(1), Duration::millis(300)};
    party.run();
    // 3 s at 60 Hz, three tenths of it asleep.
    CHECK(party.bot(0).ticks >= 124);
    CHECK(party.bot(0).ticks <= 128);
    CHECK(party.bot(1).ticks >= 178);
}

TEST_CASE("a clock shows what it should, and the first instant of a reading is found") {
    for (const std::int64_t drift : {0, 50, -50, 100'000, -100'000, 7}) {
        const HostClock clock{
            .is_skewed = true, .offset = Duration::seconds(-20), .drift_ppm = drift};
        CHECK(clock.local({}) == Instant{} + HostClock::zero - Duration::seconds(20));
        for (const std::int64_t ns : {0ll, 1ll, 999'999ll, 1'000'000ll, 16'666'666ll,
                                      1'234'567'890'123ll, 604'800'000'000'000ll}) {
            const Instant shown = clock.local({ns});
            const Instant first = clock.first_at(shown);
            CHECK(clock.local(first) >= shown);
            CHECK(first.ns <= ns);
            if (first.ns > 0) CHECK(clock.local({first.ns - 1}) < shown);
        }
    }
    const HostClock gains{.is_skewed = true, .offset = {}, .drift_ppm = 50};
    CHECK(gains.local(Instant{} + Duration::seconds(1)) - gains.local({}) ==
          Duration::seconds(1) + Duration::micros(50));
    CHECK(HostClock{}.local({5}) == Instant{5});
}

TEST_CASE("a skewed clock changes what a host reads and nothing of the grid") {
    Party plain(2);
    plain.run();
    Party skewed(2);
    HostPlan& bot = skewed.plan.hosts[skewed.host_of_bot(0)];
    bot.clock = {.is_skewed = true, .offset = Duration::seconds(1'000), .drift_ppm = 0};
    SkewedEndpoint endpoint(*bot.endpoint, bot.clock);
    bot.endpoint = &endpoint;
    skewed.run();
    CHECK(skewed.bot(0).ticks == plain.bot(0).ticks);
    CHECK(skewed.bot(0).sent == plain.bot(0).sent);
    CHECK(skewed.bot(0).received == plain.bot(0).received);
    // The other ends see the times of the world: what they were told when is unchanged.
    CHECK(skewed.server().delays == plain.server().delays);
    CHECK(skewed.bot(1).delays == plain.bot(1).delays);
}

TEST_CASE("what comes during a stall that ends between two polls is read at the next one") {
    Party party(1);
    // Comes at 0 ms and wakes up at 703 ms: no multiple of 5.
    party.plan.hosts[party.host_of_bot(0)].stall =
        StallPlan{Duration::millis(703), Duration::millis(120)};
    party.run();
    for (const Duration delay : party.bot(0).delays)
        CHECK(delay <= Duration::millis(130));
}

}  // namespace wt::sim
