// SPDX-License-Identifier: MIT
//
// Room that gets longer keeps what is in it; a long queue that runs empty gives its room back; what
// comes from a source goes back there.
#include "engine/base/pool_room.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "engine/base/pool_ring.hpp"

namespace wt {

namespace {

// Counts what is out, by class.
class CountedSource : public BufferSource {
public:
    PoolBuffer take(std::uint32_t bytes) override {
        const PoolBuffer buffer = pool_.take(bytes);
        ++out[buffer.size_class];
        return buffer;
    }
    void give_back(PoolBuffer& buffer) override {
        --out[buffer.size_class];
        pool_.give_back(buffer);
    }

    std::array<int, BufferPool::class_bytes.size()> out{};

private:
    BufferPool pool_;
};

}  // namespace

TEST_CASE("room gets longer and keeps its values; new places are default-made") {
    BufferPool pool;
    PoolRoom<std::uint64_t> room(pool);
    std::uint32_t before = 0;
    // 40,000 of 8 bytes are more than the largest buffer.
    for (const std::uint32_t places : {1u, 16u, 17u, 3'000u, 40'000u, 50'000u}) {
        CAPTURE(places);
        room.widen(places);
        REQUIRE(room.size() == places);
        for (std::uint32_t i = 0; i < before; ++i)
            REQUIRE(room[i] == i + 7);
        for (std::uint32_t i = before; i < places; ++i) {
            REQUIRE(room[i] == 0);
            room[i] = i + 7;
        }
        before = places;
    }
    room.widen(10);  // Never shorter.
    CHECK(room.size() == 50'000);
    CHECK(pool.taken_bytes() == 0);  // It lies beside the pool.
    room.release();
    CHECK(room.size() == 0);
    room.widen(16);
    CHECK(pool.taken_bytes() == 128);
}

TEST_CASE("a ring of a pool grows from 4 places to 16 and doubles; order stays across the seam") {
    BufferPool pool;
    PoolRing<std::uint32_t> ring(pool);
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    // Every size from every place in the lap.
    for (std::uint32_t size = 1; size <= 70; ++size) {
        while (ring.size() < size)
            ring.push() = in++;
        for (std::uint32_t turn = 0; turn < 9; ++turn) {
            ring.push() = in++;
            REQUIRE(ring.front() == out);
            ring.pop();
            ++out;
        }
        for (std::uint32_t i = 0; i < ring.size(); ++i)
            REQUIRE(ring.at(i) == out + i);
    }
    CHECK(ring.capacity() == 128);
}

TEST_CASE("a long ring that runs empty gives its room back, a short one keeps it") {
    BufferPool pool;
    PoolRing<std::uint32_t> ring(pool);
    for (std::uint32_t i = 0; i < 16; ++i)
        ring.push() = i;
    while (!ring.empty())
        ring.pop();
    CHECK(ring.capacity() == 16);
    for (std::uint32_t i = 0; i < 17; ++i)
        ring.push() = i;
    CHECK(ring.capacity() == 32);
    while (!ring.empty())
        ring.pop();
    CHECK(ring.capacity() == 0);
    CHECK(pool.taken_bytes() == 0);
    ring.push() = 9;
    CHECK(ring.front() == 9);
}

TEST_CASE("classes from 2,304 bytes on come from the source and go back to it") {
    CountedSource source;
    {
        BufferPool pool(&source);
        std::vector<PoolBuffer> taken;
        for (const std::uint32_t bytes : {1u, 1'280u, 1'281u, 2'304u, 2'305u, 263'552u})
            taken.push_back(pool.take(bytes));
        CHECK(source.out[2] == 0);
        CHECK(source.out[3] == 2);
        CHECK(source.out[4] == 1);
        CHECK(source.out[7] == 1);
        // Its own are slabs of a page at least; of the source's it has what is out.
        CHECK(pool.owned_bytes() >= pool.taken_bytes());
        const std::uint64_t owned = pool.owned_bytes();
        pool.give_back(taken[5]);
        CHECK(pool.owned_bytes() == owned - 263'552);
        for (PoolBuffer& buffer : taken)
            pool.give_back(buffer);
    }
    for (const int out : source.out)
        CHECK(out == 0);
}

}  // namespace wt
