// SPDX-License-Identifier: MIT
//
// The heap against a plain search over all deadlines, and the order of ties.
#include "engine/secure/deadline_heap.hpp"

#include <doctest/doctest.h>

#include "engine/base/rng.hpp"
#include "engine/secure/ready_list.hpp"

namespace wt::secure {

TEST_CASE("nobody waits: never") {
    DeadlineHeap heap(3);
    CHECK(heap.earliest() == Instant::never());
    heap.set(1, Instant{5});
    CHECK(heap.earliest() == Instant{5});
    heap.set(1, Instant::never());
    CHECK(heap.earliest() == Instant::never());
    heap.set(1, Instant::never());
    CHECK(heap.earliest() == Instant::never());
}

TEST_CASE("ties go to the lower number, in whatever order they came") {
    DeadlineHeap heap(4);
    for (const std::uint32_t member : {3u, 1u, 2u})
        heap.set(member, Instant{7});
    for (const std::uint32_t expected : {1u, 2u, 3u}) {
        CHECK(heap.first() == expected);
        heap.set(expected, Instant::never());
    }
}

TEST_CASE("agrees with a search over all members under random changes") {
    constexpr std::uint32_t members = 50;
    LuckStream luck(LuckKey::root(8));
    DeadlineHeap heap(members);
    std::vector<Instant> plain(members, Instant::never());
    for (unsigned step = 0; step < 20'000; ++step) {
        const auto member = static_cast<std::uint32_t>(luck.below(members));
        const Instant deadline = luck.below(4) == 0
                                     ? Instant::never()
                                     : Instant{static_cast<std::int64_t>(luck.below(100))};
        heap.set(member, deadline);
        plain[member] = deadline;
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < members; ++i) {
            if (plain[i] < plain[best]) best = i;
        }
        REQUIRE(heap.earliest() == plain[best]);
        if (plain[best] != Instant::never()) REQUIRE(heap.first() == best);
    }
    heap.clear();
    CHECK(heap.earliest() == Instant::never());
    heap.set(0, Instant{1});
    CHECK(heap.first() == 0);
}

TEST_CASE("a ready list keeps first come, first served, and each once") {
    ReadyList list(4);
    list.add(2);
    list.add(0);
    list.add(2);
    list.add(3);
    CHECK(list.size() == 3);
    CHECK(list.front() == 2);
    list.pop();
    list.add(2);
    CHECK(list.at(0) == 0);
    CHECK(list.at(1) == 3);
    CHECK(list.at(2) == 2);
    list.rotate(1);
    CHECK(list.front() == 3);
    list.clear();
    CHECK(list.empty());
    list.add(3);
    CHECK(list.front() == 3);
}

}  // namespace wt::secure
