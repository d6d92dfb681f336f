// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "engine/base/slot_map.hpp"

namespace wt {

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
