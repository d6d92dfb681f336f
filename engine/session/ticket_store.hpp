// SPDX-License-Identifier: MIT
//
// Which tickets were used: each once, remembered until it expires. Bounded: when it is full of
// tickets that may still be replayed, newcomers are refused, not old uses forgotten.
#pragma once

#include <vector>

#include "engine/session/ticket.hpp"

namespace wt::session {

// What a restarted server process knows of used tickets. `lost` is the declared weakness of a
// server without storage: until it expires, a used ticket passes once more after each restart.
enum class TicketMemory : std::uint8_t { survives, lost };

class TicketStore {
public:
    TicketStore(std::uint32_t capacity, TicketMemory memory);

    // Marks the ticket as used: ok, used or store_full; only ok changes anything but the removal
    // of expired ones.
    [[nodiscard]] TicketVerdict use(const Ticket& ticket, std::uint64_t now_seconds);
    void restart();

    [[nodiscard]] std::size_t size() const { return used_.size(); }

private:
    struct Use {
        TicketNonce nonce{};
        std::uint64_t expires = 0;
    };

    void forget_expired(std::uint64_t now_seconds);

    std::vector<Use> used_{};  // Ordered by nonce.
    std::uint32_t capacity_ = 0;
    std::uint64_t earliest_ = 0;  // No use expires before; saves looking.
    TicketMemory memory_ = TicketMemory::survives;
};

}  // namespace wt::session
