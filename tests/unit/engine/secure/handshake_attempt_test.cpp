// SPDX-License-Identifier: MIT
//
// Attempts and their generations: repeats, stale and late answers, two attempts of one address,
// low-order keys, join proofs, and how a newer session takes an older one's place.
#include <doctest/doctest.h>

#include "engine/secure/handshake.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;
using transport::AnswerStatus;
using transport::CloseReason;
using transport::Refusal;

namespace {

// A second client process at the address of the bench's client.
std::unique_ptr<test::Host> twin_of(const Bench& bench, std::uint64_t seed = 77) {
    return std::make_unique<test::Host>(seed, bench.client.address,
                                        [](Entropy entropy) { return make_client({}, entropy); });
}

// Brings a host's attempt up to the server's question.
void ask_as(Bench& bench, test::Host& host) {
    REQUIRE(host.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.server.receive(bench.now, host.address, host.step(bench.now)[0]);
    for (const Flying& one : bench.server_step())
        host.receive(bench.now, bench.server.address, one);
    bench.server.receive(bench.now, host.address, host.step(bench.now)[0]);
    bench.server_step();
}

Flying find(const std::vector<Flying>& all, WireKind kind) {
    for (const Flying& one : all) {
        if (one.kind() == kind) return one;
    }
    FAIL("no such datagram");
    return {};
}

}  // namespace

TEST_CASE("repeats of one attempt ask once, and get the same accept again") {
    Bench bench;
    bench.ask();
    bench.wait(Duration::millis(250));
    const std::vector<Flying> repeat = bench.client_step();
    REQUIRE(repeat.size() == 1);
    bench.to_server(repeat);
    bench.to_server(repeat);
    CHECK(bench.server_step().empty());
    CHECK(bench.server.asked.size() == 1);

    CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) == AnswerStatus::ok);
    const std::vector<Flying> accept = bench.server_step();
    REQUIRE(accept.size() == 1);
    bench.to_server(repeat);
    const std::vector<Flying> again = bench.server_step();
    REQUIRE(again.size() == 1);
    CHECK(again[0].bytes == accept[0].bytes);
    CHECK(bench.server.endpoint->pending_count() == 1);

    // The repeated accept works as well as the first, and a third one changes nothing.
    bench.to_client(again);
    bench.to_server(bench.client_step());
    bench.to_client(accept);
    CHECK(bench.client.refused(Refusal::unexpected) == 1);
    bench.server_step();
    CHECK(bench.server.connected.size() == 1);
    CHECK(bench.talks());

    // A repeat that was under way for long finds the session known.
    bench.to_server(repeat);
    bench.exchange();
    CHECK(bench.server.refused(Refusal::unexpected) == 1);
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.talks());
}

TEST_CASE("an answer counts once") {
    Bench bench;
    bench.ask();
    const auto answer = test::bound_answer(bench.server.asked[0].attempt);
    CHECK(bench.answer(answer) == AnswerStatus::ok);
    CHECK(bench.answer(answer) == AnswerStatus::stale);
    CHECK(bench.answer({}) == AnswerStatus::stale);
    auto other_generation = answer;
    ++other_generation.attempt.generation;
    CHECK(bench.answer(other_generation) == AnswerStatus::stale);
    CHECK(bench.server_step().size() == 1);
    CHECK(bench.client.endpoint->answer_authorisation(bench.now, answer) == AnswerStatus::stale);
}

TEST_CASE("an attempt expires at its time, and its answer is stale from then on") {
    for (const bool in_time : {true, false}) {
        CAPTURE(in_time);
        Bench bench;
        bench.ask();
        // The join was taken in one exchange before now.
        const Instant deadline = bench.now - Bench::tick + Duration::seconds(5);
        bench.now = in_time ? deadline - Duration::nanos(1) : deadline;
        const AnswerStatus status = bench.answer(test::bound_answer(bench.server.asked[0].attempt));
        CHECK(status == (in_time ? AnswerStatus::ok : AnswerStatus::stale));
        CHECK(bench.server.endpoint->pending_count() == (in_time ? 1u : 0u));
        bench.server_step();
        CHECK(bench.server.withdrawn.size() == (in_time ? 0u : 1u));
    }
}

TEST_CASE("an expired question is withdrawn without anybody's help") {
    Bench bench;
    bench.ask();
    CHECK(bench.server.endpoint->next_deadline() <= bench.now + Duration::seconds(5));
    bench.wait(Duration::seconds(5));
    CHECK(bench.server_step().empty());
    REQUIRE(bench.server.withdrawn.size() == 1);
    CHECK(bench.server.withdrawn[0].attempt == bench.server.asked[0].attempt);
    CHECK(bench.server.endpoint->pending_count() == 0);
}

TEST_CASE("an accepted attempt that is never confirmed ends, and its place is free") {
    Bench bench({.peers_max = 1}, {});
    bench.ask();
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    CHECK(bench.server_step().size() == 1);  // The accept, lost.
    bench.wait(Duration::seconds(5));
    bench.server_step();
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == CloseReason::no_answer);
    CHECK_FALSE(bench.server.closed[0].was_connected);
    CHECK(bench.server.connected.empty());
    CHECK(bench.server.endpoint->pending_count() == 0);
    // The client gave up too; both may try again, in the one place that there is.
    bench.client_step();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::no_answer);
    bench.connect();
}

TEST_CASE("a newer attempt of an address makes the older one's answer stale") {
    Bench bench;
    bench.ask();
    const auto twin = twin_of(bench);
    ask_as(bench, *twin);
    REQUIRE(bench.server.asked.size() == 2);
    REQUIRE(bench.server.withdrawn.size() == 1);
    CHECK(bench.server.withdrawn[0].attempt == bench.server.asked[0].attempt);
    CHECK(bench.server.endpoint->pending_count() == 1);
    CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) == AnswerStatus::stale);
    CHECK(bench.server_step().empty());
    CHECK(bench.answer(test::bound_answer(bench.server.asked[1].attempt)) == AnswerStatus::ok);
    const Flying accept = find(bench.server_step(), WireKind::accept);
    // The accept names the newer attempt: the older client cannot take it.
    bench.to_client({accept});
    CHECK(bench.client.refused(Refusal::unexpected) == 1);
    CHECK(bench.client.connected.empty());
    twin->receive(bench.now, bench.server.address, accept);
    twin->step(bench.now);
    CHECK(twin->connected.size() == 1);
}

TEST_CASE("a refusal by the authority reaches the client by name") {
    Bench bench;
    bench.ask();
    CHECK(bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = false}) ==
          AnswerStatus::ok);
    CHECK(bench.server.refused(Refusal::not_authorised) == 1);
    CHECK(bench.server.endpoint->pending_count() == 0);
    bench.exchange();
    bench.exchange();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::refused_authorisation);
    CHECK(bench.server.withdrawn.empty());
}

TEST_CASE("a bound join is admitted only with the session's own join key") {
    Bench bench;
    bench.ask();
    auto answer = test::bound_answer(bench.server.asked[0].attempt);
    answer.keys.join_key[31] ^= 1;
    CHECK(bench.answer(answer) == AnswerStatus::ok);
    CHECK(bench.server.refused(Refusal::bad_join_proof) == 1);
    CHECK(find(bench.server_step(), WireKind::reject).bytes.size() == reject_bytes);
    CHECK(bench.server.endpoint->pending_count() == 0);
}

TEST_CASE("the join proof covers every field of the join but its cookie") {
    // Features, attempt, key, session, token: one byte of each. (Version and lengths have reasons
    // of their own.)
    for (const std::size_t offset : {7u, 11u, 27u, 58u, 59u, 74u, 94u, 98u, 350u, 381u}) {
        CAPTURE(offset);
        Bench bench;
        REQUIRE(
            bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
        bench.to_server(bench.client_step());
        bench.to_client(bench.server_step());
        std::vector<Flying> join = bench.client_step();
        join[0].bytes[offset] ^= 0x04;
        bench.to_server(join);
        bench.server_step();
        REQUIRE(bench.server.asked.size() == 1);
        CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) == AnswerStatus::ok);
        CHECK(bench.server.refused(Refusal::bad_join_proof) == 1);
        CHECK(bench.server.endpoint->pending_count() == 0);
        CHECK(find(bench.server_step(), WireKind::reject).bytes.size() == reject_bytes);
    }
}

TEST_CASE("bound and unbound do not mix") {
    SUBCASE("an unbound client is not admitted to a bound session") {
        Bench bench({.allow_unbound = true}, {.allow_unbound = true});
        bench.ask({.server = bench.server.address, .session = {}, .token = {}, .keys = {}});
        bench.answer(test::bound_answer(bench.server.asked[0].attempt));
        CHECK(bench.server.refused(Refusal::not_authorised) == 1);
    }
    SUBCASE("a bound client is not admitted without the session's keys") {
        Bench bench({.allow_unbound = true}, {.allow_unbound = true});
        bench.ask();
        bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = true});
        CHECK(bench.server.refused(Refusal::not_authorised) == 1);
    }
    SUBCASE("an unbound join needs the server's configuration") {
        Bench bench({.allow_unbound = false}, {.allow_unbound = true});
        bench.ask({.server = bench.server.address, .session = {}, .token = {}, .keys = {}});
        bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = true});
        CHECK(bench.server.refused(Refusal::not_authorised) == 1);
    }
}

TEST_CASE("a client key of low order is refused when its turn comes") {
    Bench bench({.allow_unbound = true}, {.allow_unbound = true});
    REQUIRE(
        bench.client.endpoint->connect(
            bench.now, {.server = bench.server.address, .session = {}, .token = {}, .keys = {}}) ==
        transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.to_client(bench.server_step());
    std::vector<Flying> join = bench.client_step();
    std::fill_n(join[0].bytes.begin() + 27, 32, std::uint8_t{0});
    bench.to_server(join);
    bench.server_step();
    REQUIRE(bench.server.asked.size() == 1);
    bench.answer({.attempt = bench.server.asked[0].attempt, .admitted = true});
    CHECK(bench.server.refused(Refusal::bad_public_key) == 1);
    CHECK(bench.server.endpoint->pending_count() == 0);
    CHECK(find(bench.server_step(), WireKind::reject).bytes.size() == reject_bytes);
}

TEST_CASE("a new process at a connected address takes its place only when it is confirmed") {
    Bench bench({.peers_max = 1}, {});
    bench.connect();
    const auto twin = twin_of(bench);
    ask_as(bench, *twin);
    REQUIRE(bench.server.asked.size() == 2);
    CHECK(bench.talks());  // Asked: the old session lives.

    CHECK(bench.answer(test::bound_answer(bench.server.asked[1].attempt)) == AnswerStatus::ok);
    const Flying accept = find(bench.server_step(), WireKind::accept);
    CHECK(bench.talks());  // Accepted: it still does.
    CHECK(bench.server.refused(Refusal::bad_tag) == 0);
    CHECK(bench.server.closed.empty());

    twin->receive(bench.now, bench.server.address, accept);
    bench.server.receive(bench.now, twin->address,
                         find(twin->step(bench.now), WireKind::keepalive));
    bench.server_step();
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == CloseReason::superseded);
    CHECK(bench.server.closed[0].was_connected);
    CHECK(bench.server.closed[0].connection == bench.server.connected[0].connection);
    REQUIRE(bench.server.connected.size() == 2);
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK_FALSE(bench.server.endpoint->close(bench.now, bench.server.connected[0].connection,
                                             CloseReason::application));
}

TEST_CASE("a forged first datagram confirms nobody") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.to_client(bench.server_step());
    bench.to_server(bench.client_step());
    bench.server_step();
    REQUIRE(bench.server.asked.size() == 1);
    CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) == AnswerStatus::ok);
    bench.to_client(bench.server_step());
    const std::vector<Flying> first = bench.client_step();
    REQUIRE(!first.empty());
    Flying forged = first.front();
    forged.bytes.back() ^= 1;
    bench.to_server({forged});
    bench.server_step();
    CHECK(bench.server.connected.empty());
    bench.to_server(first);
    bench.server_step();
    CHECK(bench.server.connected.size() == 1);
}

TEST_CASE("a replayed join never ends the session at its address") {
    Bench bench;
    // Somebody who sees the wire keeps the join and replays it once the client is in.
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.to_client(bench.server_step());
    const std::vector<Flying> first_join = bench.client_step();
    CHECK(bench.client.endpoint->close(bench.now, {}, CloseReason::application));
    bench.client_step();
    REQUIRE(bench.client.closed.size() == 1);
    bench.connect();

    bench.to_server(first_join);
    bench.exchange();
    REQUIRE(bench.server.asked.size() == 2);
    CHECK(bench.answer(test::bound_answer(bench.server.asked[1].attempt)) == AnswerStatus::ok);
    bench.exchange();
    CHECK(bench.talks());
    bench.exchange_for(Duration::seconds(6));
    CHECK(bench.talks());
    CHECK(bench.server.connected.size() == 1);
    // Only the ghost of the replay has ended, and it never was connected.
    REQUIRE(bench.server.closed.size() == 1);
    CHECK_FALSE(bench.server.closed[0].was_connected);
}

TEST_CASE("a refused newcomer leaves the session at its address alone") {
    Bench bench;
    bench.connect();
    const auto twin = twin_of(bench);
    ask_as(bench, *twin);
    bench.answer({.attempt = bench.server.asked[1].attempt, .admitted = false});
    bench.exchange();
    CHECK(bench.talks());
    CHECK(bench.server.closed.empty());
}

TEST_CASE("a newcomer whose predecessor leaves first still gets exactly one place") {
    Bench bench({.peers_max = 1}, {});
    bench.connect();
    const auto twin = twin_of(bench);
    ask_as(bench, *twin);
    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    const Flying accept = find(bench.server_step(), WireKind::accept);
    // The old session says goodbye while the new one waits to be confirmed.
    CHECK(bench.client.endpoint->close(bench.now, bench.client_id(), CloseReason::application));
    bench.to_server(bench.client_step());
    bench.server_step();
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.endpoint->connection_count() == 0);

    twin->receive(bench.now, bench.server.address, accept);
    bench.server.receive(bench.now, twin->address,
                         find(twin->step(bench.now), WireKind::keepalive));
    bench.server_step();
    CHECK(bench.server.endpoint->connection_count() == 1);
    CHECK(bench.server.endpoint->pending_count() == 0);
    // The one place is taken, not none and not two.
    test::Host late(9, test::address_of(9),
                    [](Entropy entropy) { return make_client({}, entropy); });
    REQUIRE(late.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.server.receive(bench.now, late.address, late.step(bench.now)[0]);
    late.receive(bench.now, bench.server.address, find(bench.server_step(), WireKind::challenge));
    bench.server.receive(bench.now, late.address, late.step(bench.now)[0]);
    CHECK(bench.server.refused(Refusal::server_full) == 1);
}

TEST_CASE("a question that nobody has seen is neither asked nor withdrawn") {
    Bench bench;
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    const auto twin = twin_of(bench);
    REQUIRE(twin->endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.server.receive(bench.now, twin->address, twin->step(bench.now)[0]);
    for (const Flying& challenge : bench.server_step()) {
        bench.to_client({challenge});
        twin->receive(bench.now, bench.server.address, challenge);
    }
    // Both joins come in before the application looks.
    bench.to_server(bench.client_step());
    bench.server.receive(bench.now, twin->address, twin->step(bench.now)[0]);
    bench.server_step();
    CHECK(bench.server.asked.size() == 1);
    CHECK(bench.server.withdrawn.empty());
    CHECK(bench.server.endpoint->pending_count() == 1);
}

TEST_CASE("a session that times out before it is confirmed takes its attempt with it") {
    Bench bench({.connection = {.timeout = Duration::seconds(2)}, .peers_max = 1}, {});
    bench.ask();
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    CHECK(bench.server_step().size() == 1);  // The accept, lost.
    bench.wait(Duration::seconds(2));
    bench.server_step();
    REQUIRE(bench.server.closed.size() == 1);
    CHECK(bench.server.closed[0].reason == CloseReason::timed_out);
    CHECK(bench.server.endpoint->pending_count() == 0);
    // The client's repeat of its join begins anew instead of finding a dead session.
    bench.exchange();
    REQUIRE(bench.server.asked.size() == 2);
    bench.answer(test::bound_answer(bench.server.asked[1].attempt));
    bench.exchange();
    bench.exchange();
    CHECK(bench.talks());
}

}  // namespace wt::secure
