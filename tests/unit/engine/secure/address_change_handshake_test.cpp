// SPDX-License-Identifier: MIT
//
// A client whose address changes while it joins, after each datagram of the handshake, by port and
// by address: it gets in, once, and a ticket that may be used once is asked about once.
#include <doctest/doctest.h>

#include "engine/secure/handshake.hpp"
#include "tests/unit/engine/secure/moving_bench.hpp"

namespace wt::secure {

using bench::address_of;
using bench::Flying;
using bench::MovingBench;
using transport::CloseReason;
using transport::Refusal;

namespace {

// The handshake by steps, with an authority that answers each question after `thinking`.
struct Join {
    explicit Join(Duration think) : thinking(think) {
        REQUIRE(bench.client.endpoint->connect(bench.now,
                                               wt::test::bound_request(bench.server.address)) ==
                transport::ConnectStatus::ok);
    }

    void step() {
        bench.exchange();
        for (; seen < bench.server.asked.size(); ++seen)
            due.push_back({bench.now + thinking, bench.server.asked[seen].attempt});
        while (answered < due.size() && due[answered].first <= bench.now)
            bench.answer(wt::test::bound_answer(due[answered++].second));
    }
    bool is_up() const {
        return !bench.server.connected.empty() && !bench.client.connected.empty();
    }

    MovingBench bench{};
    Duration thinking;
    std::size_t seen = 0;
    std::size_t answered = 0;
    std::vector<std::pair<Instant, transport::AttemptId>> due{};
};

}  // namespace

TEST_CASE("the address changes after any step of the handshake, once or twice") {
    // 40 steps of 5 ms: the whole handshake (8 steps and 50 ms of thinking) and what follows.
    for (int first = 0; first < 40; ++first) {
        for (const int gap : {0, 1, 7}) {
            for (const bool by_address : {false, true}) {
                Join join(Duration::millis(50));
                int step = 0;
                for (; step < 2'000; ++step) {
                    if (step == first) join.bench.rebind(address_of(by_address ? 6 : 2, 4'100));
                    if (gap > 0 && step == first + gap)
                        join.bench.rebind(address_of(by_address ? 7 : 2, 4'200));
                    join.step();
                    if (join.is_up() && step > first + gap + 300) break;
                }
                CAPTURE(first);
                CAPTURE(gap);
                CAPTURE(by_address);
                MovingBench& bench = join.bench;
                REQUIRE(join.is_up());
                CHECK(bench.server.asked.size() == 1);
                CHECK(bench.server.withdrawn.empty());
                CHECK(bench.server.connected.size() == 1);
                CHECK(bench.client.connected.size() == 1);
                CHECK(bench.server.closed.empty());
                CHECK(bench.client.closed.empty());
                CHECK(bench.server.endpoint->connection_count() == 1);
                CHECK(bench.server.endpoint->pending_count() == 0);
                CHECK(bench.talks());
            }
        }
    }
}

TEST_CASE("a cookie of the old address is worth nothing at the new one") {
    Join join(Duration::millis(50));
    join.step();  // Request and challenge.
    join.bench.rebind(address_of(2, 4'100));
    join.step();
    CHECK(join.bench.server.refused(Refusal::bad_cookie) == 1);
    CHECK(join.bench.server.asked.empty());
    join.step();
    CHECK(join.bench.server.asked.size() == 1);
    CHECK(join.bench.server.asked[0].address == address_of(2, 4'100));
}

TEST_CASE("a join that somebody else repeats gets neither an accept nor a second question") {
    Join join(Duration::millis(100));
    MovingBench& bench = join.bench;
    Flying seen;
    while (bench.server.asked.empty()) {
        for (const Flying& one : bench.client_step()) {
            if (one.kind() == WireKind::join) seen = one;
            bench.server.receive(bench.now, bench.client.address, one);
        }
        bench.deliver(bench.server_step());
        bench.wait(MovingBench::tick);
    }
    REQUIRE(!seen.bytes.empty());
    // Its cookie is bound to the address, so that it is challenged like anybody.
    bench.server.receive(bench.now, address_of(9), seen);
    for (const Flying& one : bench.server_step())
        CHECK(one.kind() == WireKind::challenge);
    CHECK(bench.server.refused(Refusal::bad_cookie) == 1);
    for (int i = 0; i < 100 && !join.is_up(); ++i)
        join.step();
    CHECK(join.is_up());
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.talks());
}

TEST_CASE("whoever repeats a join with a cookie of his own only delays it") {
    Join join(Duration::millis(100));
    MovingBench& bench = join.bench;
    const transport::Address thief = address_of(9);
    Flying seen;
    std::uint64_t to_thief = 0;
    for (int step = 0; step < 400 && !join.is_up(); ++step) {
        for (const Flying& one : bench.client_step()) {
            if (one.kind() == WireKind::join) seen = one;
            bench.server.receive(bench.now, bench.client.address, one);
        }
        if (!seen.bytes.empty() && step % 10 == 0) bench.server.receive(bench.now, thief, seen);
        for (const Flying& one : bench.server_step()) {
            if (one.to != thief) {
                bench.client.receive(bench.now, bench.server.address, one);
                continue;
            }
            to_thief += one.bytes.size();
            if (one.kind() != WireKind::challenge) continue;
            Request request = *read_request(seen.bytes);
            request.cookie = read_challenge(one.bytes)->cookie;
            write_request(request, WireKind::join,
                          std::span<std::uint8_t, request_bytes>(seen.bytes));
        }
        bench.wait(MovingBench::tick);
        // The authority thinks for 0.6 s.
        if (step < 120) continue;
        for (; join.seen < bench.server.asked.size(); ++join.seen)
            bench.answer(wt::test::bound_answer(bench.server.asked[join.seen].attempt));
    }
    CHECK(to_thief > 0);
    REQUIRE(join.is_up());
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.server.connected[0].address == bench.client.address);
    CHECK(bench.talks());
}

TEST_CASE("an attempt that moves to where another one waits takes its place") {
    Join join(Duration::seconds(1));
    MovingBench& bench = join.bench;
    wt::test::Host other(5, address_of(5),
                         [](Entropy entropy) { return make_client({}, entropy); });
    REQUIRE(other.endpoint->connect(bench.now, wt::test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    while (bench.server.asked.size() < 2) {
        for (const Flying& one : bench.client_step())
            bench.server.receive(bench.now, bench.client.address, one);
        for (const Flying& one : other.step(bench.now))
            bench.server.receive(bench.now, other.address, one);
        for (const Flying& one : bench.server_step()) {
            if (one.to == other.address) other.receive(bench.now, bench.server.address, one);
        }
        bench.deliver({});
        bench.wait(MovingBench::tick);
        if (bench.server.asked.size() == 1) bench.exchange();
        REQUIRE(bench.now < Instant{1'000'000'000'000} + Duration::seconds(4));
    }
    CHECK(bench.server.endpoint->pending_count() == 2);
    bench.rebind(other.address);
    for (int i = 0; i < 200 && bench.server.withdrawn.empty(); ++i)
        bench.exchange();
    CHECK(bench.server.withdrawn.size() == 1);
    CHECK(bench.server.endpoint->pending_count() == 1);
}

}  // namespace wt::secure
