// SPDX-License-Identifier: MIT
//
// Stands for the account service of the real world: sells players tickets that a server, which
// shares its key, can judge alone. In a run both know the key from the seed.
// Spec: 001, lifecycle and security.
#pragma once

#include <cstdint>

#include "engine/base/rng.hpp"
#include "engine/session/ticket.hpp"

namespace wt::bots {

// How a process that is one of several buys its tickets: with the office's clock, and with visits
// that no process before it has used. A run has one process and needs neither.
struct TicketBook {
    Duration office_ahead{};  // Of the world's time.
    std::uint64_t visits_before = 0;
};

class TicketOffice {
public:
    // Which servers the tickets are good for: all of a run are one group.
    static constexpr std::uint64_t audience = 1;
    // How long a ticket is good. Longer than a client tries with one.
    static constexpr Duration lifetime = Duration::seconds(60);

    explicit TicketOffice(std::uint64_t secret, const TicketBook& book = {})
        : secret_(secret), book_(book) {}

    // `visit` tells tickets of one player apart: each is good once. Bound to the session that a
    // join proves, or, over a transport without authentication, to none: there the hello shows it.
    [[nodiscard]] session::IssuedTicket sell(transport::PlayerId player, std::uint64_t visit,
                                             Instant now, bool is_bound = true) const;
    // What a server judges by.
    [[nodiscard]] session::TicketAuthority authority() const;

private:
    std::uint64_t secret_;
    TicketBook book_;
};

}  // namespace wt::bots
