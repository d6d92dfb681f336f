// SPDX-License-Identifier: MIT
//
// The real transport with its real cipher over real sockets: join, messages of both sizes, close;
// and strangers that cost a counter.
#include "engine/udp/driver.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <variant>
#include <vector>

#include "engine/crypto/entropy.hpp"
#include "engine/secure/endpoints.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/waiter.hpp"

namespace wt::udp {

namespace {

struct Side {
    std::unique_ptr<transport::Endpoint> endpoint;
    Socket socket;
    Driver driver{*endpoint, socket};
    transport::ConnectionId connection{};
    std::vector<std::vector<std::uint8_t>> messages{};
    transport::CloseReason closed = transport::CloseReason::none;

    void drain(Instant now) {
        transport::Event event;
        while (endpoint->next_event(event)) {
            if (const auto* up = std::get_if<transport::Connected>(&event))
                connection = up->connection;
            if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
                (void)endpoint->answer_authorisation(
                    now, {.attempt = asked->attempt, .admitted = true, .player = {7}});
            }
            if (const auto* message = std::get_if<transport::Received>(&event))
                messages.emplace_back(message->bytes.begin(), message->bytes.end());
            if (const auto* down = std::get_if<transport::Closed>(&event)) closed = down->reason;
        }
    }
    void step(Instant now) {
        driver.receive(now, [&] { drain(now); });
        driver.flush(now);
        drain(now);
    }
};

Socket socket_at(const char* where) {
    auto socket = Socket::open({.bind = *parse_address(where)});
    REQUIRE(socket);
    return std::move(*socket);
}

Side server_at(const char* where) {
    secure::ServerConfig config;
    config.allow_unbound = true;
    return {secure::make_server(config, crypto::system_entropy()), socket_at(where)};
}

Side client_at(const char* where) {
    secure::ClientConfig config;
    config.allow_unbound = true;
    return {secure::make_client(config, crypto::system_entropy()), socket_at(where)};
}

template <class Done>
bool run(Side& server, Side& client, Done&& done) {
    const Clock clock;
    Waiter waiter;
    const Instant end = clock.now() + Duration::seconds(10);
    while (!done()) {
        const Instant now = clock.now();
        if (now > end) return false;
        client.step(now);
        server.step(clock.now());
        waiter.wait(clock, next_quantum(clock.now(), Driver::quantum));
    }
    return true;
}

}  // namespace

TEST_CASE("a join, messages both ways and a goodbye, on both families") {
    for (const char* const where : {"127.0.0.1:0", "[::1]:0"}) {
        CAPTURE(where);
        Side server = server_at(where);
        Side client = client_at(where);
        const Clock clock;
        transport::ConnectRequest request;
        request.server = server.socket.local();
        REQUIRE(client.endpoint->connect(clock.now(), request) == transport::ConnectStatus::ok);
        REQUIRE(run(server, client, [&] { return client.connection.is_valid(); }));
        // 100 KiB: 93 fragments, so more than one batch.
        std::vector<std::uint8_t> large(100 * 1'024);
        std::iota(large.begin(), large.end(), std::uint8_t{3});
        const std::array<std::uint8_t, 2> small{4, 5};
        CHECK(client.endpoint->send(clock.now(), client.connection,
                                    {.lane = transport::Lane::bulk, .bytes = large}) ==
              transport::SendStatus::ok);
        REQUIRE(run(server, client, [&] { return server.messages.size() == 1; }));
        CHECK(server.messages[0] == large);
        CHECK(server.endpoint->send(clock.now(), server.connection, {.bytes = small}) ==
              transport::SendStatus::ok);
        REQUIRE(run(server, client, [&] { return client.messages.size() == 1; }));
        CHECK(client.messages[0] == std::vector<std::uint8_t>(small.begin(), small.end()));
        REQUIRE(client.endpoint->close(clock.now(), client.connection,
                                       transport::CloseReason::application));
        REQUIRE(run(server, client, [&] { return server.closed != transport::CloseReason::none; }));
        CHECK(server.closed == transport::CloseReason::remote);
        CHECK(server.socket.counters().kernel_drops == 0);
    }
}

TEST_CASE("a stranger's datagrams are counted refusals, however many and large") {
    Side server = server_at("127.0.0.1:0");
    Socket stranger = socket_at("127.0.0.1:0");
    const std::vector<std::uint8_t> junk(2'000, 0x5a);
    SendBatch out;
    for (std::size_t size = 0; size < 200; ++size) {
        if (out.is_full()) stranger.send(out);
        out.add_outside(ConstBytes(junk).first(size * 10), server.socket.local());
    }
    stranger.send(out);
    const Clock clock;
    for (int i = 0; i < 20; ++i)
        server.step(clock.now());
    const transport::Counters& counters = server.endpoint->counters();
    // 1,240 B to 1,990 B in steps of 10 are 76, and too long for anything of ours.
    CHECK(counters.of(transport::Refusal::too_long) == 76);
    CHECK(counters.of(transport::Refusal::too_short) + counters.of(transport::Refusal::bad_magic) ==
          124);
    CHECK(counters.datagrams_sent == 0);
}

}  // namespace wt::udp
