// SPDX-License-Identifier: MIT
//
// The bytes that bots and server exchange: what is written is read, what does not fit is refused
// and leaves the target alone.
#include "bots/payloads.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace wt::bots {

TEST_CASE("content matches what it was made from, and no byte of it may change") {
    for (const std::size_t size : {std::size_t{8}, report_bytes, chat_bytes, content_bytes}) {
        std::vector<std::uint8_t> bytes(size);
        fill_content(bytes, 0x0123'4567'89ab'cdef);
        CHECK(content_matches(bytes));
        std::vector<std::uint8_t> other(size);
        fill_content(other, 0x0123'4567'89ab'cdee);
        CHECK(other != bytes);
        if (size == 8) continue;  // The seed alone: nothing to compare it with.
        for (const std::size_t at : {std::size_t{0}, std::size_t{8}, size / 2, size - 1}) {
            bytes[at] ^= 0x10;
            CHECK_FALSE(content_matches(bytes));
            bytes[at] ^= 0x10;
        }
    }
}

TEST_CASE("content that is shorter than its seed or no whole number of words matches nothing") {
    std::vector<std::uint8_t> bytes(64);
    fill_content(bytes, 5);
    CHECK_FALSE(content_matches({}));
    CHECK_FALSE(content_matches(ConstBytes(bytes).first(7)));
    CHECK_FALSE(content_matches(ConstBytes(bytes).first(63)));
    CHECK(content_matches(ConstBytes(bytes).first(56)));
}

TEST_CASE("an input comes back as it went, and only at its one size") {
    std::vector<std::uint8_t> bytes(input_bytes, 0xee);
    write_input(bytes,
                {.tick = 0xffff'ffff, .snapshot_tick = 0x0102'0304, .buttons = {1, 0x8000, 3}});
    CHECK(bytes[0] == 0xff);
    CHECK(bytes[4] == 0x04);
    CHECK(bytes[9] == 0x00);
    CHECK(bytes[11] == 0x80);
    CHECK(bytes[input_bytes - 1] == 0);
    Input input;
    REQUIRE(read_input(bytes, input));
    CHECK(input.tick == 0xffff'ffff);
    CHECK(input.snapshot_tick == 0x0102'0304);
    CHECK(input.buttons == std::array<std::uint16_t, 3>{1, 0x8000, 3});
    bytes.push_back(0);
    Input untouched{.tick = 7, .snapshot_tick = 8, .buttons = {9, 10, 11}};
    CHECK_FALSE(read_input(bytes, untouched));
    CHECK_FALSE(read_input(ConstBytes(bytes).first(input_bytes - 1), untouched));
    CHECK_FALSE(read_input({}, untouched));
    CHECK(untouched.tick == 7);
    CHECK(untouched.buttons[2] == 11);
}

TEST_CASE("a snapshot's count has to fit its bytes exactly") {
    std::vector<std::uint8_t> bytes(snapshot_header_bytes + 3 * object_bytes);
    write_snapshot_head(bytes, {.tick = 99, .first = 998, .count = 3});
    SnapshotHead head;
    REQUIRE(read_snapshot_head(bytes, head));
    CHECK(head.tick == 99);
    CHECK(head.first == 998);
    CHECK(head.count == 3);
    SnapshotHead untouched{.tick = 1, .first = 2, .count = 3};
    CHECK_FALSE(read_snapshot_head(ConstBytes(bytes).first(bytes.size() - 1), untouched));
    CHECK_FALSE(read_snapshot_head(ConstBytes(bytes).first(snapshot_header_bytes - 1), untouched));
    bytes.push_back(0);
    CHECK_FALSE(read_snapshot_head(bytes, untouched));
    CHECK(untouched.tick == 1);
    CHECK(untouched.count == 3);
}

}  // namespace wt::bots
