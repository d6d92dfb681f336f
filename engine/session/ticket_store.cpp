// SPDX-License-Identifier: MIT
#include "engine/session/ticket_store.hpp"

#include <algorithm>
#include <limits>

#include "engine/base/mutated.hpp"

namespace wt::session {

TicketStore::TicketStore(std::uint32_t capacity, TicketMemory memory)
    : capacity_(capacity), earliest_(std::numeric_limits<std::uint64_t>::max()), memory_(memory) {}

TicketVerdict TicketStore::use(const Ticket& ticket, std::uint64_t now_seconds) {
    forget_expired(now_seconds);
    const auto at = std::lower_bound(
        used_.begin(), used_.end(), ticket.nonce,
        [](const Use& use, const TicketNonce& nonce) { return use.nonce < nonce; });
    if (at != used_.end() && at->nonce == ticket.nonce && !mutated<"ticket-once">())
        return TicketVerdict::used;
    if (used_.size() >= capacity_ && mutated<"ticket-store-full">()) used_.clear();
    if (used_.size() >= capacity_) return TicketVerdict::store_full;
    used_.insert(at, {.nonce = ticket.nonce, .expires = ticket.expires});
    earliest_ = std::min(earliest_, ticket.expires);
    return TicketVerdict::ok;
}

void TicketStore::restart() {
    if (memory_ == TicketMemory::survives && !mutated<"ticket-restart">()) return;
    used_.clear();
    earliest_ = std::numeric_limits<std::uint64_t>::max();
}

void TicketStore::forget_expired(std::uint64_t now_seconds) {
    // A ticket is good through its last second, so it is remembered through it.
    if (now_seconds <= earliest_) return;
    const std::uint64_t early = mutated<"ticket-last-second">() ? 1 : 0;
    std::erase_if(used_, [&](const Use& use) { return now_seconds + early > use.expires; });
    earliest_ = std::numeric_limits<std::uint64_t>::max();
    for (const Use& use : used_)
        earliest_ = std::min(earliest_, use.expires);
}

}  // namespace wt::session
