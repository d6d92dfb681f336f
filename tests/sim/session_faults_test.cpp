// SPDX-License-Identifier: MIT
//
// Sessions over the encrypted transport in bad weather: a fifth of all datagrams lost, a tenth
// twice, all late by up to 80 ms and so out of order. An accepted durable message is delivered, in
// order and once, or its connection ends with a reason; sequences wrap on the way; a stranger to
// the session's epoch changes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::session_faults_test {
namespace {

using namespace wt::test;

using session::SendStatus;
using Type = SessionEvent::Type;

struct Weather {
    SessionBench& bench;
    LuckStream luck;
    struct Late {
        Instant due{};
        transport::Address from{};
        Flying flying{};
    };
    std::vector<Late> late{};
    bool is_blackout = false;

    Weather(SessionBench& on, std::uint64_t seed)
        : bench(on), luck(LuckKey::root(seed).with("weather")) {
        bench.weather = [this](const transport::Address& from, const Flying& flying) {
            const std::uint64_t loss = luck.next() % 10;
            const std::uint64_t twice = luck.next() % 10;
            if (is_blackout || loss < 2) return;
            add(from, flying);
            if (twice == 0) add(from, flying);
        };
    }
    void add(const transport::Address& from, const Flying& flying) {
        const std::uint64_t delay = luck.next() % 80;
        late.push_back(
            {bench.now + Duration::millis(static_cast<std::int64_t>(delay)), from, flying});
    }
    void tick() {
        // In order of their due times; what is due together, as it was sent.
        std::stable_sort(late.begin(), late.end(),
                         [](const Late& a, const Late& b) { return a.due < b.due; });
        while (!late.empty() && late.front().due <= bench.now) {
            bench.deliver(late.front().from, late.front().flying);
            late.erase(late.begin());
        }
        bench.tick();
    }
};

std::vector<std::uint32_t> numbers_in(const std::vector<Seen>& events) {
    std::vector<std::uint32_t> out;
    for (const Seen& seen : events) {
        if (seen.event.type == Type::message && seen.event.kind == Kind::game_event) {
            out.push_back(load_u32(seen.payload.data()));
        }
    }
    return out;
}

bool counts_up(const std::vector<std::uint32_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != i) return false;
    }
    return true;
}

struct Talk {
    std::uint32_t by_server = 0;  // Accepted by send.
    std::uint32_t by_client = 0;
    std::uint32_t inputs = 0;
};

void speak(SessionBench& bench, Talk& talk) {
    auto& client = *bench.clients[0].session;
    std::array<std::uint8_t, 40> bytes{};
    store_u32(bytes.data(), talk.by_server);
    if (bench.server->send(bench.now, bench.peer(), Kind::game_event, 0, bytes) == SendStatus::ok) {
        ++talk.by_server;
    }
    store_u32(bytes.data(), talk.by_client);
    if (client.send(bench.now, Kind::game_event, 0, bytes) == SendStatus::ok) ++talk.by_client;
    store_u32(bytes.data(), static_cast<std::uint32_t>(bench.tick_number));
    if (client.send(bench.now, Kind::input, 0, bytes) == SendStatus::ok) ++talk.inputs;
}

void join_in(Weather& weather) {
    SessionBench& bench = weather.bench;
    REQUIRE(bench.connect() == session::ConnectStatus::ok);
    for (int i = 0; i < 600 && bench.clients[0].session->state() != State::active; ++i)
        weather.tick();
    REQUIRE(bench.clients[0].session->state() == State::active);
}

session::ServerConfig wrapping_server() {
    session::ServerConfig config = server_config();
    config.limits.initial_sequence = 0xffff'ffc0;
    config.limits.closing_deadline = Duration::seconds(20);
    return config;
}

ClientConfig wrapping_client() {
    ClientConfig config = client_config();
    config.limits.initial_sequence = 0xffff'ffc0;
    return config;
}

}  // namespace

TEST_CASE("what was accepted is delivered before the goodbye, each once and in order") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        SessionBench bench(Wire::secure, wrapping_server(), wrapping_client());
        Weather weather(bench, seed);
        join_in(weather);
        Talk talk;
        for (int i = 0; i < 400; ++i) {
            speak(bench, talk);
            weather.tick();
        }
        CHECK(bench.link().window(session::Channel::control).newest() < 0x8000'0000);
        CHECK(bench.link().violations() == 0);
        CHECK(bench.link().counters().of(Stage::frame) == 0);
        const session::LinkCounters before = bench.link().counters();
        const std::uint32_t delivered_inputs = before.messages_in;
        CHECK(delivered_inputs > talk.inputs / 2);
        REQUIRE(bench.server->close(bench.now, bench.peer()));
        for (int i = 0; i < 60 * 25 && bench.server->peer_count() != 0; ++i)
            weather.tick();
        for (int i = 0; i < 60; ++i)
            weather.tick();
        CHECK(bench.closed_at_server() == EndReason::asked);
        CHECK(bench.closed_at_client() == EndReason::remote);
        const std::vector<std::uint32_t> at_client = numbers_in(bench.clients[0].events);
        CHECK(counts_up(at_client));
        CHECK(at_client.size() == talk.by_server);
        // The client's own last words may still have been on their way; none is out of place.
        const std::vector<std::uint32_t> at_server = numbers_in(bench.server_events);
        CHECK(counts_up(at_server));
        CHECK(at_server.size() <= talk.by_client);
    }
}

TEST_CASE("where messages cannot be delivered the connection ends with a reason at both ends") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        SessionBench bench(Wire::secure, wrapping_server(), wrapping_client());
        Weather weather(bench, seed);
        join_in(weather);
        Talk talk;
        for (int i = 0; i < 60; ++i) {
            speak(bench, talk);
            weather.tick();
        }
        weather.is_blackout = true;
        for (int i = 0; i < 60 * 15; ++i) {
            if (bench.server->peer_count() != 0) speak(bench, talk);
            weather.tick();
        }
        CHECK(bench.closed_at_server() != EndReason::none);
        CHECK(bench.closed_at_client() != EndReason::none);
        CHECK(counts_up(numbers_in(bench.clients[0].events)));
        CHECK(counts_up(numbers_in(bench.server_events)));
    }
}

TEST_CASE("old packets in flight do nothing to the session after a reconnect") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        SessionBench bench(Wire::secure, wrapping_server(), wrapping_client());
        Weather weather(bench, seed);
        join_in(weather);
        Talk talk;
        for (int i = 0; i < 60; ++i) {
            speak(bench, talk);
            weather.tick();
        }
        const PeerHandle first = bench.peer();
        // Killed with datagrams of both directions in flight, and back at once.
        bench.clients[0].session->forget();
        bench.clients[0].endpoint->restart(bench.now);
        REQUIRE(bench.connect(0, 2) == session::ConnectStatus::ok);
        for (int i = 0; i < 600 && bench.clients[0].session->state() != State::active; ++i)
            weather.tick();
        REQUIRE(bench.clients[0].session->state() == State::active);
        CHECK(bench.server->state(first) != State::active);
        CHECK(bench.peer() != first);
        CHECK(bench.link().counters().of(Stage::frame) == 0);
        CHECK(bench.link().violations() == 0);
        const std::size_t events = numbers_in(bench.server_events).size();
        Talk again;
        for (int i = 0; i < 60; ++i) {
            speak(bench, again);
            weather.tick();
        }
        const std::vector<std::uint32_t> all = numbers_in(bench.server_events);
        CHECK(counts_up({all.begin() + static_cast<std::ptrdiff_t>(events), all.end()}));
        CHECK(all.size() > events);
    }
}

}  // namespace wt::session::session_faults_test
