// SPDX-License-Identifier: MIT
//
// Who may join: a ticket that this authority sold, unaltered, for its own session; nothing else.
#include "bots/join_authority.hpp"

#include <doctest/doctest.h>

namespace wt::bots {
namespace {

transport::AuthorisationAsked asked_with(const JoinAuthority::Ticket& ticket) {
    return {.attempt = {.index = 3, .generation = 5},
            .address = {},
            .session = ticket.session,
            .token = ticket.token};
}

}  // namespace

TEST_CASE("a ticket is admitted for its player, with the keys that its owner got") {
    const JoinAuthority authority(42);
    const JoinAuthority::Ticket ticket = authority.ticket_for({77}, 1);
    const transport::AuthorisationAnswer answer = authority.judge(asked_with(ticket));
    CHECK(answer.admitted);
    CHECK(answer.attempt.index == 3);
    CHECK(answer.attempt.generation == 5);
    CHECK(answer.player.value == 77);
    CHECK(answer.session_bound);
    CHECK(answer.keys.join_key == ticket.keys.join_key);
    CHECK(answer.keys.accept_key == ticket.keys.accept_key);
    CHECK(ticket.keys.join_key != ticket.keys.accept_key);
}

TEST_CASE("visits and players have tickets and keys of their own") {
    const JoinAuthority authority(42);
    const JoinAuthority::Ticket first = authority.ticket_for({77}, 1);
    for (const JoinAuthority::Ticket& other :
         {authority.ticket_for({77}, 2), authority.ticket_for({78}, 1)}) {
        CHECK(other.session == first.session);
        CHECK(other.token != first.token);
        CHECK(other.keys.join_key != first.keys.join_key);
        CHECK(other.keys.accept_key != first.keys.accept_key);
    }
}

TEST_CASE("an altered token is refused, whichever byte it is") {
    const JoinAuthority authority(42);
    const JoinAuthority::Ticket ticket = authority.ticket_for({77}, 1);
    for (std::size_t at = 0; at < JoinAuthority::token_bytes; ++at) {
        JoinAuthority::Ticket altered = ticket;
        altered.token[at] ^= 1;
        const transport::AuthorisationAnswer answer = authority.judge(asked_with(altered));
        CHECK_FALSE(answer.admitted);
        CHECK_FALSE(answer.session_bound);
        CHECK(answer.player.value == 0);
        CHECK(answer.attempt.index == 3);
    }
}

TEST_CASE("another session, another authority and another length are refused") {
    const JoinAuthority authority(42);
    JoinAuthority::Ticket ticket = authority.ticket_for({77}, 1);
    transport::AuthorisationAsked asked = asked_with(ticket);
    asked.token = asked.token.first(JoinAuthority::token_bytes - 1);
    CHECK_FALSE(authority.judge(asked).admitted);
    asked.token = {};
    CHECK_FALSE(authority.judge(asked).admitted);
    CHECK_FALSE(authority.judge(asked_with(JoinAuthority(43).ticket_for({77}, 1))).admitted);
    ticket.session[15] ^= 1;
    CHECK_FALSE(authority.judge(asked_with(ticket)).admitted);
}

}  // namespace wt::bots
