// SPDX-License-Identifier: MIT
//
// A set of hits against a sorted list of the same numbers, filled in pieces as a filter does.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "viewer/model/hit_set.hpp"

using namespace wt::viewer;

namespace {

// Sparse, dense, empty stretches, and both ends of words and chunks.
bool is_hit(std::uint64_t number) {
    if (number < 5'000) return number % 97 == 0;
    if (number < 20'000) return false;
    if (number < 30'000) return true;
    return number % 64 == 0 || number % 64 == 63;
}

}  // namespace

TEST_CASE("places and numbers are those of the list, while it grows and when it is whole") {
    constexpr std::uint64_t first = 1'234;
    constexpr std::uint64_t last = 50'001;
    HitSet set;
    set.reset(first, last);
    CHECK(set.count() == 0);
    std::vector<std::uint64_t> list;
    std::uint64_t next = first;
    for (const std::uint64_t end :
         {std::uint64_t{1'280}, std::uint64_t{5'003}, std::uint64_t{24'576}, last}) {
        for (; next < end; ++next) {
            if (!is_hit(next)) continue;
            set.add(next, 1);
            list.push_back(next);
        }
        set.count_up_to(end);
        REQUIRE(set.count() == list.size());
        bool is_same = true;
        for (std::size_t place = 0; place < list.size(); ++place)
            is_same = is_same && set.number_at(place) == list[place];
        CHECK(is_same);
        for (std::uint64_t number = 0; number < last + 200; number += 13) {
            const auto found = std::lower_bound(list.begin(), list.end(), number);
            is_same =
                is_same && set.place_of(number) == static_cast<std::uint64_t>(found - list.begin());
        }
        CHECK(is_same);
    }
}

TEST_CASE("a set of nothing, and one that begins anew") {
    HitSet set;
    set.reset(7, 7);
    set.count_up_to(7);
    CHECK(set.count() == 0);
    CHECK(set.place_of(100) == 0);
    set.reset(0, 64);
    set.add(0, ~std::uint64_t{0});
    set.count_up_to(64);
    CHECK(set.count() == 64);
    CHECK(set.number_at(63) == 63);
    set.reset(0, 64);
    set.count_up_to(64);
    CHECK(set.count() == 0);
}
