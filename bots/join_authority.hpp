// SPDX-License-Identifier: MIT
//
// Who decides which tokens may join, and knows the keys that prove a session-bound join. Both
// sides of a run ask the same authority: the bot when it buys its ticket, the server when a ticket
// is shown. It stands for a service outside the process, so its answers take time.
#pragma once

#include <array>
#include <cstdint>

#include "engine/transport/event.hpp"

namespace wt::bots {

class JoinAuthority {
public:
    static constexpr std::size_t token_bytes = 24;

    explicit JoinAuthority(std::uint64_t secret) : secret_(secret) {}

    struct Ticket {
        std::array<std::uint8_t, 16> session{};
        std::array<std::uint8_t, token_bytes> token{};
        transport::SessionProofKeys keys{};
    };
    // `visit` tells tickets of one player apart.
    [[nodiscard]] Ticket ticket_for(transport::PlayerId player, std::uint64_t visit) const;

    // Whether a shown token is one that this authority gave out for the session, and for whom.
    [[nodiscard]] transport::AuthorisationAnswer judge(
        const transport::AuthorisationAsked& asked) const;

private:
    [[nodiscard]] std::array<std::uint8_t, 16> session() const;
    [[nodiscard]] std::uint64_t check_word(std::uint64_t player, std::uint64_t visit) const;
    [[nodiscard]] transport::SessionProofKeys keys_of(std::uint64_t player,
                                                      std::uint64_t visit) const;

    std::uint64_t secret_;
};

}  // namespace wt::bots
