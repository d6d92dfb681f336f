// SPDX-License-Identifier: MIT
//
// Loopback sessions on a perfect path, and what becomes of them on an imperfect one.
#include "engine/transport/loopback.hpp"

#include <doctest/doctest.h>

#include "engine/base/rng.hpp"
#include "engine/transport/loopback_wire.hpp"
#include "tests/support/endpoint_pair.hpp"

namespace wt::transport {

using test::Flying;
using test::Host;

namespace {

struct World {
    explicit World(const LoopbackConfig& config = {})
        : server(1, test::address_of(1), [&](Entropy) { return make_loopback_server(config); }),
          client(2, test::address_of(2), [&](Entropy) { return make_loopback_client(config); }) {}

    void exchange() {
        for (const Flying& one : client.step(now)) {
            if (!lose(one)) server.receive(now, client.address, one);
        }
        for (const Flying& one : server.step(now)) {
            if (!lose(one)) client.receive(now, server.address, one);
        }
        now += Duration::millis(5);
    }
    void exchange_for(Duration duration) {
        const Instant end = now + duration;
        while (now < end)
            exchange();
    }
    // Whether the test wants this datagram lost: the `lose_in`-th from now, or all of them.
    bool lose(const Flying&) {
        if (lose_all) return true;
        return lose_in > 0 && --lose_in == 0;
    }

    void connect() {
        const std::size_t before = server.asked.size();
        REQUIRE(client.endpoint->connect(now, {.server = server.address,
                                               .session = test::session_of_tests,
                                               .token = test::token_of_tests,
                                               .keys = {}}) == ConnectStatus::ok);
        exchange();
        REQUIRE(server.asked.size() == before + 1);
        REQUIRE(server.endpoint->answer_authorisation(now, {.attempt = server.asked.back().attempt,
                                                            .admitted = true,
                                                            .player = test::player_of_tests}) ==
                AnswerStatus::ok);
        exchange();
        exchange();
        REQUIRE(client.connected.size() == server.connected.size());
    }

    SendStatus say(ConstBytes bytes, Delivery delivery = Delivery::reliable_ordered,
                   Lane lane = Lane::chat) {
        return client.endpoint->send(now, client.connected.back().connection,
                                     {.lane = lane, .delivery = delivery, .bytes = bytes});
    }

    Instant now{1'000'000'000};
    Host server;
    Host client;
    int lose_in = 0;
    bool lose_all = false;
};

}  // namespace

TEST_CASE("a session begins, says who joined, and carries messages of every mode both ways") {
    World world;
    world.connect();
    REQUIRE(world.server.connected.size() == 1);
    CHECK(world.server.asked[0].session == test::session_of_tests);
    CHECK(world.server.asked[0].token.size() == test::token_of_tests.size());
    CHECK(world.client.connected[0].player == test::player_of_tests);
    CHECK(world.client.connected[0].tick_rate == 60);
    CHECK_FALSE(world.client.connected[0].session_bound);

    const std::vector<std::uint8_t> words = {1, 2, 3};
    for (const Delivery delivery :
         {Delivery::reliable_ordered, Delivery::unreliable_sequenced, Delivery::unreliable}) {
        CHECK(world.say(words, delivery) == SendStatus::ok);
        CHECK(world.server.endpoint->send(
                  world.now, world.server.connected[0].connection,
                  {.lane = Lane::bulk, .delivery = delivery, .bytes = words}) == SendStatus::ok);
    }
    world.exchange();
    world.exchange();
    REQUIRE(world.server.got.size() == 3);
    REQUIRE(world.client.got.size() == 3);
    for (const test::Got& got : world.server.got)
        CHECK(got.bytes == words);
}

TEST_CASE("the largest messages arrive whole, one byte more is refused") {
    World world;
    world.connect();
    std::vector<std::uint8_t> large(256 * 1'024 + 1);
    LuckStream luck(LuckKey::root(1));
    for (std::uint8_t& byte : large)
        byte = static_cast<std::uint8_t>(luck.next());
    CHECK(world.say(large) == SendStatus::too_large);
    CHECK(world.say(ConstBytes(large).first(256 * 1'024)) == SendStatus::ok);
    CHECK(world.say(ConstBytes(large).first(1'077), Delivery::unreliable) == SendStatus::too_large);
    CHECK(world.say(ConstBytes(large).first(1'076), Delivery::unreliable) == SendStatus::ok);
    CHECK(world.say({}) == SendStatus::ok);
    world.exchange();
    REQUIRE(world.server.got.size() == 3);
    CHECK(world.server.got[0].bytes.size() == 256 * 1'024);
    CHECK(std::equal(world.server.got[0].bytes.begin(), world.server.got[0].bytes.end(),
                     large.begin()));
    CHECK(world.server.got[1].bytes.size() == 1'076);
    CHECK(world.server.got[2].bytes.empty());
}

TEST_CASE("a full queue refuses and changes nothing; 8 MiB fit exactly") {
    World world;
    world.connect();
    const std::vector<std::uint8_t> chunk(256 * 1'024, 7);
    for (int i = 0; i < 32; ++i)
        CHECK(world.say(chunk) == SendStatus::ok);
    CHECK(world.say(ConstBytes(chunk).first(1)) == SendStatus::backlogged);
    world.exchange();
    CHECK(world.server.got.size() == 32);
    CHECK(world.say(chunk) == SendStatus::ok);
}

TEST_CASE("a lost reliable datagram ends the session, a lost unreliable one does not") {
    World world;
    world.connect();
    const std::vector<std::uint8_t> words = {1, 2, 3};
    CHECK(world.say(words, Delivery::unreliable) == SendStatus::ok);
    world.lose_in = 1;
    world.exchange();
    CHECK(world.server.got.empty());
    CHECK(world.server.closed.empty());

    CHECK(world.say(words) == SendStatus::ok);
    CHECK(world.say(words) == SendStatus::ok);
    world.lose_in = 1;
    world.exchange();
    world.exchange();
    CHECK(world.server.got.empty());
    REQUIRE(world.server.closed.size() == 1);
    CHECK(world.server.closed[0].reason == CloseReason::record_lost);
    REQUIRE(world.client.closed.size() == 1);
    CHECK(world.client.closed[0].reason == CloseReason::record_lost);
}

TEST_CASE("nothing goes past the path: total loss delivers nothing, and both ends notice") {
    World world;
    world.connect();
    world.lose_all = true;
    CHECK(world.say(std::vector<std::uint8_t>{1}) == SendStatus::ok);
    world.exchange_for(Duration::millis(9'900));
    CHECK(world.server.closed.empty());
    world.exchange_for(Duration::millis(1'200));
    CHECK(world.server.got.empty());
    REQUIRE(world.server.closed.size() == 1);
    CHECK(world.server.closed[0].reason == CloseReason::timed_out);
    REQUIRE(world.client.closed.size() == 1);
    CHECK(world.client.closed[0].reason == CloseReason::timed_out);
}

TEST_CASE("an idle session lives on keepalives") {
    World world;
    world.connect();
    world.exchange_for(Duration::seconds(30));
    CHECK(world.server.closed.empty());
    CHECK(world.client.closed.empty());
    CHECK(world.client.endpoint->counters().keepalives_sent >= 29);
}

TEST_CASE("a goodbye follows what was sent before it") {
    World world;
    world.connect();
    CHECK(world.say(std::vector<std::uint8_t>{5}) == SendStatus::ok);
    CHECK(world.client.endpoint->close(world.now, world.client.connected[0].connection,
                                       CloseReason::application));
    CHECK(world.say(std::vector<std::uint8_t>{6}) == SendStatus::not_connected);
    world.exchange();
    CHECK(world.server.got.size() == 1);
    REQUIRE(world.server.closed.size() == 1);
    CHECK(world.server.closed[0].reason == CloseReason::remote);
    REQUIRE(world.client.closed.size() == 1);
    CHECK(world.client.closed[0].reason == CloseReason::application);
    world.connect();
    CHECK(world.server.connected[1].connection != world.server.connected[0].connection);
}

TEST_CASE("answers go stale with their attempt") {
    World world;
    REQUIRE(
        world.client.endpoint->connect(
            world.now, {.server = world.server.address, .session = {}, .token = {}, .keys = {}}) ==
        ConnectStatus::ok);
    world.exchange();
    REQUIRE(world.server.asked.size() == 1);
    const AuthorisationAnswer answer{.attempt = world.server.asked[0].attempt, .admitted = true};
    world.now += Duration::seconds(5);
    CHECK(world.server.endpoint->answer_authorisation(world.now, answer) == AnswerStatus::stale);
    world.exchange();
    CHECK(world.server.withdrawn.size() == 1);
    CHECK(world.server.endpoint->answer_authorisation(world.now, answer) == AnswerStatus::stale);
    REQUIRE(world.client.closed.size() == 1);
    CHECK(world.client.closed[0].reason == CloseReason::no_answer);
    CHECK_FALSE(world.client.closed[0].was_connected);
}

TEST_CASE("a refused join says so, and the client may try again") {
    World world;
    REQUIRE(
        world.client.endpoint->connect(
            world.now, {.server = world.server.address, .session = {}, .token = {}, .keys = {}}) ==
        ConnectStatus::ok);
    world.exchange();
    CHECK(world.server.endpoint->answer_authorisation(
              world.now, {.attempt = world.server.asked[0].attempt, .admitted = false}) ==
          AnswerStatus::ok);
    world.exchange();
    world.exchange();
    REQUIRE(world.client.closed.size() == 1);
    CHECK(world.client.closed[0].reason == CloseReason::refused_authorisation);
    CHECK(world.server.closed.empty());
    CHECK(world.server.endpoint->next_deadline() == Instant::never());
    world.connect();
}

TEST_CASE("a restarted client takes over its own address") {
    World world;
    world.connect();
    world.client.endpoint->restart(world.now);
    world.connect();
    REQUIRE(world.server.closed.size() == 1);
    CHECK(world.server.closed[0].reason == CloseReason::superseded);
    CHECK(world.server.endpoint->connection_count() == 1);
}

TEST_CASE("hostile bytes are counted and change nothing") {
    World world;
    world.connect();
    LuckStream luck(LuckKey::root(3));
    for (int i = 0; i < 20'000; ++i) {
        Flying junk;
        junk.bytes.resize(luck.below(40));
        for (std::uint8_t& byte : junk.bytes)
            byte = static_cast<std::uint8_t>(luck.next());
        if (junk.bytes.size() > 1) {
            junk.bytes[0] = loopback::magic;
            // Everything but an honest goodbye.
            junk.bytes[1] = static_cast<std::uint8_t>(luck.below(8));
        }
        world.server.receive(world.now, test::address_of(2), junk);
        world.client.receive(world.now, test::address_of(1), junk);
    }
    world.exchange();
    CHECK(world.server.closed.empty());
    CHECK(world.server.asked.size() == 1);
    CHECK(world.say(std::vector<std::uint8_t>{1}) == SendStatus::ok);
    world.exchange();
    CHECK(world.server.got.size() == 1);
}

}  // namespace wt::transport
