// SPDX-License-Identifier: MIT
//
// Buffers of a run: nobody gets one that somebody has, and what came back is used again.
#include "simulator/core/shared_buffers.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <vector>

namespace wt::sim {

TEST_CASE("shared buffers never overlap, and nothing grows while some lie about") {
    SharedBuffers buffers(3);
    CHECK(buffers.owned_bytes() == 3 * (2'304 + 5'120));
    BufferPool one(&buffers);
    BufferPool other(&buffers);
    std::vector<PoolBuffer> ones;
    std::vector<PoolBuffer> others;
    for (int i = 0; i < 100; ++i) {
        ones.push_back(one.take(2'000));
        others.push_back(other.take(2'000));
        std::memset(ones.back().data, i, 2'304);
        std::memset(others.back().data, 200 - i, 2'304);
    }
    for (int i = 0; i < 100; ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        REQUIRE(ones[at].data[0] == i);
        REQUIRE(ones[at].data[2'303] == i);
        REQUIRE(others[at].data[2'303] == 200 - i);
    }
    const std::uint64_t owned = buffers.owned_bytes();
    CHECK(owned >= 200 * 2'304);
    std::set<const std::uint8_t*> seen;
    for (PoolBuffer& buffer : ones) {
        seen.insert(buffer.data);
        one.give_back(buffer);
    }
    // What the one gave back, the other gets.
    for (int i = 0; i < 100; ++i) {
        others.push_back(other.take(2'304));
        CHECK(seen.erase(others.back().data) == 1);
    }
    CHECK(buffers.owned_bytes() == owned);
    for (PoolBuffer& buffer : others)
        other.give_back(buffer);
}

}  // namespace wt::sim
