// SPDX-License-Identifier: MIT
#include "bots/ticket_office.hpp"

#include "bots/payloads.hpp"
#include "engine/base/bytes.hpp"

namespace wt::bots {

session::TicketAuthority TicketOffice::authority() const {
    crypto::Mac key{};
    fill_drawn(key, LuckKey{secret_}.with("ticket key"));
    return session::TicketAuthority(key);
}

session::IssuedTicket TicketOffice::sell(transport::PlayerId player, std::uint64_t visit,
                                         Instant now, bool is_bound) const {
    visit += book_.visits_before;
    now += book_.office_ahead;
    session::Ticket ticket;
    ticket.audience = audience;
    ticket.player = player;
    ticket.visit = visit;
    ticket.expires = static_cast<std::uint64_t>((now + lifetime).ns / 1'000'000'000);
    fill_drawn(ticket.nonce, LuckKey{secret_}.with(player.value).with(visit).with("nonce"));
    session::SessionName name{};
    if (is_bound) fill_drawn(name, LuckKey{secret_}.with("session"));
    return authority().issue(ticket, name);
}

}  // namespace wt::bots
