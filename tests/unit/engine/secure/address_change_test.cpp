// SPDX-License-Identifier: MIT
//
// A session whose client is heard from a new address: it goes on there after a challenge under its
// keys was answered from there, and nothing else moves it. Bounds: a client that says something 60
// times a second is looked for once it was silent for 50 ms; the datagram that finds it comes at
// most one such interval (20 ms on this grid) and two steps of 5 ms later, its answer one step
// after.
#include <doctest/doctest.h>

#include "tests/unit/engine/secure/moving_bench.hpp"

namespace wt::secure {

using bench::address_of;
using bench::Flying;
using bench::MovingBench;
using transport::CloseReason;
using transport::Refusal;

namespace {

constexpr Duration busy_limit = Duration::millis(50 + 20 + 2 * 5 + 5);

const transport::Counters& counters(const MovingBench& bench) {
    return bench.server.endpoint->counters();
}

std::uint64_t sent_to(MovingBench& bench, const transport::Address& address) {
    return bench.bytes_to[MovingBench::key_of(address)];
}

void check_goes_on(MovingBench& bench) {
    CHECK(bench.talks());
    CHECK(bench.server.connected.size() == 1);
    CHECK(bench.client.connected.size() == 1);
    CHECK(bench.server.closed.empty());
    CHECK(bench.client.closed.empty());
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(bench.server.endpoint->pending_count() == 0);
}

}  // namespace

TEST_CASE("a busy session goes on from a new port, and from a new address") {
    for (const transport::Address& next : {address_of(2, 4'001), address_of(7)}) {
        MovingBench bench;
        bench.connect();
        bench.is_talking = true;
        bench.exchange_for(Duration::seconds(1));
        bench.rebind(next);
        const Duration took = bench.exchange_until_moved(Duration::seconds(5));
        CHECK(took <= busy_limit);
        REQUIRE(bench.server.moved.size() == 1);
        CHECK(bench.server.moved[0].connection == bench.server_id());
        CHECK(bench.server.moved[0].address == next);
        CHECK(counters(bench).path_challenges == 1);
        CHECK(counters(bench).path_moves == 1);
        CHECK(bench.client.endpoint->counters().path_moves == 0);
        check_goes_on(bench);
        // Nothing more is said to where it was.
        const std::uint64_t before = sent_to(bench, address_of(2));
        bench.exchange_for(Duration::seconds(3));
        CHECK(sent_to(bench, address_of(2)) == before);
        CHECK(counters(bench).path_challenges == 1);
    }
}

TEST_CASE("until the answer the old path is used, and the new one hears no more than it said") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    const transport::Address next = address_of(2, 4'001);
    bench.rebind(next);
    std::uint64_t heard = 0;
    for (int step = 0; step < 100 && bench.server.moved.empty(); ++step) {
        static constexpr std::array<std::uint8_t, 900> much{};
        static_cast<void>(bench.server.endpoint->send(bench.now, bench.server_id(),
                                                      {.lane = transport::Lane::gameplay,
                                                       .delivery = transport::Delivery::unreliable,
                                                       .bytes = much}));
        const std::uint64_t before = sent_to(bench, address_of(2));
        bench.exchange();
        if (!bench.server.moved.empty()) break;
        CHECK(sent_to(bench, address_of(2)) >= before + 900);
        heard = bench.bytes_from[MovingBench::key_of(next)];
        CHECK(sent_to(bench, next) <= heard);
    }
    CHECK(heard > 0);
    check_goes_on(bench);
}

TEST_CASE("an idle session goes on with its next keepalive") {
    MovingBench bench;
    bench.connect();
    bench.exchange_for(Duration::seconds(5));
    bench.rebind(address_of(2, 5'000));
    // The keepalive comes within 1 s, the server's challenge and its answer a step each later.
    CHECK(bench.exchange_until_moved(Duration::seconds(5)) <= Duration::millis(1'000 + 3 * 5));
    check_goes_on(bench);
}

TEST_CASE("a challenge or an answer that is lost is repeated") {
    for (const bool is_answer : {false, true}) {
        MovingBench bench;
        bench.connect();
        bench.is_talking = true;
        bench.exchange_for(Duration::seconds(1));
        const transport::Address next = address_of(2, 4'001);
        bench.rebind(next);
        // By hand, so that the first challenge or the first answer can be lost.
        int lost = 0;
        while (bench.server.moved.empty() && lost < 10) {
            std::vector<Flying> up = bench.client_step();
            for (const Flying& one : up) {
                const bool answers = one.kind() == WireKind::path_response;
                if (is_answer && answers && lost++ == 0) continue;
                bench.server.receive(bench.now, next, one);
            }
            for (const Flying& one : bench.server_step()) {
                if (one.to != next) continue;
                const bool challenges = one.kind() == WireKind::path_challenge;
                if (!is_answer && challenges && lost++ == 0) continue;
                bench.client.receive(bench.now, bench.server.address, one);
            }
            bench.wait(MovingBench::tick);
            REQUIRE(bench.now < Instant{1'000'000'000'000} + Duration::seconds(10));
        }
        CHECK(counters(bench).path_challenges == 2);
        check_goes_on(bench);
    }
}

TEST_CASE("the reliable lanes lose nothing and keep their order over a change") {
    MovingBench bench;
    bench.connect();
    std::uint8_t next_up = 0;
    std::uint8_t next_down = 0;
    for (int step = 0; step < 200; ++step) {
        const std::array<std::uint8_t, 1> up = {next_up++};
        const std::array<std::uint8_t, 1> down = {next_down++};
        REQUIRE(bench.client.endpoint->send(bench.now, bench.client_id(),
                                            {.lane = transport::Lane::chat,
                                             .delivery = transport::Delivery::reliable_ordered,
                                             .bytes = up}) == transport::SendStatus::ok);
        REQUIRE(bench.server.endpoint->send(bench.now, bench.server_id(),
                                            {.lane = transport::Lane::chat,
                                             .delivery = transport::Delivery::reliable_ordered,
                                             .bytes = down}) == transport::SendStatus::ok);
        if (step == 50) bench.rebind(address_of(2, 4'001));
        if (step == 150) bench.rebind(address_of(8, 4'001));
        bench.exchange();
    }
    bench.exchange_for(Duration::seconds(5));
    CHECK(bench.server.moved.size() == 2);
    REQUIRE(bench.server.got.size() == 200);
    REQUIRE(bench.client.got.size() == 200);
    for (std::size_t i = 0; i < 200; ++i) {
        CHECK(bench.server.got[i].bytes[0] == i);
        CHECK(bench.client.got[i].bytes[0] == i);
    }
}

TEST_CASE("a replay from a third address moves nothing and is answered by nothing") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    std::vector<Flying> seen;
    bench.tap = [&](const Flying& one) { seen.push_back(one); };
    bench.exchange_for(Duration::seconds(1));
    bench.tap = {};
    REQUIRE(seen.size() >= 59);
    // Also long after the client has fallen silent, when it would be looked for.
    bench.wait(Duration::millis(500));
    for (const Flying& one : seen)
        bench.server.receive(bench.now, address_of(9), one);
    bench.deliver(bench.server_step());
    CHECK(sent_to(bench, address_of(9)) == 0);
    CHECK(counters(bench).path_challenges == 0);
    CHECK(counters(bench).path_trials == 0);  // The replay window knows them: no tag is tried.
    CHECK(bench.server.refused(Refusal::unknown_source) == seen.size());
    check_goes_on(bench);
}

TEST_CASE("a copy that outruns the client's datagram does not make its sender a candidate") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    // Whatever the client says arrives first from a third address, then from the client's.
    std::uint64_t copies = 0;
    bench.tap = [&](const Flying& one) {
        bench.server.receive(bench.now, address_of(9), one);
        ++copies;
    };
    bench.exchange_for(Duration::seconds(2));
    bench.tap = {};
    CHECK(copies >= 119);
    CHECK(counters(bench).path_searches > 0);
    CHECK(counters(bench).path_trials == 0);
    CHECK(sent_to(bench, address_of(9)) == 0);
    CHECK(bench.server.moved.empty());
    check_goes_on(bench);
}

TEST_CASE("somebody who passes the client's datagrams on from elsewhere cannot take the session") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    // The client's own path up is cut; a third party has its datagrams, and what goes to the third
    // party does not reach the client.
    const transport::Address thief = address_of(9);
    std::uint64_t said = 0;
    bench.path_up = false;
    bench.tap = [&](const Flying& one) {
        bench.server.receive(bench.now, thief, one);
        said += one.bytes.size();
    };
    for (int step = 0; step < 400; ++step) {
        bench.exchange();
        CHECK(sent_to(bench, thief) <= said);
    }
    bench.tap = {};
    bench.path_up = true;
    // Two seconds: the first challenge, and one each 200 ms.
    const std::uint64_t challenges = bench.challenges_to[MovingBench::key_of(thief)];
    CHECK(challenges >= 5);
    CHECK(challenges <= 11);
    CHECK(sent_to(bench, thief) == 27 * challenges);
    CHECK(bench.server.moved.empty());
    check_goes_on(bench);
}

TEST_CASE("an answer that comes from where no challenge went moves nothing") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    const transport::Address next = address_of(2, 4'001);
    bench.rebind(next);
    // The answer is taken from its path and comes from a third address, and from the old one.
    for (const transport::Address& from : {address_of(9), address_of(2)}) {
        bool is_answered = false;
        while (!is_answered) {
            for (const Flying& one : bench.client_step()) {
                is_answered = one.kind() == WireKind::path_response;
                bench.server.receive(bench.now, is_answered ? from : next, one);
            }
            for (const Flying& one : bench.server_step()) {
                if (one.to == next) bench.client.receive(bench.now, bench.server.address, one);
            }
            bench.wait(MovingBench::tick);
            REQUIRE(bench.now < Instant{1'000'000'000'000} + Duration::seconds(10));
        }
        CHECK(bench.server.moved.empty());
    }
    bench.exchange_until_moved(Duration::seconds(5));
    REQUIRE(bench.server.moved.size() == 1);
    CHECK(bench.server.moved[0].address == next);
    check_goes_on(bench);
}

TEST_CASE("two clients that change places behind one translator keep their sessions") {
    MovingBench bench;
    bench.connect();
    wt::test::Host other(5, address_of(2, 4'001),
                         [](Entropy entropy) { return make_client({}, entropy); });
    // Both through one step; what goes to an address reaches whoever is behind it.
    const auto step = [&] {
        bench.is_talking = true;
        for (wt::test::Host* host : {&bench.client, &other}) {
            for (const Flying& one : host->step(bench.now))
                bench.server.receive(bench.now, host->address, one);
        }
        for (const Flying& one : bench.server_step()) {
            for (wt::test::Host* host : {&bench.client, &other}) {
                if (one.to == host->address) host->receive(bench.now, bench.server.address, one);
            }
        }
        bench.wait(MovingBench::tick);
    };
    REQUIRE(other.endpoint->connect(bench.now, wt::test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    while (bench.server.asked.size() < 2)
        step();
    bench.answer(wt::test::bound_answer(bench.server.asked[1].attempt));
    for (int i = 0; i < 600; ++i)
        step();
    REQUIRE(bench.server.connected.size() == 2);
    std::swap(bench.client.address, other.address);
    // Keepalives find both; the first to move displaces the other, which stays a session.
    for (int i = 0; i < 800; ++i)
        step();
    CHECK(bench.server.moved.size() == 2);
    CHECK(bench.server.endpoint->connection_count() == 2);
    CHECK(bench.server.closed.empty());
    CHECK(bench.client.closed.empty());
    CHECK(other.closed.empty());
    // Both places are free again when they have gone.
    CHECK(bench.client.endpoint->close(bench.now, bench.client_id(), CloseReason::application));
    CHECK(
        other.endpoint->close(bench.now, other.connected[0].connection, CloseReason::application));
    for (int i = 0; i < 200; ++i)
        step();
    CHECK(bench.server.closed.size() == 2);
    CHECK(bench.server.endpoint->connection_count() == 0);
}

TEST_CASE("a session that lost its address to another one ends like any other") {
    MovingBench bench({.peers_max = 2}, {});
    bench.connect();
    wt::test::Host other(5, address_of(5),
                         [](Entropy entropy) { return make_client({}, entropy); });
    const auto step = [&](bool first, bool second) {
        for (const Flying& one : bench.client_step())
            if (first) bench.server.receive(bench.now, bench.client.address, one);
        for (const Flying& one : other.step(bench.now))
            if (second) bench.server.receive(bench.now, other.address, one);
        for (const Flying& one : bench.server_step()) {
            if (first && one.to == bench.client.address)
                bench.client.receive(bench.now, bench.server.address, one);
            if (second && one.to == other.address)
                other.receive(bench.now, bench.server.address, one);
        }
        bench.wait(MovingBench::tick);
    };
    REQUIRE(other.endpoint->connect(bench.now, wt::test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    while (bench.server.asked.size() < 2)
        step(true, true);
    bench.answer(wt::test::bound_answer(bench.server.asked[1].attempt));
    for (int i = 0; i < 300; ++i)
        step(true, true);
    // The first client vanishes and the second one gets its address.
    other.address = bench.client.address;
    for (int i = 0; i < 600; ++i)
        step(false, true);
    CHECK(bench.server.moved.size() == 1);
    CHECK(bench.server.endpoint->connection_count() == 2);
    for (int i = 0; i < 2'000; ++i)
        step(false, true);
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == CloseReason::timed_out);
    CHECK(bench.server.closed[0].connection == bench.server.connected[0].connection);
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(other.closed.empty());
}

TEST_CASE("a server that refuses lets nobody move, and the client joins anew") {
    MovingBench bench({.rebind = Rebind::refuse}, {});
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    const transport::Address next = address_of(2, 4'001);
    bench.rebind(next);
    bench.exchange_for(Duration::millis(2'900));
    CHECK(sent_to(bench, next) == 0);
    CHECK(counters(bench).path_searches == 0);
    CHECK(bench.server.refused(Refusal::unknown_source) > 100);
    // After three silent intervals its probe is challenged like a stranger's request.
    while (bench.server.asked.size() < 2 &&
           bench.now < Instant{1'000'000'000'000} + Duration::seconds(8))
        bench.exchange();
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(wt::test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange_for(Duration::millis(50));
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::superseded);
    CHECK(bench.server.moved.empty());
    CHECK(bench.talks());
}

TEST_CASE("forgeries from unknown addresses cost a bounded number of tags") {
    MovingBench bench;
    bench.connect();
    bench.exchange_for(Duration::seconds(1));
    bench.wait(Duration::millis(100));  // The session is silent: worth a trial.
    std::vector<std::uint8_t> forged(132, 0x55);
    write_frame(forged.data(), WireKind::unreliable);
    const transport::Counters before = counters(bench);
    constexpr std::uint64_t flood = 100'000;
    for (std::uint64_t i = 0; i < flood; ++i) {
        store_u64(forged.data() + packet_number_offset, 1'000 + i % 1'000);
        transport::Address from = address_of(9);
        from.port = static_cast<std::uint16_t>(i);
        bench.server.endpoint->receive(bench.now, from, forged, {});
        if (i % 100 == 0) bench.now += Duration::millis(1);  // 100,000 a second.
    }
    bench.deliver(bench.server_step());
    const transport::Counters& after = counters(bench);
    // 32 at once and 256 a second, each of at most the one session that there is.
    const std::uint64_t searches = after.path_searches - before.path_searches;
    CHECK(searches <= 32 + 257);
    CHECK(searches >= 256);
    CHECK(after.path_trials - before.path_trials <= searches);
    CHECK(after.of(Refusal::unknown_source) - before.of(Refusal::unknown_source) == flood);
    CHECK(after.path_challenges == 0);
    CHECK(bench.bytes_to.size() == 1);  // Only the client was ever spoken to.
    CHECK(bench.talks());
}

TEST_CASE("a flood of forgeries cannot hide a client that has moved: its probe names it") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    bench.rebind(address_of(2, 4'001));
    std::vector<std::uint8_t> forged(132, 0x55);
    write_frame(forged.data(), WireKind::unreliable);
    store_u64(forged.data() + packet_number_offset, 1'000);
    const Instant begin = bench.now;
    while (bench.server.moved.empty() && bench.now - begin < Duration::seconds(9)) {
        // 4,000 a second, in front of everything that the client says.
        for (int i = 0; i < 40; ++i)
            bench.server.endpoint->receive(bench.now, address_of(9), forged, {});
        bench.exchange();
    }
    REQUIRE(bench.server.moved.size() == 1);
    // Three silent keepalive intervals, then a request, a datagram, a challenge, an answer.
    CHECK(bench.now - begin <= Duration::millis(3'000 + 20 + 6 * 5));
    check_goes_on(bench);
}

TEST_CASE("a restart forgets whom it was challenging") {
    MovingBench bench;
    bench.connect();
    bench.is_talking = true;
    bench.exchange_for(Duration::seconds(1));
    bench.rebind(address_of(2, 4'001));
    while (counters(bench).path_challenges == 0)
        bench.exchange();
    bench.server.endpoint->restart(bench.now);
    bench.exchange_for(Duration::seconds(4));
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(wt::test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange_for(Duration::seconds(1));
    CHECK(bench.server.connected.size() == 2);
    CHECK(bench.server.moved.empty());
    CHECK(bench.talks());
}

}  // namespace wt::secure
