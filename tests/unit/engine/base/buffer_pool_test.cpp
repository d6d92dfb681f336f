// SPDX-License-Identifier: MIT
//
// Buffers come in the smallest class that holds them and are used again before anything grows;
// a ring that grows keeps its order.
#include "engine/base/buffer_pool.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "engine/base/grow_ring.hpp"

namespace wt {

TEST_CASE("every class ends where the next begins") {
    BufferPool pool;
    for (std::size_t i = 0; i < BufferPool::class_bytes.size(); ++i) {
        const std::uint32_t bytes = BufferPool::class_bytes[i];
        CAPTURE(bytes);
        PoolBuffer fits = pool.take(bytes);
        CHECK(fits.capacity == bytes);
        CHECK(pool.taken_bytes() == bytes);
        std::memset(fits.data, 0x5a, fits.capacity);
        pool.give_back(fits);
        CHECK(!fits);
        if (i + 1 == BufferPool::class_bytes.size()) break;
        PoolBuffer larger = pool.take(bytes + 1);
        CHECK(larger.capacity == BufferPool::class_bytes[i + 1]);
        pool.give_back(larger);
    }
    CHECK(pool.taken_bytes() == 0);
}

TEST_CASE("a buffer given back is the next one taken, and nothing grows") {
    BufferPool pool;
    PoolBuffer first = pool.take(1);
    const std::uint8_t* const data = first.data;
    const std::uint64_t growths = pool.growths();
    const std::uint64_t owned = pool.owned_bytes();
    for (int i = 0; i < 1'000; ++i) {
        pool.give_back(first);
        first = pool.take(128);
        REQUIRE(first.data == data);
    }
    CHECK(pool.growths() == growths);
    CHECK(pool.owned_bytes() == owned);
    pool.give_back(first);
    PoolBuffer empty;
    pool.give_back(empty);
    CHECK(pool.taken_bytes() == 0);
}

TEST_CASE("buffers taken at once never overlap, and growths stay few") {
    BufferPool pool;
    std::vector<PoolBuffer> taken;
    for (int i = 0; i < 3'000; ++i) {
        taken.push_back(pool.take(512));
        std::memset(taken.back().data, i & 0xff, 512);
    }
    for (int i = 0; i < 3'000; ++i) {
        const PoolBuffer& buffer = taken[static_cast<std::size_t>(i)];
        REQUIRE(buffer.data[0] == (i & 0xff));
        REQUIRE(buffer.data[511] == (i & 0xff));
    }
    CHECK(pool.taken_bytes() == 3'000 * 512);
    CHECK(pool.owned_bytes() >= pool.taken_bytes());
    // Slabs double from 4 KiB to 256 KiB and stay there: 7 to reach it, then one each 512.
    CHECK(pool.growths() <= 14);
    for (PoolBuffer& buffer : taken)
        pool.give_back(buffer);
    CHECK(pool.taken_bytes() == 0);
}

TEST_CASE("a ring that grows keeps the order, also when it had gone round") {
    GrowRing<int> ring;
    CHECK(ring.empty());
    CHECK(ring.capacity() == 0);
    for (int i = 0; i < 4; ++i)
        ring.push() = i;
    CHECK(ring.capacity() == 4);
    ring.pop();
    ring.pop();
    ring.push() = 4;
    ring.push() = 5;  // In slots 0 and 1 again: full, and turned by two.
    CHECK(ring.capacity() == 4);
    ring.push() = 6;
    // More than a few: room for two seconds of steady use at once.
    CHECK(ring.capacity() == 128);
    for (std::uint32_t i = 0; i < ring.size(); ++i)
        CHECK(ring.at(i) == static_cast<int>(i) + 2);
    CHECK(ring.size() == 5);
}

TEST_CASE("beyond steady use a ring doubles; room may be reserved while it is new") {
    GrowRing<int> ring;
    ring.reserve(16);
    CHECK(ring.capacity() == 16);
    ring.reserve(64);  // Too late: it has memory already.
    CHECK(ring.capacity() == 16);
    for (int i = 0; i < 128; ++i)
        ring.push() = i;
    CHECK(ring.capacity() == 128);
    ring.push() = 128;
    CHECK(ring.capacity() == 256);
    CHECK(ring.front() == 0);
    CHECK(ring.at(128) == 128);
}

TEST_CASE("a pushed value is fresh, and a cleared ring keeps its memory") {
    GrowRing<int> ring;
    ring.push() = 9;
    ring.pop();
    for (int i = 0; i < 4; ++i)
        CHECK(ring.push() == 0);
    ring.clear();
    CHECK(ring.empty());
    CHECK(ring.capacity() == 4);
    ring.push() = 1;
    CHECK(ring.front() == 1);
}

}  // namespace wt
