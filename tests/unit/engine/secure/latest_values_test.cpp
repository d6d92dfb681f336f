// SPDX-License-Identifier: MIT
//
// Replaceable values: the newest of a tag and lane counts, its age is the oldest one's, and 256
// tags are the most.
#include "engine/secure/latest_values.hpp"

#include <doctest/doctest.h>

#include <array>

namespace wt::secure {

using transport::Lane;
using transport::SendStatus;

namespace {

constexpr std::uint8_t every_lane = 0xff;

SendStatus put(LatestValues& values, Instant now, std::uint32_t tag, ConstBytes bytes,
               Lane lane = Lane::state) {
    return values.put(now, {.lane = lane, .bytes = bytes, .replace_tag = tag, .tick = tag + 1});
}

}  // namespace

TEST_CASE("a newer value of a tag takes the older one's place and age") {
    BufferPool pool;
    LatestValues values(pool);
    const std::array<std::uint8_t, 3> old_bytes = {1, 2, 3};
    const std::array<std::uint8_t, 200> new_bytes = {9};
    CHECK(put(values, Instant{10}, 7, old_bytes) == SendStatus::ok);
    CHECK(put(values, Instant{20}, 8, old_bytes) == SendStatus::ok);
    CHECK(put(values, Instant{30}, 7, new_bytes) == SendStatus::replaced);
    const LatestValues::Entry* const first = values.oldest(every_lane);
    REQUIRE(first != nullptr);
    CHECK(first->tag == 7);
    CHECK(first->bytes == 200);
    CHECK(first->body.data[0] == 9);
    CHECK(first->accepted_at == Instant{10});
    transport::ConnectionLevels levels;
    values.levels(Instant{50}, levels);
    CHECK(levels.queue_age[static_cast<unsigned>(Lane::state)] == Duration{40});
    CHECK(levels.backlog_bytes == 203);
    values.drop(first);
    CHECK(values.oldest(every_lane)->tag == 8);
}

TEST_CASE("the same tag on another lane is another value") {
    BufferPool pool;
    LatestValues values(pool);
    const std::array<std::uint8_t, 1> bytes = {1};
    CHECK(put(values, Instant{1}, 7, bytes, Lane::state) == SendStatus::ok);
    CHECK(put(values, Instant{2}, 7, bytes, Lane::chat) == SendStatus::ok);
    CHECK(values.oldest(1u << static_cast<unsigned>(Lane::chat))->lane == Lane::chat);
    CHECK(values.oldest(1u << static_cast<unsigned>(Lane::bulk)) == nullptr);
    CHECK(values.oldest(0) == nullptr);
}

TEST_CASE("256 tags and no more; a full map still replaces") {
    BufferPool pool;
    LatestValues values(pool);
    const std::array<std::uint8_t, 2> bytes = {1, 2};
    for (std::uint32_t tag = 0; tag < LatestValues::tags_max; ++tag)
        REQUIRE(put(values, Instant{tag}, tag, bytes) == SendStatus::ok);
    const std::uint64_t taken = pool.taken_bytes();
    CHECK(put(values, Instant{999}, 1'000, bytes) == SendStatus::backlogged);
    CHECK(pool.taken_bytes() == taken);
    CHECK(values.oldest(every_lane)->tag == 0);
    CHECK(put(values, Instant{999}, 255, {}) == SendStatus::replaced);
    transport::ConnectionLevels levels;
    values.levels(Instant{999}, levels);
    CHECK(levels.backlog_bytes == 2 * 255);
    values.clear();
    CHECK(values.empty());
    CHECK(pool.taken_bytes() == 0);
}

}  // namespace wt::secure
