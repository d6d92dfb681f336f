// SPDX-License-Identifier: MIT
#include "engine/replication/peer_replication.hpp"

#include <doctest/doctest.h>

#include "tests/support/replication_crowd.hpp"
#include "tests/support/replication_lab.hpp"

namespace wt::replication::peer_replication_test {

namespace {

State at(std::uint32_t x, std::uint32_t y) {
    return {{static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), 0, 0, 0}};
}

struct Server {
    explicit Server(const PeerConfig& config = {}) { peer.reset(table, config); }

    void tick(Viewpoint view = {}) {
        table.commit(++now);
        peer.update_interest(table, view);
    }
    std::uint32_t tell() {
        std::uint32_t messages = 0;
        ControlMessage message;
        for (; peer.next_control(table, room, message); ++messages)
            peer.commit_control(table);
        return messages;
    }
    EncodeResult encode(std::size_t bytes = 1'052) {
        return peer.encode(table, scratch, {}, MutableBytes(room).first(bytes));
    }

    SchemaSet schemas = test_schemas();
    ObjectTable table{schemas, {.objects_max = 512}};
    PeerReplication peer;
    EncodeScratch scratch;
    std::vector<std::uint8_t> room = std::vector<std::uint8_t>(1'052);
    std::uint64_t now = 0;
};

}  // namespace

TEST_CASE("peer: acknowledgements from the future are refused whole") {
    Server server;
    const ObjectId id = *server.table.spawn(crate_kind, no_owner, {});
    server.tick();
    CHECK(server.tell() == 1);
    CHECK(server.peer.on_ack(server.table, {.newest = 1}) == AckStatus::from_future);
    CHECK(server.peer.on_ack(server.table, {.control_serial = 2}) == AckStatus::from_future);
    const std::uint16_t number = server.encode().number;
    const std::uint16_t next = static_cast<std::uint16_t>(number + 1);
    // The serial would be good, the number is not: neither counts.
    CHECK(server.peer.on_ack(server.table, {.newest = next, .control_serial = 1}) ==
          AckStatus::from_future);
    CHECK(server.peer.confirmed_serial() == 0);
    CHECK(server.peer.counters().acks_refused == 3);
    CHECK(server.peer.on_ack(server.table, {.newest = number, .control_serial = 1}) ==
          AckStatus::ok);
    CHECK(server.peer.confirmed_serial() == 1);
    CHECK(server.peer.is_live(id.slot));
    // An older one that comes late changes nothing.
    CHECK(server.peer.on_ack(server.table, {.newest = number}) == AckStatus::ok);
    CHECK(server.peer.confirmed_serial() == 1);
}

TEST_CASE("peer: what was in a snapshot that fell out of the log is sent again") {
    Server server;
    const ObjectId id = *server.table.spawn(crate_kind, no_owner, {});
    server.tick();
    CHECK(server.tell() == 1);
    const std::uint16_t number = server.encode().number;
    CHECK(server.peer.on_ack(server.table, {.newest = number, .control_serial = 1}) ==
          AckStatus::ok);
    server.table.write(id, at(5, 5));
    server.tick();
    CHECK(server.encode().objects == 1);
    // Nobody says whether it came, and nothing else happens.
    std::uint32_t again = 0;
    for (std::uint32_t i = 0; i < PeerReplication::log_places + 2 && again == 0; ++i) {
        server.tick();
        again = server.encode().objects;
    }
    CHECK(again == 1);
    CHECK(server.peer.counters().versions_lost == 1);
    CHECK_FALSE(server.peer.is_pending(id.slot));
}

TEST_CASE("peer: a control message that was not taken is built again") {
    Server server;
    const ObjectId id = *server.table.spawn(crate_kind, no_owner, at(1, 1));
    server.tick();
    ControlMessage message;
    REQUIRE(server.peer.next_control(server.table, server.room, message));
    CHECK(message.serial == 1);
    CHECK(server.peer.sent_serial() == 0);
    CHECK_FALSE(server.peer.is_live(id.slot));
    // A tick later it says what is then.
    server.table.write(id, at(2, 2));
    server.tick();
    REQUIRE(server.peer.next_control(server.table, server.room, message));
    CHECK(message.serial == 1);
    CHECK(read_spawn(ConstBytes(server.room).first(message.bytes), 0).state == at(2, 2));
    server.peer.commit_control(server.table);
    CHECK(server.peer.sent_serial() == 1);
    CHECK(server.encode().objects == 0);  // The spawn said it all.
    // No room for one record: nothing is built.
    server.table.despawn(id);
    server.tick();
    CHECK_FALSE(
        server.peer.next_control(server.table, MutableBytes(server.room).first(17), message));
    CHECK(server.peer.next_control(server.table, MutableBytes(server.room).first(18), message));
}

TEST_CASE("peer: control messages of a tick are bounded, and none is left for ever") {
    Server server({.control_messages_per_tick = 2});
    for (int i = 0; i < 300; ++i)
        REQUIRE(server.table.spawn(crate_kind, no_owner, {}));
    server.tick();
    CHECK(server.tell() == 2);  // 57 each.
    CHECK(server.peer.counters().spawns == 114);
    server.tick();
    CHECK(server.tell() == 2);
    server.tick();
    CHECK(server.tell() == 2);
    CHECK(server.peer.counters().spawns == 300);
    server.tick();
    CHECK(server.tell() == 0);
}

TEST_CASE("peer: no snapshot is larger than its room, to the bit") {
    Server server;
    LuckStream luck(LuckKey::root(1).with("room"));
    Crowd crowd(server.table, luck, 200, crate_kind);
    server.tick();
    server.tell();
    for (std::size_t bytes = 0; bytes <= 400; ++bytes) {
        crowd.walk(100, 2'000);
        server.tick();
        server.tell();
        const EncodeResult result = server.encode(bytes);
        REQUIRE(result.bytes <= bytes);
        REQUIRE((result.bytes == 0) == (bytes < head_bytes));
        // Absolute states: 12 bits and 60, a gap of 4 to 16, an age of 1 to 7.
        const std::size_t most = bytes < head_bytes ? 0 : (bytes - head_bytes) * 8 / 77;
        REQUIRE(result.objects <= most);
        // What is left unused is no room for another one, by the estimate of places.
        REQUIRE(result.objects + 2 >= (bytes < head_bytes ? 0 : (bytes - head_bytes) * 8 / 95));
    }
}

TEST_CASE("peer: batches of one tick share the work, each alone") {
    Server server;
    LuckStream luck(LuckKey::root(2).with("batches"));
    Crowd crowd(server.table, luck, 100, crate_kind);
    server.tick();
    server.tell();
    crowd.walk(100, 50);
    server.tick();
    std::uint32_t objects = 0;
    std::uint32_t left = 100;
    for (std::uint8_t batch = 0; left > 0; ++batch) {
        REQUIRE(batch < 8);
        const EncodeResult result =
            server.peer.encode(server.table, server.scratch, {.batch = batch, .batch_limit = 8},
                               MutableBytes(server.room).first(300));
        SnapshotHead head;
        REQUIRE(read_head(ConstBytes(server.room).first(result.bytes), head) == head_bytes);
        CHECK(head.batch == batch);
        CHECK(head.batch_limit == 8);
        objects += result.objects;
        left = result.left;
    }
    CHECK(objects == 100);
}

TEST_CASE("relevance: cells are entered near, and left one cell later") {
    Server server({.everything = false, .radius_cells = 1});
    constexpr std::uint32_t cell = 1u << 12;
    const ObjectId id = *server.table.spawn(crate_kind, no_owner, at(8 * cell, 8 * cell));
    const auto relevant_from = [&](std::uint32_t column) {
        server.tick({static_cast<std::uint16_t>(column * cell), 8 * cell});
        return server.peer.relevant().has(id.slot);
    };
    CHECK_FALSE(relevant_from(5));
    CHECK_FALSE(relevant_from(6));
    CHECK(relevant_from(7));
    CHECK(relevant_from(6));
    CHECK_FALSE(relevant_from(5));
    CHECK_FALSE(relevant_from(6));
    // The object comes to the viewer, who does not move.
    server.table.write(id, at(7 * cell, 7 * cell));
    CHECK(relevant_from(6));
    server.table.write(id, at(15 * cell, 0));
    CHECK_FALSE(relevant_from(6));
    // Far jumps of the viewer, and the map's corners.
    server.table.write(id, at(0, 0));
    server.tick({0, 0});
    CHECK(server.peer.relevant().has(id.slot));
    server.tick({0xffff, 0xffff});
    CHECK_FALSE(server.peer.relevant().has(id.slot));
}

TEST_CASE("relevance: what is near is what a full look would find") {
    Server server({.player = 2, .team = 1, .everything = false, .radius_cells = 2});
    LuckStream luck(LuckKey::root(4).with("grid"));
    Crowd crowd(server.table, luck, 100, crate_kind);
    for (int i = 0; i < 20; ++i) {
        crowd.spawn(secret_kind, static_cast<PlayerSlot>(i % 4));
        crowd.spawn(flag_kind);
        server.table.set_team(crowd.ids.back(), static_cast<std::uint8_t>(i % 2));
    }
    Viewpoint view;
    for (int i = 0; i < 400; ++i) {
        crowd.walk(20, 3'000);
        const ObjectId some = crowd.ids[luck.below(crowd.ids.size())];
        server.table.set_owner(some, static_cast<PlayerSlot>(luck.below(4)));
        server.table.set_team(some, static_cast<std::uint8_t>(luck.below(2)));
        view.x = static_cast<std::uint16_t>(view.x + luck.below(2'500));
        view.y = static_cast<std::uint16_t>(view.y + luck.below(1'500));
        server.tick(view);
        server.table.alive().visit([&](std::uint32_t slot) {
            const auto far = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
            const std::uint32_t cells = std::max(far(server.table.x_of(slot) >> 12, view.x >> 12),
                                                 far(server.table.y_of(slot) >> 12, view.y >> 12));
            const bool relevant = server.peer.relevant().has(slot);
            const std::uint16_t kind = server.schemas.at(server.table.schema_of(slot)).kind;
            if (server.table.owner_of(slot) == 2) {
                REQUIRE(relevant);
            } else if (kind == secret_kind) {
                REQUIRE_FALSE(relevant);
            } else if (kind == flag_kind) {
                REQUIRE(relevant == (server.table.team_of(slot) == 1));
            } else if (cells != 3) {  // The third cell is whoever was there before.
                REQUIRE(relevant == (cells <= 2));
            }
        });
    }
}

TEST_CASE("peer: memory of a dormant object, and slots let go by reset") {
    CHECK(PeerReplication::entry_bytes <= 64);
    Server server;
    for (int i = 0; i < 512; ++i)
        REQUIRE(server.table.spawn(crate_kind, no_owner, {}));
    for (int i = 0; i < 4; ++i) {
        server.tick();
        server.tell();
    }
    for (std::uint32_t slot = 0; slot < 512; ++slot)
        REQUIRE(server.table.despawn(server.table.id_of(slot)));
    server.tick();
    server.tell();
    // Told, not confirmed.
    CHECK_FALSE(server.table.spawn(crate_kind, no_owner, {}));
    server.peer.reset(server.table, {});
    CHECK(server.table.spawn(crate_kind, no_owner, {}));
}

TEST_CASE("peer: coverage of the sixteen nearest, without one's own") {
    Server server({.player = 7, .nearest_count = 4});
    std::vector<ObjectId> ids;
    // One's own in the middle, and twenty others that stand farther and farther away.
    ids.push_back(*server.table.spawn(avatar_kind, 7, at(1'000, 1'000)));
    for (std::uint32_t i = 1; i <= 20; ++i)
        ids.push_back(*server.table.spawn(avatar_kind, no_owner, at(1'000 + 100 * i, 1'000)));
    server.tick({1'000, 1'000});
    (void)server.tell();
    server.tick({1'000, 1'000});
    CHECK(server.encode().near_waiting == 0);
    const auto shift = [&](std::size_t first, std::size_t last, std::uint32_t by) {
        for (std::size_t i = first; i <= last; ++i) {
            const std::uint32_t x = 1'000 + 100 * static_cast<std::uint32_t>(i) + by;
            (void)server.table.write(ids[i], at(x, 1'000));
        }
        server.tick({1'000, 1'000});
    };
    SUBCASE("all of them fit") {
        shift(0, 20, 1);
        const EncodeResult result = server.encode();
        CHECK(result.objects == 21);
        CHECK(result.near_waiting == 16);
        CHECK(result.near_objects == 16);
    }
    SUBCASE("the seventeenth is not among them, one's own neither") {
        shift(17, 20, 1);
        CHECK(server.encode().near_waiting == 0);
        shift(0, 0, 1);
        CHECK(server.encode().near_waiting == 0);
        shift(16, 17, 2);
        CHECK(server.encode().near_waiting == 1);
    }
    SUBCASE("what is left out is missing in the figure") {
        shift(1, 20, 1);
        const EncodeResult result = server.encode(60);
        CHECK(result.left > 4);
        CHECK(result.near_waiting == 16);
        CHECK(result.near_objects < 16);
        CHECK(result.near_objects >= 1);
    }
}

}  // namespace wt::replication::peer_replication_test
