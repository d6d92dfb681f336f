// SPDX-License-Identifier: MIT
//
// The small parts: names and addresses, the grid, parcels, chronicles.
#include <doctest/doctest.h>

#include <algorithm>

#include "simulator/core/chronicle.hpp"
#include "simulator/core/grid.hpp"
#include "simulator/core/host_name.hpp"
#include "simulator/core/parcel_pool.hpp"

namespace wt::sim {

TEST_CASE("ranks follow names, not places: numbers as numbers, groups as words") {
    const std::vector<HostName> names = {{"runner", 10}, {"server", 0}, {"runner", 9}, {"a", 99}};
    CHECK(ranks_of(names) == std::vector<std::uint32_t>{2, 3, 1, 0});
    CHECK(text_of(names[0]) == "runner-10");
    CHECK(text_of(server_name()) == "server");
}

TEST_CASE("addresses are fd00::/8, differ by name, and change only their port with a new process") {
    const transport::Address first = address_of({"player", 1}, 0);
    const transport::Address again = address_of({"player", 1}, 3);
    CHECK(first.ip[0] == 0xfd);
    CHECK(first.port == 40'000);
    CHECK(again.ip == first.ip);
    CHECK(again.port == 40'003);
    CHECK(address_of({"player", 1}, 24'999).port == 64'999);
    CHECK(address_of({"player", 1}, 25'000).port == 40'000);
    CHECK(address_of({"player", 2}, 0).ip != first.ip);
    CHECK(address_of({"player1", 0}, 0).ip != address_of({"player", 10}, 0).ip);
    CHECK(hash_of({"player", 1}) != hash_of({"player", 2}));
    CHECK(luck_of(1, {"player", 1}).value != luck_of(2, {"player", 1}).value);
}

TEST_CASE("the grid rounds up, and sees strictly what came before") {
    const Grid grid{Duration::millis(5), Duration::millis(10)};
    const Instant five = Instant{} + Duration::millis(5);
    CHECK(grid.poll_after({-1}) == Instant{});
    CHECK(grid.poll_after({}) == five);
    CHECK(grid.poll_after(five - Duration::nanos(1)) == five);
    CHECK(grid.poll_after(five) == Instant{} + Duration::millis(10));
    CHECK(grid.is_poll(five));
    CHECK_FALSE(grid.is_flush(five));
    CHECK(grid.flush_at_or_after({}) == Instant{});
    CHECK(grid.flush_at_or_after({1}) == Instant{} + Duration::millis(10));
    CHECK(grid.flush_at_or_after(Instant::never()) == Instant::never());
    const Grid none{{}, {}};
    CHECK(none.poll_after({7}) == Instant{8});
    CHECK(none.flush_at_or_after({7}) == Instant{7});
    CHECK(none.is_poll({7}));
    const std::vector<Frequency> ticks = {{60}, {0}};
    CHECK(next_wake_after(grid, ticks, {15'000'000}) == Instant{16'666'666});
    CHECK(next_wake_after(grid, ticks, {16'666'666}) == Instant{20'000'000});
}

TEST_CASE("parcels keep their class, grow by chunks and are used again") {
    ParcelPool pool(0);
    const ParcelId small = pool.acquire(ParcelPool::small_bytes);
    const ParcelId large = pool.acquire(ParcelPool::small_bytes + 1);
    CHECK(pool.room(small).size() == ParcelPool::small_bytes);
    CHECK(pool.room(large).size() == ParcelPool::large_bytes);
    CHECK(pool.chunks_grown() == 2);
    pool.head(small).size = 1;
    pool.head(large).size = 2;
    CHECK(pool.head(small).size == 1);
    pool.release(small);
    CHECK(pool.acquire(0) == small);
    std::vector<ParcelId> many;
    for (int i = 0; i < 255; ++i)
        many.push_back(pool.acquire(10));
    CHECK(pool.chunks_grown() == 2);
    many.push_back(pool.acquire(10));
    CHECK(pool.chunks_grown() == 3);
    CHECK(pool.in_use() == 258);
    // All different.
    std::sort(many.begin(), many.end(), [](ParcelId a, ParcelId b) { return a.value < b.value; });
    CHECK(std::adjacent_find(many.begin(), many.end()) == many.end());
}

TEST_CASE("a chronicle keeps the value of every second, also of silent and broken ones") {
    const auto record = [](std::int64_t ms, std::uint64_t name) {
        return Record{RecordKind::act, Instant{} + Duration::millis(ms), name, 0, 0};
    };
    Chronicle chronicle;
    chronicle.add(record(500, 1));
    const DigestValue first = chronicle.value();
    chronicle.add(record(3'000, 2));
    chronicle.finish(Instant{} + Duration::millis(4'500));
    REQUIRE(chronicle.seconds().size() == 5);
    CHECK(chronicle.seconds()[0] == first);
    CHECK(chronicle.seconds()[2] == first);
    CHECK(chronicle.seconds()[3] == chronicle.value());
    CHECK(chronicle.seconds()[4] == chronicle.value());
    Chronicle whole;
    whole.add(record(500, 1));
    whole.finish(Instant{} + Duration::seconds(1));
    CHECK(whole.seconds().size() == 1);
}

TEST_CASE("a parcel given back abroad is used again after the window's end, at its home") {
    ParcelPools pools(2);
    const ParcelId first = pools.of(0).acquire(10);
    const ParcelId second = pools.of(1).acquire_large();
    CHECK(ParcelPool::home_of(first) == 0);
    CHECK(ParcelPool::home_of(second) == 1);
    pools.head(first).size = 1;
    pools.head(second).size = 2;
    CHECK(pools.of(0).head(first).size == 1);
    CHECK(pools.of(1).head(second).size == 2);
    pools.release(1, first);
    pools.release(1, second);
    CHECK(pools.in_use() == 1);
    CHECK(pools.of(0).acquire(10) != first);
    pools.return_home();
    CHECK(pools.of(0).acquire(10) == first);
    CHECK(pools.in_use() == 2);
}

}  // namespace wt::sim
