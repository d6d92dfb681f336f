// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "engine/base/ring.hpp"
#include "engine/base/slot_map.hpp"

namespace wt {

TEST_CASE("a ring refuses when full, keeps its order and goes round") {
    Ring<int> ring(3);
    CHECK(ring.is_empty());
    for (int round = 0; round < 5; ++round) {
        CHECK(ring.push(1));
        CHECK(ring.push(2));
        CHECK(ring.push(3));
        CHECK(ring.is_full());
        CHECK_FALSE(ring.push(4));
        CHECK(ring.count() == 3);
        CHECK(ring.front() == 1);
        CHECK(ring.back() == 3);
        CHECK(ring[1] == 2);
        CHECK(ring.pop() == 1);
        CHECK(ring.pop() == 2);
        CHECK(ring.push(5));
        CHECK(ring.pop() == 3);
        CHECK(ring.pop() == 5);
        CHECK(ring.is_empty());
    }
    CHECK_FALSE(Ring<int>{}.push(1));
}

TEST_CASE("handles of erased entries find nothing, also after reuse") {
    SlotMap<int, struct TestTag> map(2);
    const auto first = map.insert(10);
    const auto second = map.insert(20);
    CHECK(first.is_valid());
    CHECK(map.is_full());
    CHECK_FALSE(map.insert(30).is_valid());
    CHECK(map.count() == 2);
    CHECK(*map.find(first) == 10);
    CHECK(map.erase(first));
    CHECK_FALSE(map.erase(first));
    CHECK(map.find(first) == nullptr);
    CHECK(map.count() == 1);
    const auto third = map.insert(30);
    CHECK(third.index == first.index);
    CHECK(third.generation != first.generation);
    CHECK(map.find(first) == nullptr);
    CHECK(*map.find(third) == 30);
    CHECK(*map.find(second) == 20);
    CHECK(map.find({}) == nullptr);
    CHECK(map.find({99, 1}) == nullptr);
    int sum = 0;
    map.for_each([&](auto id, int value) {
        sum += value;
        if (value == 20) map.erase(id);
    });
    CHECK(sum == 50);
    CHECK(map.count() == 1);
}

}  // namespace wt
