// SPDX-License-Identifier: MIT
#include "bots/join_authority.hpp"

#include "bots/payloads.hpp"
#include "engine/base/bytes.hpp"
#include "engine/base/rng.hpp"

namespace wt::bots {

JoinAuthority::Ticket JoinAuthority::ticket_for(transport::PlayerId player,
                                                std::uint64_t visit) const {
    Ticket ticket;
    ticket.session = session();
    ByteWriter writer(ticket.token);
    writer.u64(player.value);
    writer.u64(visit);
    writer.u64(check_word(player.value, visit));
    ticket.keys = keys_of(player.value, visit);
    return ticket;
}

transport::AuthorisationAnswer JoinAuthority::judge(
    const transport::AuthorisationAsked& asked) const {
    transport::AuthorisationAnswer answer;
    answer.attempt = asked.attempt;
    if (asked.token.size() != token_bytes || asked.session != session()) return answer;
    ByteReader reader(asked.token);
    std::uint64_t player = 0;
    std::uint64_t visit = 0;
    std::uint64_t check = 0;
    reader.u64(player);
    reader.u64(visit);
    reader.u64(check);
    if (check != check_word(player, visit)) return answer;
    answer.admitted = true;
    answer.player = {player};
    answer.session_bound = true;
    answer.keys = keys_of(player, visit);
    return answer;
}

std::array<std::uint8_t, 16> JoinAuthority::session() const {
    std::array<std::uint8_t, 16> id{};
    fill_drawn(id, LuckKey{secret_}.with("session"));
    return id;
}

std::uint64_t JoinAuthority::check_word(std::uint64_t player, std::uint64_t visit) const {
    return LuckKey{secret_}.with("check").with(player).draw(visit);
}

transport::SessionProofKeys JoinAuthority::keys_of(std::uint64_t player,
                                                   std::uint64_t visit) const {
    const LuckKey root = LuckKey{secret_}.with(player).with(visit);
    transport::SessionProofKeys keys;
    fill_drawn(keys.join_key, root.with("join"));
    fill_drawn(keys.accept_key, root.with("accept"));
    return keys;
}

}  // namespace wt::bots
