// SPDX-License-Identifier: MIT
#include "engine/session/ticket.hpp"

#include <algorithm>
#include <string_view>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/crypto/sha256.hpp"

namespace wt::session {

namespace {

constexpr std::uint8_t ticket_version = 1;
constexpr std::size_t mac_bytes = 32;
constexpr std::size_t signed_bytes = TicketBytes{}.size() - mac_bytes;

// Takes as long for equal bytes as for others, so that a MAC cannot be found byte by byte.
bool are_equal(ConstBytes a, ConstBytes b) {
    WT_CHECK(a.size() == b.size());
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned>(a[i] ^ b[i]);
    return difference == 0;
}

std::array<std::uint8_t, 16> binding_of(const SessionName& session,
                                        const transport::SessionProofKeys& keys) {
    std::array<std::uint8_t, 80> bound{};
    ByteWriter writer(bound);
    writer.bytes(session);
    writer.bytes(keys.join_key);
    writer.bytes(keys.accept_key);
    crypto::Mac hash{};
    crypto::sha256(bound, hash);
    std::array<std::uint8_t, 16> binding{};
    std::copy_n(hash.begin(), binding.size(), binding.begin());
    return binding;
}

}  // namespace

transport::SessionProofKeys TicketAuthority::keys_of(const TicketNonce& nonce) const {
    transport::SessionProofKeys keys;
    crypto::hkdf_expand(key_, {.label = bytes_of("wt ticket join"), .context = nonce},
                        keys.join_key);
    crypto::hkdf_expand(key_, {.label = bytes_of("wt ticket accept"), .context = nonce},
                        keys.accept_key);
    return keys;
}

IssuedTicket TicketAuthority::issue(const Ticket& ticket, const SessionName& session) const {
    IssuedTicket issued;
    issued.session = session;
    issued.keys = keys_of(ticket.nonce);
    ByteWriter writer(issued.bytes);
    writer.u8(ticket_version);
    writer.zeros(7);
    writer.u64(ticket.audience);
    writer.u64(ticket.player.value);
    writer.u64(ticket.visit);
    writer.u64(ticket.expires);
    writer.bytes(ticket.nonce);
    writer.bytes(binding_of(session, issued.keys));
    WT_CHECK(writer.written() == signed_bytes);
    crypto::Mac mac{};
    crypto::hmac_sha256(key_, writer.view(), mac);
    writer.bytes(mac);
    WT_CHECK(!writer.failed());
    return issued;
}

TicketVerdict TicketAuthority::judge(ConstBytes bytes, const SessionName& session,
                                     std::uint64_t audience, std::uint64_t now_seconds, Ticket& out,
                                     transport::SessionProofKeys& keys) const {
    if (bytes.size() != TicketBytes{}.size()) return TicketVerdict::malformed;
    if (bytes[0] != ticket_version) return TicketVerdict::malformed;
    crypto::Mac mac{};
    crypto::hmac_sha256(key_, bytes.first(signed_bytes), mac);
    if (!are_equal(mac, bytes.subspan(signed_bytes)) && !mutated<"ticket-mac">())
        return TicketVerdict::forged;
    ByteReader reader(bytes.subspan(8, signed_bytes - 8));
    Ticket ticket;
    std::array<std::uint8_t, 16> binding{};
    reader.u64(ticket.audience);
    reader.u64(ticket.player.value);
    reader.u64(ticket.visit);
    reader.u64(ticket.expires);
    reader.bytes(ticket.nonce);
    reader.bytes(binding);
    if (ticket.audience != audience && !mutated<"ticket-audience">())
        return TicketVerdict::wrong_audience;
    if (now_seconds > ticket.expires && !mutated<"ticket-expiry">()) return TicketVerdict::expired;
    const transport::SessionProofKeys bound = keys_of(ticket.nonce);
    if (!are_equal(binding, binding_of(session, bound)) && !mutated<"ticket-bound">())
        return TicketVerdict::wrong_session;
    out = ticket;
    keys = bound;
    return TicketVerdict::ok;
}

const char* name_of(TicketVerdict verdict) {
    static constexpr std::array<const char*, ticket_verdict_count> names = {
        "ok",      "malformed",     "forged", "wrong_audience",
        "expired", "wrong_session", "used",   "store_full"};
    return names[static_cast<unsigned>(verdict)];
}

}  // namespace wt::session
