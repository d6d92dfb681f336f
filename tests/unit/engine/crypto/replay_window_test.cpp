// SPDX-License-Identifier: MIT
//
// The window's edges, jumps over words and over the whole map, and a comparison with a plain set
// of all counters ever accepted.
#include "engine/crypto/replay_window.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "engine/base/rng.hpp"

namespace wt::crypto {

using Verdict = ReplayWindow::Verdict;

TEST_CASE("zero is invalid before and after the first counter") {
    ReplayWindow window;
    CHECK(window.check(0) == Verdict::zero);
    window.commit(1);
    CHECK(window.check(0) == Verdict::zero);
}

TEST_CASE("a check alone moves nothing") {
    ReplayWindow window;
    CHECK(window.check(1'000'000) == Verdict::fresh);
    CHECK(window.highest() == 0);
    CHECK(window.check(1) == Verdict::fresh);
    window.commit(1);
    CHECK(window.check(1) == Verdict::repeated);
}

TEST_CASE("4,095 behind the highest is accepted once, 4,096 behind is too old") {
    ReplayWindow window;
    window.commit(10'000);
    CHECK(window.check(10'000 - 4'095) == Verdict::fresh);
    CHECK(window.check(10'000 - 4'096) == Verdict::too_old);
    window.commit(10'000 - 4'095);
    CHECK(window.check(10'000 - 4'095) == Verdict::repeated);
    CHECK(window.highest() == 10'000);
}

TEST_CASE("a counter accepted earlier is remembered up to the edge") {
    ReplayWindow window;
    window.commit(5);
    window.commit(5 + 4'095);
    CHECK(window.check(5) == Verdict::repeated);
    window.commit(5 + 4'096);
    CHECK(window.check(5) == Verdict::too_old);
    // Its bit now stands for 5 + 4,096, which was accepted, and its neighbour's for nothing.
    CHECK(window.check(5 + 4'096) == Verdict::repeated);
    CHECK(window.check(6) == Verdict::fresh);
}

TEST_CASE("jumps of one less than, exactly and one more than the depth forget as they must") {
    for (const std::uint64_t jump : {4'095u, 4'096u, 4'097u}) {
        CAPTURE(jump);
        ReplayWindow window;
        for (std::uint64_t n = 1; n <= 4'096; ++n)
            window.commit(n);
        window.commit(4'096 + jump);
        unsigned fresh = 0;
        for (std::uint64_t n = 4'097; n < 4'096 + jump; ++n)
            fresh += window.check(n) == Verdict::fresh ? 1u : 0u;
        // At 4,097 the first counter jumped over is itself behind the edge.
        CHECK(fresh == (jump == 4'095 ? 4'094u : 4'095u));
        CHECK(window.check(4'096 + jump) == Verdict::repeated);
        CHECK(window.check(4'096) == (jump < 4'096 ? Verdict::repeated : Verdict::too_old));
    }
}

TEST_CASE("the end of the counter's range") {
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    ReplayWindow window;
    window.commit(1);
    window.commit(last);
    CHECK(window.check(last) == Verdict::repeated);
    CHECK(window.check(last - 4'095) == Verdict::fresh);
    CHECK(window.check(last - 4'096) == Verdict::too_old);
}

TEST_CASE("clear forgets everything") {
    ReplayWindow window;
    window.commit(70);
    window.clear();
    CHECK(window.highest() == 0);
    CHECK(window.check(70) == Verdict::fresh);
}

TEST_CASE("agrees with a set of everything accepted, under random order") {
    ReplayWindow window;
    std::set<std::uint64_t> accepted;
    LuckStream luck(LuckKey::root(7).with("replay"));
    std::uint64_t highest = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        // Mostly near the highest, sometimes far ahead or behind the edge.
        const std::uint64_t back = luck.below(4'200);
        const std::uint64_t ahead = luck.below(50) == 0 ? luck.below(9'000) : luck.below(3);
        const std::uint64_t counter = highest + ahead > back ? highest + ahead - back : 1;
        Verdict expected = Verdict::fresh;
        if (highest >= counter && highest - counter >= 4'096) {
            expected = Verdict::too_old;
        } else if (accepted.count(counter) != 0) {
            expected = Verdict::repeated;
        }
        REQUIRE(window.check(counter) == expected);
        if (expected != Verdict::fresh) continue;
        window.commit(counter);
        accepted.insert(counter);
        highest = counter > highest ? counter : highest;
    }
    CHECK(window.highest() == highest);
}

}  // namespace wt::crypto
