// SPDX-License-Identifier: MIT
//
// A ticket is for one player, one visit, one authority and one minute.
#include "bots/ticket_office.hpp"

#include <doctest/doctest.h>

namespace wt::bots {
namespace {

session::TicketVerdict judged(const TicketOffice& office, const session::IssuedTicket& ticket,
                              std::uint64_t seconds, transport::PlayerId& player) {
    session::Ticket out;
    transport::SessionProofKeys keys;
    const session::TicketVerdict verdict = office.authority().judge(
        ticket.bytes, ticket.session, TicketOffice::audience, seconds, out, keys);
    if (verdict == session::TicketVerdict::ok) {
        CHECK(keys.join_key == ticket.keys.join_key);
        CHECK(keys.accept_key == ticket.keys.accept_key);
        player = out.player;
    }
    return verdict;
}

TEST_CASE("a ticket is good with its own authority, for its player, until its minute is over") {
    const TicketOffice office(7);
    const Instant now = Instant{} + Duration::seconds(10);
    const session::IssuedTicket ticket = office.sell({42}, 3, now);
    transport::PlayerId player{};
    CHECK(judged(office, ticket, 10, player) == session::TicketVerdict::ok);
    CHECK(player.value == 42);
    CHECK(judged(office, ticket, 70, player) == session::TicketVerdict::ok);
    CHECK(judged(office, ticket, 71, player) == session::TicketVerdict::expired);
    CHECK(judged(TicketOffice(8), ticket, 10, player) == session::TicketVerdict::forged);
}

TEST_CASE("every visit has a ticket of its own") {
    const TicketOffice office(7);
    const session::IssuedTicket first = office.sell({42}, 1, {});
    CHECK(first.bytes == office.sell({42}, 1, {}).bytes);
    CHECK(first.bytes != office.sell({42}, 2, {}).bytes);
    CHECK(first.keys.join_key != office.sell({42}, 2, {}).keys.join_key);
    CHECK(first.bytes != office.sell({43}, 1, {}).bytes);
    CHECK(first.session == office.sell({43}, 1, {}).session);
}

}  // namespace
}  // namespace wt::bots
