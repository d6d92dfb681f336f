// SPDX-License-Identifier: MIT
#include "engine/replication/wire.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <vector>

#include "engine/base/rng.hpp"
#include "engine/replication/slot_set.hpp"

namespace wt::replication::wire_test {

using Bytes = std::vector<std::uint8_t>;

TEST_CASE("wire: golden head, spawn, despawn, owner, request") {
    Bytes head(14);
    const std::array<std::uint8_t, 2> app = {0xa1, 0xa2};
    CHECK(write_head({.tick = 0x01020304,
                      .number = 0x0506,
                      .batch = 1,
                      .batch_limit = 3,
                      .control_serial = 0x0708,
                      .object_count = 0,
                      .app_block = app},
                     head));
    CHECK(head == Bytes{4, 3, 2, 1, 6, 5, 0x21, 8, 7, 0, 0, 2, 0xa1, 0xa2});
    Bytes spawn(control_head_bytes + spawn_bytes);
    write_control_head({.serial = 0x0102, .tick = 0x03040506, .count = 1}, spawn.data());
    write_spawn({.id = {0x1112, 0x1314}, .kind = 0x15, .owner = 0x16, .state = {{1, 2, 3, 4, 5}}},
                spawn.data() + control_head_bytes);
    CHECK(spawn == Bytes{2,    1,    6,    5, 4,    3, 1, 0, 0, 0, 0, 0, 0, 0, 0x12, 0x11,
                         0x14, 0x13, 0x15, 0, 0x16, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5,    0});
    Bytes owner(owner_bytes);
    write_owner({.id = {1, 2}, .owner = no_owner}, owner.data());
    CHECK(owner == Bytes{1, 0, 2, 0, 0xff, 0xff});
    Bytes request(13);
    CHECK(write_request({.count = 1, .ids = {{{3, 4}}}}, request) == 13);
    CHECK(request == Bytes{0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0});
}

TEST_CASE("wire: heads that cannot be") {
    Bytes bytes(20);
    REQUIRE(write_head({.tick = 9, .object_count = 10}, bytes));
    SnapshotHead out{.tick = 77};
    const auto refused = [&](Bytes changed) {
        CHECK(read_head(changed, out) == 0);
        CHECK(out.tick == 77);
    };
    refused(Bytes(bytes.begin(), bytes.begin() + 11));
    Bytes batch = bytes;
    batch[6] = 0x12;  // Third of two.
    refused(batch);
    Bytes app = bytes;
    app[11] = 9;  // One more than there is.
    refused(app);
    Bytes count = bytes;
    count[9] = 11;  // 64 bits are no room for 11 objects of 6.
    refused(count);
    CHECK(read_head(bytes, out) == 12);
    CHECK(out.tick == 9);
    Bytes small(11, 0xee);
    CHECK_FALSE(write_head({}, small));
    CHECK(small == Bytes(11, 0xee));
}

TEST_CASE("wire: control messages are as long as they say") {
    for (const ControlKind kind : {ControlKind::spawn, ControlKind::despawn, ControlKind::owner}) {
        const std::size_t size = control_head_bytes + 3 * record_bytes(kind);
        Bytes bytes(size + 1);
        write_control_head({.serial = 1, .count = 3}, bytes.data());
        ControlHead head;
        CHECK(read_control_head(kind, ConstBytes(bytes).first(size), head));
        CHECK(head.count == 3);
        CHECK_FALSE(read_control_head(kind, bytes, head));
        CHECK_FALSE(read_control_head(kind, ConstBytes(bytes).first(size - 1), head));
        write_control_head({.serial = 1, .count = 0}, bytes.data());
        const ConstBytes bare = ConstBytes(bytes).first(control_head_bytes);
        CHECK_FALSE(read_control_head(kind, bare, head));
        CHECK_FALSE(read_control_head(kind, bare.first(13), head));
        // A count that would wrap the length round.
        store_u64(bytes.data() + 6, ~std::uint64_t{0} / record_bytes(kind) + 1);
        CHECK_FALSE(read_control_head(kind, bare, head));
    }
}

TEST_CASE("wire: requests") {
    KeyframeRequest request{.count = request_ids_max};
    for (std::uint32_t i = 0; i < request_ids_max; ++i)
        request.ids[i] = {static_cast<std::uint16_t>(slots_max - 1 - i), 1};
    Bytes bytes(request_bytes_max);
    CHECK(write_request(request, bytes) == request_bytes_max);
    CHECK(write_request(request, MutableBytes(bytes).first(request_bytes_max - 1)) == 0);
    KeyframeRequest out;
    CHECK(read_request(bytes, out));
    CHECK(out.count == request_ids_max);
    const auto is_refused = [&](std::size_t at, std::uint8_t value) {
        Bytes changed = bytes;
        changed[at] = value;
        KeyframeRequest none{.everything = true, .count = 5};
        const bool read = read_request(changed, none);
        const std::uint32_t expected = read ? request_ids_max : 5;
        CHECK(none.count == expected);
        return !read;
    };
    CHECK(is_refused(0, 2));                          // Neither yes nor no.
    CHECK(is_refused(0, 1));                          // Everything, and ids.
    CHECK(is_refused(1, 65));                         // One too many.
    CHECK(is_refused(request_head_bytes + 2, 0));     // Generation 0.
    CHECK(is_refused(request_head_bytes + 1, 0x40));  // Slot 16,384 and more.
    CHECK_FALSE(is_refused(request_head_bytes, 1));
}

TEST_CASE("wire: gaps at the ends of their classes") {
    for (const auto& [gap, width] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {0, 4}, {7, 4}, {8, 8}, {71, 8}, {72, 16}, {16'383, 16}}) {
        const GapCode code = gap_code(gap);
        CHECK(code.width == width);
        CHECK((code.bits >> width) == 0);
        // Whatever follows.
        const GapCode back = read_gap(code.bits | (0xffff'ffffu << width));
        CHECK(back.bits == gap);
        CHECK(back.width == width);
    }
}

TEST_CASE("slot sets do as a plain set does") {
    LuckStream luck(LuckKey::root(9).with("slots"));
    for (const std::uint32_t capacity : {1u, 64u, 65u, 4'096u, 5'000u, slots_max}) {
        SlotSet set(capacity);
        SlotSet other(capacity);
        std::set<std::uint32_t> model;
        for (int i = 0; i < 400; ++i) {
            const std::uint32_t slot = static_cast<std::uint32_t>(luck.below(capacity));
            if (luck.below(3) == 0) {
                set.erase(slot);
                model.erase(slot);
            } else {
                set.insert(slot);
                model.insert(slot);
            }
            const std::uint32_t from = static_cast<std::uint32_t>(luck.below(capacity));
            const auto next = model.lower_bound(from);
            const std::uint32_t expected = next == model.end() ? slots_max : *next;
            REQUIRE(set.lowest_from(from) == expected);
            REQUIRE(set.has(from) == (model.count(from) == 1));
        }
        std::vector<std::uint32_t> walked;
        set.visit([&](std::uint32_t slot) { walked.push_back(slot); });
        CHECK(walked == std::vector<std::uint32_t>(model.begin(), model.end()));
        CHECK(set.count() == model.size());
        other.unite(set);
        CHECK(other.count() == model.size());
        set.clear();
        CHECK(set.empty());
        CHECK(set.lowest() == slots_max);
        CHECK(set.lowest_from(slots_max) == slots_max);
    }
}

}  // namespace wt::replication::wire_test
