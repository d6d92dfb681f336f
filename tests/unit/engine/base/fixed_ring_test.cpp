// SPDX-License-Identifier: MIT
#include "engine/base/fixed_ring.hpp"

#include <doctest/doctest.h>

namespace wt {

TEST_CASE("a full ring refuses and keeps what it has") {
    FixedRing<int> ring(3);
    CHECK(ring.empty());
    CHECK(ring.push(1));
    CHECK(ring.push(2));
    CHECK(ring.push(3));
    CHECK(ring.is_full());
    CHECK_FALSE(ring.push(4));
    CHECK(ring.size() == 3);
    CHECK(ring.front() == 1);
    CHECK(ring.at(2) == 3);
}

TEST_CASE("order survives wrapping round") {
    FixedRing<int> ring(3);
    int next_in = 0;
    int next_out = 0;
    for (int round = 0; round < 10; ++round) {
        while (ring.push(next_in))
            ++next_in;
        for (int i = 0; i < 2; ++i) {
            CHECK(ring.front() == next_out++);
            ring.pop();
        }
    }
    CHECK(next_out == 20);
}

TEST_CASE("rotation moves the first behind the others") {
    FixedRing<int> ring(4);
    for (const int value : {1, 2, 3})
        CHECK(ring.push(value));
    ring.rotate(2);
    CHECK(ring.at(0) == 3);
    CHECK(ring.at(1) == 1);
    CHECK(ring.at(2) == 2);
    ring.rotate(0);
    CHECK(ring.at(0) == 3);
    ring.rotate(3);
    CHECK(ring.at(0) == 3);
}

TEST_CASE("a ring without room takes nothing") {
    FixedRing<int> ring(0);
    CHECK_FALSE(ring.push(1));
    CHECK(ring.empty());
}

}  // namespace wt
