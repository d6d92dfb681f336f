// SPDX-License-Identifier: MIT
//
// Tickets: a join authority says that one player may join one audience's session once, until some
// second. 104 bytes that travel as the transport's token, or in the hello where the transport
// authenticates nobody. The ticket is bound to its connection by proof keys that only its owner
// and the server can know: whoever copies the bytes cannot prove the join.
// Spec: 001, external identity tickets.
#pragma once

#include <array>
#include <cstdint>

#include "engine/crypto/hkdf.hpp"
#include "engine/transport/event.hpp"

namespace wt::session {

using SessionName = std::array<std::uint8_t, 16>;
using TicketNonce = std::array<std::uint8_t, 16>;
using TicketBytes = std::array<std::uint8_t, 104>;

struct Ticket {
    std::uint64_t audience = 0;  // Which server (group) it is for.
    transport::PlayerId player{};
    std::uint64_t visit = 0;    // Tells one player's tickets apart.
    std::uint64_t expires = 0;  // Seconds of the server's clock; the last one in which it is good.
    TicketNonce nonce{};
};

// A ticket as its owner holds it.
struct IssuedTicket {
    TicketBytes bytes{};
    SessionName session{};
    transport::SessionProofKeys keys{};
};

enum class TicketVerdict : std::uint8_t {
    ok,
    malformed,       // Not a ticket: length, version, reserved bytes.
    forged,          // The MAC does not fit: another authority, or altered.
    wrong_audience,  // Meant for another server.
    expired,
    wrong_session,  // Shown for another session than it was made for.
    used,           // Its single use is over.
    store_full,     // Too many unexpired tickets are remembered; refused to be safe.
};
inline constexpr unsigned ticket_verdict_count = 8;
[[nodiscard]] const char* name_of(TicketVerdict verdict);

// Holds the key that authority and servers share.
class TicketAuthority {
public:
    explicit TicketAuthority(const crypto::Mac& key) : key_(key) {}

    // What an authority gives out; in runs it lives in the process. A nonce must never come twice.
    [[nodiscard]] IssuedTicket issue(const Ticket& ticket, const SessionName& session) const;

    // Everything but single use. `out` and `keys` are written only on ok.
    [[nodiscard]] TicketVerdict judge(ConstBytes bytes, const SessionName& session,
                                      std::uint64_t audience, std::uint64_t now_seconds,
                                      Ticket& out, transport::SessionProofKeys& keys) const;

private:
    [[nodiscard]] transport::SessionProofKeys keys_of(const TicketNonce& nonce) const;

    crypto::Mac key_;
};

}  // namespace wt::session
