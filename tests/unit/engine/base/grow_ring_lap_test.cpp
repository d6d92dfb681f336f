// SPDX-License-Identifier: MIT
//
// The lap of a ring widens in place while values turn in it: order must hold through every wrap.
// A deque does the same beside it.
#include "engine/base/grow_ring.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>

namespace wt {

TEST_CASE("values keep their order through every wrap and every widening") {
    for (const std::size_t reserved :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{16}, std::size_t{256}}) {
        GrowRing<std::uint32_t> ring;
        ring.reserve(reserved);
        std::deque<std::uint32_t> model;
        std::uint32_t next = 0;
        std::uint32_t state = 12'345;
        for (int step = 0; step < 20'000; ++step) {
            state = state * 1'664'525 + 1'013'904'223;
            // Mostly balanced, with stretches that fill up to some hundreds and drain to nothing.
            const bool filling = step / 700 % 2 == 0;
            const bool push = (state >> 24) < (filling ? 150u : 100u);
            if (push || model.empty()) {
                ring.push() = next;
                model.push_back(next++);
            } else {
                ring.pop();
                model.pop_front();
            }
            REQUIRE(ring.size() == model.size());
            if (model.empty()) continue;
            REQUIRE(ring.front() == model.front());
            REQUIRE(ring.at(ring.size() - 1) == model.back());
            const std::uint32_t middle = ring.size() / 2;
            REQUIRE(ring.at(middle) == model[middle]);
        }
    }
}

}  // namespace wt
