// SPDX-License-Identifier: MIT
//
// The server before it believes anything: frames, cookies, the order of its checks, limits. After
// each refusal the state is what it was.
#include <doctest/doctest.h>

#include "engine/secure/handshake.hpp"
#include "engine/secure/key_schedule.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::secure {

using test::Bench;
using test::Flying;
using transport::AnswerStatus;
using transport::CloseReason;
using transport::Refusal;

namespace {

// A join with a good cookie, as the bench's client sends it.
Flying join_of(Bench& bench) {
    REQUIRE(bench.client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.to_server(bench.client_step());
    bench.to_client(bench.server_step());
    const std::vector<Flying> join = bench.client_step();
    REQUIRE(join.size() == 1);
    REQUIRE(join[0].kind() == WireKind::join);
    return join[0];
}

void check_untouched(const Bench& bench) {
    CHECK(bench.server.endpoint->pending_count() == 0);
    CHECK(bench.server.endpoint->connection_count() == 0);
    CHECK(bench.server.asked.empty());
    CHECK(bench.server.connected.empty());
}

CloseReason reason_of(const Flying& reject) {
    REQUIRE(reject.kind() == WireKind::reject);
    const auto read = read_reject(reject.bytes);
    REQUIRE(read.has_value());
    return read->reason;
}

}  // namespace

TEST_CASE("what is no datagram of ours is counted by its reason and answered by nothing") {
    Bench bench;
    const auto offer = [&](std::vector<std::uint8_t> bytes, Refusal why) {
        const std::uint64_t before = bench.server.refused(why);
        bench.server.receive(bench.now, test::address_of(9),
                             {.to = {}, .label = {}, .bytes = bytes});
        CHECK(bench.server.refused(why) == before + 1);
        CHECK(bench.server_step().empty());
        check_untouched(bench);
    };
    offer({}, Refusal::too_short);
    offer({magic, transport_version}, Refusal::too_short);
    offer({0x00, transport_version, 1}, Refusal::bad_magic);
    offer({magic, transport_version + 1, 1}, Refusal::bad_version);
    offer({magic, transport_version, 0}, Refusal::unknown_kind);
    offer({magic, transport_version, 24}, Refusal::unknown_kind);
    offer({magic, transport_version, 3}, Refusal::unexpected);
    offer({magic, transport_version, 4}, Refusal::unexpected);
    offer({magic, transport_version, 5}, Refusal::unexpected);
    offer({magic, transport_version, 16}, Refusal::unknown_source);
    offer({magic, transport_version, 1}, Refusal::too_short);
    std::vector<std::uint8_t> request(request_bytes);
    write_frame(request.data(), WireKind::request);
    offer(request, Refusal::bad_handshake);  // attempt 0
    request.push_back(0);
    offer(request, Refusal::too_long);
    request.resize(transport::datagram_bytes_max + 1);
    offer(request, Refusal::too_long);
}

TEST_CASE("F26: a stranger is challenged, and nothing is remembered or amplified") {
    Bench bench;
    Request request;
    request.protocol_version = 99;  // Not even looked at before the cookie.
    request.attempt = 1;
    Flying flying{.to = bench.server.address, .label = {}, .bytes = {}};
    flying.bytes.resize(request_bytes);
    write_request(request, WireKind::request, std::span<std::uint8_t, request_bytes>(flying.bytes));
    for (std::uint8_t host = 10; host < 110; ++host)
        bench.server.receive(bench.now, test::address_of(host), flying);
    const std::vector<Flying> replies = bench.server_step();
    REQUIRE(replies.size() == 100);
    for (std::size_t i = 0; i < replies.size(); ++i) {
        CHECK(replies[i].kind() == WireKind::challenge);
        CHECK(replies[i].bytes.size() <= request_bytes);
        CHECK(replies[i].to == test::address_of(static_cast<std::uint8_t>(10 + i)));
    }
    check_untouched(bench);
}

TEST_CASE("strangers beyond the queue of replies are counted, not kept") {
    Bench bench;
    Request request;
    request.attempt = 1;
    Flying flying{.to = bench.server.address, .label = {}, .bytes = {}};
    flying.bytes.resize(request_bytes);
    write_request(request, WireKind::request, std::span<std::uint8_t, request_bytes>(flying.bytes));
    for (unsigned i = 0; i < 4'097; ++i) {
        bench.server.receive(bench.now, test::address_of(9, static_cast<std::uint16_t>(i)), flying);
    }
    CHECK(bench.server.refused(Refusal::inbox_full) == 1);
    CHECK(bench.server_step().size() == 4'096);
    check_untouched(bench);
}

TEST_CASE("a cookie passes in the current and the previous bucket only") {
    for (const std::int64_t age : {0, 1, 2}) {
        CAPTURE(age);
        Bench bench;
        bench.now = Instant{1'000 * cookie_bucket.ns};
        const Flying join = join_of(bench);
        bench.wait(cookie_bucket * age);
        bench.to_server({join});
        const std::vector<Flying> replies = bench.server_step();
        if (age < 2) {
            CHECK(replies.empty());
            CHECK(bench.server.asked.size() == 1);
            continue;
        }
        // Too old: challenged as if it had brought none.
        CHECK(bench.server.refused(Refusal::bad_cookie) == 1);
        REQUIRE(replies.size() == 1);
        CHECK(replies[0].kind() == WireKind::challenge);
        check_untouched(bench);
    }
}

TEST_CASE("a cookie of another address or port does not pass") {
    Bench bench;
    const Flying join = join_of(bench);
    bench.server.receive(bench.now, test::address_of(3), join);
    bench.server.receive(bench.now, test::address_of(2, 4'001), join);
    CHECK(bench.server.refused(Refusal::bad_cookie) == 2);
    const std::vector<Flying> replies = bench.server_step();
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].kind() == WireKind::challenge);
    CHECK(replies[1].kind() == WireKind::challenge);
    check_untouched(bench);
}

TEST_CASE("another protocol version is refused by name, before anything else is looked at") {
    Bench bench({.features = {.offered = 0, .required = 4}, .protocol_version = 2}, {});
    bench.to_server({join_of(bench)});
    const std::vector<Flying> replies = bench.server_step();
    REQUIRE(replies.size() == 1);
    CHECK(reason_of(replies[0]) == CloseReason::refused_version);
    CHECK(bench.server.refused(Refusal::protocol_version) == 1);
    CHECK(bench.server.refused(Refusal::capabilities) == 0);
    check_untouched(bench);
    bench.to_client(replies);
    bench.client_step();
    REQUIRE(bench.client.closed.size() == 1);
    CHECK(bench.client.closed[0].reason == CloseReason::refused_version);
    CHECK_FALSE(bench.client.closed[0].was_connected);
}

TEST_CASE("a client without a required feature is refused by name") {
    Bench bench({.pending_max = 0, .features = {.offered = 7, .required = 4}},
                {.features = {.offered = 3, .required = 0}});
    bench.to_server({join_of(bench)});
    const std::vector<Flying> replies = bench.server_step();
    REQUIRE(replies.size() == 1);
    CHECK(reason_of(replies[0]) == CloseReason::refused_capabilities);
    CHECK(bench.server.refused(Refusal::capabilities) == 1);
    CHECK(bench.server.refused(Refusal::pending_full) == 0);
    check_untouched(bench);
}

TEST_CASE("the negotiated features are those of both") {
    Bench bench({.features = {.offered = 0b0110, .required = 0b0010}},
                {.features = {.offered = 0b1011, .required = 0b0010}});
    bench.ask();
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    const std::vector<Flying> accept = bench.server_step();
    REQUIRE(accept.size() == 1);
    CHECK(read_accept(accept[0].bytes)->features == 0b0010);
}

TEST_CASE("pending attempts and authorisations have limits of their own") {
    struct Limits {
        std::uint32_t pending;
        std::uint32_t authorising;
        Refusal why;
    };
    for (const Limits limits :
         {Limits{2, 9, Refusal::pending_full}, Limits{9, 2, Refusal::authorising_full}}) {
        CAPTURE(transport::name_of(limits.why));
        const ServerConfig config{
            .peers_max = 8, .pending_max = limits.pending, .authorising_max = limits.authorising};
        Bench bench(config, {});
        std::vector<std::unique_ptr<test::Host>> clients;
        for (std::uint8_t i = 0; i < 3; ++i) {
            clients.push_back(std::make_unique<test::Host>(
                50 + i, test::address_of(static_cast<std::uint8_t>(20 + i)),
                [](Entropy entropy) { return make_client({}, entropy); }));
            test::Host& client = *clients.back();
            REQUIRE(
                client.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
                transport::ConnectStatus::ok);
            bench.server.receive(bench.now, client.address, client.step(bench.now)[0]);
            client.receive(bench.now, bench.server.address, bench.server_step()[0]);
            bench.server.receive(bench.now, client.address, client.step(bench.now)[0]);
            CHECK(bench.server_step().empty());
        }
        CHECK(bench.server.asked.size() == 2);
        CHECK(bench.server.endpoint->pending_count() == 2);
        CHECK(bench.server.refused(limits.why) == 1);

        // An answer frees the authorisation, but the attempt stays pending until it is confirmed.
        bench.answer(test::bound_answer(bench.server.asked[0].attempt));
        bench.server_step();
        bench.wait(Duration::millis(250));
        bench.server.receive(bench.now, clients[2]->address, clients[2]->step(bench.now)[0]);
        bench.server_step();
        const bool authorising = limits.why == Refusal::authorising_full;
        CHECK(bench.server.asked.size() == (authorising ? 3u : 2u));
        CHECK(bench.server.refused(limits.why) == (authorising ? 1u : 2u));
    }
}

TEST_CASE("a full server says so, when asked and again when the answer comes") {
    Bench bench({.peers_max = 1}, {});
    bench.connect();
    test::Host late(9, test::address_of(9),
                    [](Entropy entropy) { return make_client({}, entropy); });
    REQUIRE(late.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    const auto carry = [&] {
        for (const Flying& one : late.step(bench.now))
            bench.server.receive(bench.now, late.address, one);
        for (const Flying& one : bench.server_step()) {
            if (one.to == late.address) late.receive(bench.now, bench.server.address, one);
        }
    };
    carry();
    carry();
    late.step(bench.now);
    REQUIRE(late.closed.size() == 1);
    CHECK(late.closed[0].reason == CloseReason::refused_full);
    CHECK(bench.server.refused(Refusal::server_full) == 1);
    CHECK(bench.server.endpoint->connection_count() == 1);
}

TEST_CASE("two attempts for one place: the second answer finds it taken") {
    Bench bench({.peers_max = 1}, {});
    bench.ask();
    test::Host other(9, test::address_of(9),
                     [](Entropy entropy) { return make_client({}, entropy); });
    REQUIRE(other.endpoint->connect(bench.now, test::bound_request(bench.server.address)) ==
            transport::ConnectStatus::ok);
    bench.server.receive(bench.now, other.address, other.step(bench.now)[0]);
    other.receive(bench.now, bench.server.address, bench.server_step()[0]);
    bench.server.receive(bench.now, other.address, other.step(bench.now)[0]);
    bench.server_step();
    REQUIRE(bench.server.asked.size() == 2);
    CHECK(bench.answer(test::bound_answer(bench.server.asked[0].attempt)) == AnswerStatus::ok);
    CHECK(bench.answer(test::bound_answer(bench.server.asked[1].attempt)) == AnswerStatus::ok);
    const std::vector<Flying> replies = bench.server_step();
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].kind() == WireKind::accept);
    CHECK(reason_of(replies[1]) == CloseReason::refused_full);
    CHECK(bench.server.endpoint->pending_count() == 1);
}

TEST_CASE("unknown sources and forged session datagrams move nothing") {
    Bench bench;
    bench.connect();
    Flying forged{.to = bench.server.address, .label = {}, .bytes = {}};
    forged.bytes.assign(packet_overhead, 0x55);
    write_frame(forged.bytes.data(), WireKind::keepalive);
    bench.server.receive(bench.now, test::address_of(77), forged);
    CHECK(bench.server.refused(Refusal::unknown_source) == 1);
    bench.server.receive(bench.now, bench.client.address, forged);
    CHECK(bench.server.refused(Refusal::bad_tag) == 1);
    CHECK(bench.talks());
}

}  // namespace wt::secure
