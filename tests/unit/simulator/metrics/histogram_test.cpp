// SPDX-License-Identifier: MIT
//
// Ranks are compared with a sorted list of the same values: the cell's edge may lie above the
// true value by one part in 256, never below it.
#include "simulator/metrics/histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/base/rng.hpp"

using namespace wt;
using namespace wt::sim;

TEST_CASE("an empty histogram is all zeros") {
    ChunkPool pool(4);
    const Histogram values;
    CHECK(values.count() == 0);
    CHECK(values.min() == 0);
    CHECK(values.max() == 0);
    CHECK(values.mean() == 0);
    CHECK(values.percentile(pool, {50, 100}) == 0);
}

TEST_CASE("values below 512 are exact, 512 and 513 share a cell") {
    ChunkPool pool(4);
    Histogram values;
    for (const std::int64_t value : {0, 255, 256, 511, 512, 513, 514, 5'000})
        values.add(pool, value);
    CHECK(values.percentile(pool, {1, 8}) == 0);
    CHECK(values.percentile(pool, {2, 8}) == 255);
    CHECK(values.percentile(pool, {3, 8}) == 256);
    CHECK(values.percentile(pool, {4, 8}) == 511);
    CHECK(values.percentile(pool, {5, 8}) == 513);
    CHECK(values.percentile(pool, {6, 8}) == 513);
    CHECK(values.percentile(pool, {7, 8}) == 515);
    // The upper edge of 5,000's cell is 5,007; a percentile never passes the exact maximum.
    CHECK(values.percentile(pool, {8, 8}) == 5'000);
}

TEST_CASE("nearest rank is ceil(n * q): boundary pairs") {
    ChunkPool pool(4);
    Histogram values;
    for (std::int64_t i = 1; i <= 100; ++i)
        values.add(pool, i);
    CHECK(values.percentile(pool, {95, 100}) == 95);
    CHECK(values.percentile(pool, {999, 1'000}) == 100);
    CHECK(values.percentile(pool, {0, 100}) == 1);
    values.add(pool, 101);  // 101 * 0.95 = 95.95: rank 96.
    CHECK(values.percentile(pool, {95, 100}) == 96);
    CHECK(values.mean() == 51);
}

TEST_CASE("negative values: order, floor mean and edges towards zero") {
    ChunkPool pool(4);
    Histogram values;
    for (const std::int64_t value : {-5'000, -3, -1, 0, 2})
        values.add(pool, value);
    CHECK(values.min() == -5'000);
    CHECK(values.percentile(pool, {1, 5}) >= -5'000);
    CHECK(values.percentile(pool, {1, 5}) <= -4'980);
    CHECK(values.percentile(pool, {2, 5}) == -3);
    CHECK(values.percentile(pool, {3, 5}) == -1);
    CHECK(values.percentile(pool, {4, 5}) == 0);
    CHECK(values.percentile(pool, {5, 5}) == 2);
    CHECK(values.mean() == -1'001);  // floor(-5002 / 5) = floor(-1000.4)
}

TEST_CASE("the ends of the range have cells") {
    ChunkPool pool(4);
    Histogram values;
    values.add(pool, INT64_MIN);
    values.add(pool, INT64_MAX);
    CHECK(values.min() == INT64_MIN);
    CHECK(values.percentile(pool, {1, 2}) < -(INT64_MAX / 512 * 511));
    CHECK(values.percentile(pool, {2, 2}) == INT64_MAX);
    CHECK(values.mean() == -1);
}

TEST_CASE("percentiles lie at most one part in 256 above the sorted list") {
    ChunkPool pool(64);
    Histogram values;
    std::vector<std::int64_t> sorted;
    LuckStream luck(LuckKey::root(7).with("histogram"));
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t draw = luck.next();
        const std::int64_t value = static_cast<std::int64_t>(draw >> (24 + draw % 36));
        values.add(pool, value);
        sorted.push_back(value);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint32_t permille : {1u, 10u, 50u, 250u, 500u, 900u, 950u, 990u, 999u}) {
        const std::size_t rank = (sorted.size() * permille + 999) / 1'000;
        const std::int64_t exact = sorted[rank - 1];
        const std::int64_t found = values.percentile(pool, {permille, 1'000});
        CHECK(found >= exact);
        CHECK(found - exact <= exact / 256);
    }
}

TEST_CASE("merging in any order gives what one histogram would have said") {
    ChunkPool pool(64);
    Histogram all;
    std::vector<Histogram> parts(3);
    LuckStream luck(LuckKey::root(8).with("merge"));
    for (int i = 0; i < 3'000; ++i) {
        const std::int64_t value = static_cast<std::int64_t>(luck.below(50'000'000)) - 1'000'000;
        all.add(pool, value);
        parts[static_cast<std::size_t>(i % 3)].add(pool, value);
    }
    Histogram forward;
    Histogram backward;
    for (std::size_t i = 0; i < 3; ++i) {
        forward.merge(pool, parts[i], pool);
        backward.merge(pool, parts[2 - i], pool);
    }
    for (const std::uint32_t percent : {1u, 50u, 95u, 99u}) {
        CHECK(forward.percentile(pool, {percent, 100}) == all.percentile(pool, {percent, 100}));
        CHECK(backward.percentile(pool, {percent, 100}) == all.percentile(pool, {percent, 100}));
    }
    CHECK(forward.mean() == all.mean());
    CHECK(backward.count() == all.count());
    CHECK(backward.min() == all.min());
}

TEST_CASE("a pool grows by blocks and counts it; what was reserved is no growth") {
    ChunkPool pool(64);
    for (int i = 0; i < 64; ++i)
        CHECK(pool.acquire() == i);
    CHECK(pool.growth() == 0);
    CHECK(pool.acquire() == 64);
    CHECK(pool.growth() == 1);
    CHECK(pool.at(64)[0] == 0);
}
