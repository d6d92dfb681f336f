// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::negotiation_test {

namespace {

using namespace wt::test;
using session::Hello;
using session::Profile;
using session::Terms;
using session::Welcome;

Hello hello_of_tests() {
    return {.terms = {.protocol = 1,
                      .schema_hash = 0x1122'3344'5566'7788,
                      .features = {.offered = 6, .required = 2},
                      .content_version = 9,
                      .rates = {.tick = 128, .input = 60, .snapshot = 64},
                      .tick_rate_min = 30,
                      .allow_reliable_only = true},
            .message_bytes = 1'076};
}

Terms server_terms() {
    return {.protocol = 1,
            .schema_hash = 0x1122'3344'5566'7788,
            .features = {.offered = 3, .required = 2},
            .content_version = 9};
}

Welcome welcome_of_tests() {
    return {.epoch = 12, .tick = 34, .features = 2, .content_version = 9, .message_bytes = 1'076};
}

EndReason judged(void (*change)(Hello&)) {
    Hello hello = hello_of_tests();
    change(hello);
    return session::judge_hello(server_terms(), hello);
}

EndReason judged_welcome(void (*change)(Welcome&)) {
    Welcome welcome = welcome_of_tests();
    change(welcome);
    return session::judge_welcome(hello_of_tests().terms, welcome);
}

// Joins with a change of the client's terms; why it ended.
EndReason joined_with(void (*change)(session::ServerConfig&, ClientConfig&)) {
    session::ServerConfig server = server_config();
    ClientConfig client = client_config();
    change(server, client);
    SessionBench bench(Wire::secure, server, client);
    REQUIRE(bench.connect() == session::ConnectStatus::ok);
    bench.ticks(40);
    if (bench.clients[0].session->state() == State::active) return EndReason::none;
    CHECK(bench.server->peer_count() == 0);
    CHECK(bench.closed_at_server() == bench.closed_at_client());
    return bench.closed_at_client();
}

}  // namespace

TEST_CASE("a hello has the layout of the README") {
    const std::array<std::uint8_t, 3> ticket = {0xa, 0xb, 0xc};
    Hello hello = hello_of_tests();
    hello.ticket = ticket;
    std::array<std::uint8_t, 51> room{};
    std::size_t size = 0;
    REQUIRE(session::write_hello(hello, room, size));
    REQUIRE(size == 51);
    const std::vector<std::uint8_t> golden = {
        1,    0,    0,    0,                             // protocol
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,  // schema hash
        6,    0,    0,    0,    0,    0,    0,    0,     // offered
        2,    0,    0,    0,    0,    0,    0,    0,     // required
        9,    0,    0,    0,                             // content
        128,  0,    60,   0,    64,   0,    30,   0,     // rates, least tick rate
        0x34, 0x04, 1,    0,    0,    0,    3,    0,     // bound, flags, zeros, ticket
        0xa,  0xb,  0xc};
    CHECK(std::vector<std::uint8_t>(room.begin(), room.end()) == golden);
    Hello out;
    REQUIRE(session::read_hello(golden, out));
    CHECK(out.terms.schema_hash == hello.terms.schema_hash);
    CHECK(out.terms.features.required == 2);
    CHECK(out.terms.rates.snapshot == 64);
    CHECK(out.terms.allow_reliable_only);
    CHECK_FALSE(out.needs_reliable_only);
    CHECK(out.ticket.size() == 3);
    CHECK(out.ticket[2] == 0xc);

    for (std::size_t cut = 0; cut < golden.size(); ++cut)
        CHECK_FALSE(session::read_hello(ConstBytes(golden).first(cut), out));
    std::vector<std::uint8_t> bad = golden;
    bad.push_back(0);
    CHECK_FALSE(session::read_hello(bad, out));
    for (const auto& [at, value] : {std::pair{42u, 4}, {43u, 1}, {45u, 1}, {47u, 1}, {38u, 200}}) {
        bad = golden;
        bad[at] = static_cast<std::uint8_t>(value);
        CHECK_FALSE(session::read_hello(bad, out));
    }
    CHECK(out.ticket.size() == 3);
}

TEST_CASE("a hello holds 256 bytes of ticket and no more, and writes whole or not at all") {
    const std::vector<std::uint8_t> ticket(257, 1);
    Hello hello = hello_of_tests();
    std::vector<std::uint8_t> room(400, 0xee);
    std::size_t size = 0;
    hello.ticket = ticket;
    CHECK_FALSE(session::write_hello(hello, room, size));
    hello.ticket = ConstBytes(ticket).first(256);
    CHECK_FALSE(session::write_hello(hello, MutableBytes(room).first(303), size));
    CHECK(room == std::vector<std::uint8_t>(400, 0xee));
    CHECK(session::write_hello(hello, MutableBytes(room).first(304), size));
    CHECK(size == session::hello_bytes_max);
}

TEST_CASE("a welcome has the layout of the README") {
    std::array<std::uint8_t, 33> room{};
    std::size_t size = 0;
    REQUIRE(session::write_welcome(welcome_of_tests(), room, size));
    const std::vector<std::uint8_t> golden = {12, 0,  0, 0,  0, 0,  0, 0, 34,   0, 0,
                                              0,  60, 0, 60, 0, 20, 0, 2, 0,    0, 0,
                                              0,  0,  0, 0,  9, 0,  0, 0, 0x34, 4, 0};
    CHECK(std::vector<std::uint8_t>(room.begin(), room.end()) == golden);
    Welcome out;
    REQUIRE(session::read_welcome(golden, out));
    CHECK(out.epoch == 12);
    CHECK(out.message_bytes == 1'076);
    for (std::size_t cut = 0; cut < golden.size(); ++cut)
        CHECK_FALSE(session::read_welcome(ConstBytes(golden).first(cut), out));
    for (const auto& [at, value] : {std::pair{0u, 0}, {12u, 0}, {16u, 61}, {31u, 5}, {32u, 2}}) {
        std::vector<std::uint8_t> bad = golden;
        bad[at] = static_cast<std::uint8_t>(value);
        CHECK_FALSE(session::read_welcome(bad, out));
    }
    CHECK_FALSE(session::write_welcome(welcome_of_tests(), MutableBytes(room).first(32), size));
}

TEST_CASE("each term is judged by its own reason") {
    CHECK(judged([](Hello&) {}) == EndReason::none);
    CHECK(judged([](Hello& h) { h.terms.protocol = 2; }) == EndReason::refused_protocol);
    CHECK(judged([](Hello& h) { ++h.terms.schema_hash; }) == EndReason::refused_schema);
    CHECK(judged([](Hello& h) { h.terms.features.offered = 4; }) == EndReason::refused_features);
    CHECK(judged([](Hello& h) { h.terms.features.required = 4; }) == EndReason::refused_features);
    CHECK(judged([](Hello& h) { h.terms.content_version = 8; }) == EndReason::refused_content);
    CHECK(judged([](Hello& h) { h.terms.tick_rate_min = 60; }) == EndReason::none);
    CHECK(judged([](Hello& h) { h.terms.tick_rate_min = 61; }) == EndReason::refused_rates);
    CHECK(judged([](Hello& h) { h.terms.rates.tick = 60; }) == EndReason::none);
    CHECK(judged([](Hello& h) { h.terms.rates.tick = 59; }) == EndReason::refused_rates);
    CHECK(judged([](Hello& h) { h.terms.rates.input = 59; }) == EndReason::refused_rates);
    CHECK(judged([](Hello& h) { h.terms.rates.snapshot = 20; }) == EndReason::none);
    CHECK(judged([](Hello& h) { h.terms.rates.snapshot = 19; }) == EndReason::refused_rates);
    CHECK(judged([](Hello& h) { h.needs_reliable_only = true; }) ==
          EndReason::refused_capabilities);
}

TEST_CASE("a client judges the welcome, whatever the server promised before") {
    CHECK(judged_welcome([](Welcome&) {}) == EndReason::none);
    CHECK(judged_welcome([](Welcome& w) { w.features = 4; }) == EndReason::refused_features);
    CHECK(judged_welcome([](Welcome& w) { w.features = 3; }) == EndReason::refused_features);
    CHECK(judged_welcome([](Welcome& w) { w.content_version = 1; }) == EndReason::refused_content);
    CHECK(judged_welcome([](Welcome& w) { w.rates.tick = 129; }) == EndReason::refused_rates);
    CHECK(judged_welcome([](Welcome& w) { w.rates.tick = 29; }) == EndReason::refused_rates);
    CHECK(judged_welcome([](Welcome& w) { w.rates.snapshot = 65; }) == EndReason::refused_rates);
    CHECK(judged_welcome([](Welcome& w) { w.profile = Profile::reliable_only; }) ==
          EndReason::none);
}

TEST_CASE("both ends hear why they did not agree") {
    CHECK(joined_with([](session::ServerConfig&, ClientConfig&) {}) == EndReason::none);
    CHECK(joined_with([](session::ServerConfig&, ClientConfig& client) {
              client.terms.protocol = 7;
          }) == EndReason::refused_protocol);
    CHECK(joined_with([](session::ServerConfig&, ClientConfig& client) {
              ++client.terms.schema_hash;
          }) == EndReason::refused_schema);
    CHECK(joined_with([](session::ServerConfig& server, ClientConfig&) {
              server.terms.features = {.offered = 1, .required = 1};
          }) == EndReason::refused_features);
    CHECK(joined_with([](session::ServerConfig& server, ClientConfig&) {
              server.terms.content_version = 3;
          }) == EndReason::refused_content);
    CHECK(joined_with([](session::ServerConfig& server, ClientConfig&) {
              server.terms.rates = {.tick = 128, .input = 128, .snapshot = 64};
          }) == EndReason::refused_rates);
}

TEST_CASE("the bound is the smallest of both ends' and the transport's") {
    for (const auto& [server_bytes, client_bytes, expected] :
         {std::tuple{1'200u, 1'200u, 1'076u}, {1'000u, 1'200u, 1'000u}, {1'000u, 900u, 900u}}) {
        session::ServerConfig server = server_config();
        ClientConfig client = client_config();
        server.limits.message_bytes = server_bytes;
        client.limits.message_bytes = client_bytes;
        SessionBench bench(Wire::secure, server, client);
        bench.join();
        CHECK(bench.link().message_bytes() == expected);
        CHECK(bench.clients[0].session->link().message_bytes() == expected);
        const std::vector<std::uint8_t> payload(1'200, 5);
        const ConstBytes all(payload);
        CHECK(bench.server->send(bench.now, bench.peer(), Kind::snapshot, 0,
                                 all.first(expected - 24)) == session::SendStatus::ok);
        CHECK(bench.server->send(bench.now, bench.peer(), Kind::snapshot, 0,
                                 all.first(expected - 23)) == session::SendStatus::too_large);
        bench.ticks(2);
        CHECK(bench.clients[0].events.back().payload.size() == expected - 24);
    }
}

}  // namespace wt::session::negotiation_test
