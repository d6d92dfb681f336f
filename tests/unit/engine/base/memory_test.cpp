// SPDX-License-Identifier: MIT
//
// What grows: by how much, when, and that what was in it stays.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/grow_ring.hpp"

namespace wt {

TEST_CASE("a ring grows from 4 places to 128 and doubles then; order stays across the seam") {
    GrowRing<std::uint32_t> ring;
    for (std::uint32_t i = 0; i < 4; ++i)
        ring.push() = i;
    CHECK(ring.capacity() == 4);
    ring.pop();
    ring.push() = 4;  // Lies before the front in memory now.
    CHECK(ring.capacity() == 4);
    ring.push() = 5;
    CHECK(ring.capacity() == 128);
    for (std::uint32_t i = 6; i <= 128; ++i)
        ring.push() = i;
    CHECK(ring.capacity() == 128);
    ring.push() = 129;
    CHECK(ring.capacity() == 256);
    for (std::uint32_t i = 0; i < ring.size(); ++i)
        CHECK(ring.at(i) == i + 1);
}

TEST_CASE("a ring's reserve gives room once, and clear keeps it") {
    GrowRing<std::uint32_t> ring;
    ring.reserve(64);
    CHECK(ring.capacity() == 64);
    ring.push() = 1;
    ring.reserve(256);
    CHECK(ring.capacity() == 64);
    ring.clear();
    CHECK(ring.empty());
    CHECK(ring.capacity() == 64);
}

TEST_CASE("reserved buffers are taken without a growth; the next one grows the pool") {
    BufferPool pool;
    pool.reserve(128, 40);
    CHECK(pool.owned_bytes() == 40 * 128);
    pool.reserve(100, 30);  // The same class, and less than there is.
    CHECK(pool.owned_bytes() == 40 * 128);
    CHECK(pool.growths() == 0);
    std::vector<PoolBuffer> taken;
    for (int i = 0; i < 40; ++i)
        taken.push_back(pool.take(128));
    CHECK(pool.growths() == 0);
    CHECK(pool.taken_bytes() == 40 * 128);
    taken.push_back(pool.take(1));
    CHECK(pool.growths() == 1);
    for (PoolBuffer& buffer : taken)
        pool.give_back(buffer);
    CHECK(pool.taken_bytes() == 0);
    // All of them are there again.
    for (PoolBuffer& buffer : taken)
        buffer = pool.take(128);
    CHECK(pool.growths() == 1);
    for (PoolBuffer& buffer : taken)
        pool.give_back(buffer);
}

}  // namespace wt
