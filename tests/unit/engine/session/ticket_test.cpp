// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/engine/session/session_bench.hpp"

namespace wt::session::ticket_test {

namespace {

using namespace wt::test;
using session::IssuedTicket;
using session::SessionName;
using session::Ticket;
using session::TicketAuthority;
using session::TicketMemory;
using session::TicketStore;
using session::TicketVerdict;

const SessionName here = {1, 2, 3};

Ticket ticket_numbered(std::uint8_t nonce, std::uint64_t expires = 100) {
    Ticket ticket{.audience = 5, .player = {77}, .visit = 3, .expires = expires};
    ticket.nonce.fill(nonce);
    return ticket;
}

TicketVerdict judge(ConstBytes bytes, std::uint64_t now = 50, std::uint64_t audience = 5,
                    const SessionName& name = here) {
    Ticket out{.audience = 1, .player = {2}, .visit = 3, .expires = 4};
    transport::SessionProofKeys keys;
    const TicketVerdict verdict =
        TicketAuthority(authority_key()).judge(bytes, name, audience, now, out, keys);
    if (verdict != TicketVerdict::ok) {
        CHECK(out.player.value == 2);
        CHECK(keys.join_key == transport::SessionProofKeys{}.join_key);
    }
    return verdict;
}

std::uint32_t counted(const SessionBench& bench, TicketVerdict verdict) {
    return bench.server->counters().tickets[static_cast<unsigned>(verdict)];
}

}  // namespace

TEST_CASE("a ticket says what it was issued for, and its keys are its owner's") {
    const TicketAuthority authority(authority_key());
    const IssuedTicket issued = authority.issue(ticket_numbered(9), here);
    Ticket out;
    transport::SessionProofKeys keys;
    REQUIRE(authority.judge(issued.bytes, here, 5, 50, out, keys) == TicketVerdict::ok);
    CHECK(out.player.value == 77);
    CHECK(out.visit == 3);
    CHECK(out.expires == 100);
    CHECK(out.nonce == ticket_numbered(9).nonce);
    CHECK(keys.join_key == issued.keys.join_key);
    CHECK(keys.accept_key == issued.keys.accept_key);
    CHECK(keys.join_key != keys.accept_key);
    CHECK(authority.issue(ticket_numbered(10), here).keys.join_key != keys.join_key);
}

TEST_CASE("each way of being wrong has its own verdict") {
    const IssuedTicket issued = TicketAuthority(authority_key()).issue(ticket_numbered(9), here);
    std::vector<std::uint8_t> bytes(issued.bytes.begin(), issued.bytes.end());
    CHECK(judge(bytes) == TicketVerdict::ok);
    CHECK(judge(ConstBytes(bytes).first(103)) == TicketVerdict::malformed);
    CHECK(judge({}) == TicketVerdict::malformed);
    CHECK(judge(bytes, 50, 6) == TicketVerdict::wrong_audience);
    CHECK(judge(bytes, 50, 5, {1, 2, 4}) == TicketVerdict::wrong_session);
    // Good through its last second.
    CHECK(judge(bytes, 100) == TicketVerdict::ok);
    CHECK(judge(bytes, 101) == TicketVerdict::expired);
    std::vector<std::uint8_t> longer = bytes;
    longer.push_back(0);
    CHECK(judge(longer) == TicketVerdict::malformed);
    crypto::Mac other_key = authority_key();
    other_key[31] ^= 1;
    CHECK(judge(TicketAuthority(other_key).issue(ticket_numbered(9), here).bytes) ==
          TicketVerdict::forged);
    CHECK(std::string(name_of(TicketVerdict::wrong_session)) == "wrong_session");
}

TEST_CASE("no bit of a ticket can be altered") {
    const IssuedTicket issued = TicketAuthority(authority_key()).issue(ticket_numbered(9), here);
    for (std::size_t bit = 0; bit < issued.bytes.size() * 8; ++bit) {
        std::vector<std::uint8_t> bytes(issued.bytes.begin(), issued.bytes.end());
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1u << bit % 8));
        const TicketVerdict verdict = judge(bytes);
        CHECK(verdict == (bit < 8 ? TicketVerdict::malformed : TicketVerdict::forged));
    }
}

TEST_CASE("a ticket is used once, until it expires") {
    TicketStore store(8, TicketMemory::survives);
    CHECK(store.use(ticket_numbered(1), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(1), 50) == TicketVerdict::used);
    CHECK(store.use(ticket_numbered(2), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(1), 100) == TicketVerdict::used);
    CHECK(store.size() == 2);
    // A second later nobody could show it any more, so it need not be remembered.
    CHECK(store.use(ticket_numbered(3, 200), 101) == TicketVerdict::ok);
    CHECK(store.size() == 1);
}

TEST_CASE("a full store refuses newcomers and forgets nobody") {
    TicketStore store(2, TicketMemory::survives);
    CHECK(store.use(ticket_numbered(1, 100), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(2, 120), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(3, 100), 50) == TicketVerdict::store_full);
    CHECK(store.use(ticket_numbered(1, 100), 50) == TicketVerdict::used);
    CHECK(store.size() == 2);
    CHECK(store.use(ticket_numbered(3, 130), 101) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(2, 120), 101) == TicketVerdict::used);
}

TEST_CASE("what a restart remembers is what was declared") {
    for (const TicketMemory memory : {TicketMemory::survives, TicketMemory::lost}) {
        TicketStore store(8, memory);
        CHECK(store.use(ticket_numbered(1), 50) == TicketVerdict::ok);
        store.restart();
        const bool survives = memory == TicketMemory::survives;
        CHECK(store.use(ticket_numbered(1), 60) ==
              (survives ? TicketVerdict::used : TicketVerdict::ok));
        CHECK(store.use(ticket_numbered(1), 60) == TicketVerdict::used);
    }
}

TEST_CASE("a session lets in who holds a good ticket, on either kind of transport") {
    for (const Wire wire : {Wire::loopback, Wire::secure}) {
        SessionBench bench(wire);
        bench.join(0, 1);
        CHECK(counted(bench, TicketVerdict::ok) == 1);
        bench.clients[0].session->close(bench.now, *bench.clients[0].endpoint);
        bench.ticks(60);
        // The same ticket again, then an expired one: time is 2 s and more by now.
        REQUIRE(bench.connect(0, 1) == session::ConnectStatus::ok);
        bench.ticks(60);
        CHECK(bench.clients[0].session->state() == State::closed);
        CHECK(counted(bench, TicketVerdict::used) == 1);
        REQUIRE(bench.connect_with(0, ticket_of(100, 7, 1)) == session::ConnectStatus::ok);
        bench.ticks(60);
        CHECK(bench.clients[0].session->state() == State::closed);
        CHECK(counted(bench, TicketVerdict::expired) == 1);
        CHECK(bench.server->peer_count() == 0);
        // Each refusal is told, with where it came from.
        std::size_t told = 0;
        for (const auto& seen : bench.server_events) {
            if (seen.event.type != SessionEvent::Type::ticket_refused) continue;
            ++told;
            CHECK(seen.event.from == bench.clients[0].address);
        }
        CHECK(told == 2);
        bench.join(0, 8);
    }
}

TEST_CASE("a copied ticket without its owner's keys joins nobody") {
    SessionBench bench(Wire::secure);
    IssuedTicket stolen = ticket_of(100, 1);
    stolen.keys.join_key[0] ^= 1;
    REQUIRE(bench.connect_with(0, stolen) == session::ConnectStatus::ok);
    bench.ticks(120);
    CHECK(bench.clients[0].session->state() != State::active);
    CHECK(bench.server->peer_count() == 0);
    CHECK(bench.server_endpoint->counters().of(transport::Refusal::bad_join_proof) > 0);
}

TEST_CASE("F4: a ticket replayed after a restart, before it expires") {
    for (const TicketMemory memory : {TicketMemory::survives, TicketMemory::lost}) {
        session::ServerConfig config = server_config();
        config.ticket_memory = memory;
        SessionBench bench(Wire::loopback, config);
        bench.join(0, 1);
        bench.server->reset(bench.now);
        bench.server_endpoint->restart(bench.now);
        bench.ticks(60 * 11);
        REQUIRE(bench.connect(0, 1) == session::ConnectStatus::ok);
        bench.ticks(60);
        const bool survives = memory == TicketMemory::survives;
        CHECK(bench.clients[0].session->state() == (survives ? State::closed : State::active));
        if (survives) CHECK(bench.closed_at_client() == EndReason::refused_ticket);
    }
}

TEST_CASE("an authority that takes its time: a withdrawn question costs no ticket") {
    session::ServerConfig config = server_config();
    config.authorisation_delay = Duration::millis(100);
    SessionBench bench(Wire::secure, config);
    REQUIRE(bench.connect(0, 1) == session::ConnectStatus::ok);
    bench.ticks(3);
    CHECK(counted(bench, TicketVerdict::ok) == 0);
    // The same player with the same ticket, from a process that began anew.
    bench.clients[0].session->forget();
    bench.clients[0].endpoint->restart(bench.now);
    REQUIRE(bench.connect(0, 1) == session::ConnectStatus::ok);
    bench.ticks(30);
    CHECK(bench.clients[0].session->state() == State::active);
    CHECK(counted(bench, TicketVerdict::ok) == 1);
    CHECK(counted(bench, TicketVerdict::used) == 0);
}

TEST_CASE("a use is remembered through the ticket's last second, whatever else expires") {
    TicketStore store(8, TicketMemory::survives);
    CHECK(store.use(ticket_numbered(1, 100), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(2, 120), 50) == TicketVerdict::ok);
    CHECK(store.use(ticket_numbered(2, 120), 120) == TicketVerdict::used);
    CHECK(store.size() == 1);
}

}  // namespace wt::session::ticket_test
