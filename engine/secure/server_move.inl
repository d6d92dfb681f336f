// SPDX-License-Identifier: MIT
//
// ServerEndpoint: sessions and attempts whose client is heard from a new address. A session moves
// when a challenge under its keys was answered from there and never before; an attempt, which has
// no keys yet, when a cookie came back from there. What is looked for costs a bounded number of
// tags, and only so many searches a second.  README.md, "a new address".
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/server_endpoint.hpp"

namespace wt::secure {

// A datagram that belongs to nobody who lives at `from`. True if it was a session's all the same.
template <Suite S>
bool ServerEndpoint<S>::receive_elsewhere(Instant now, const transport::Address& from,
                                          ConstBytes datagram, const transport::Label& label,
                                          Search search) {
    if (config_.rebind == Rebind::refuse && !mutated<"rebind-refuse">()) return false;
    const std::uint32_t peer = find_moved(now, from, datagram, search);
    if (peer == none) return false;
    ++own_.opened;  // The trial; the one that counts is the connection's.
    const transport::Address before = peers_.connection_of(peer).path().candidate();
    bool proven = false;
    if (!peers_.receive_elsewhere(now, peer, from, datagram, label, proven)) return false;
    if (proven || mutated<"path-unasked">()) {
        forget_candidate(peer, from);
        move_peer(peer, from);
        return true;
    }
    const PathValidation& path = peers_.connection_of(peer).path();
    if (path.is_active() && path.candidate() == from && candidates_at_.find(from) != peer) {
        forget_candidate(peer, before);
        candidates_at_.put(from, peer);
    }
    return true;
}

// Whose datagram it is: the session that is being challenged at this address, the one that a probe
// from somewhere named, or one of those that have fallen silent.
template <Suite S>
std::uint32_t ServerEndpoint<S>::find_moved(Instant now, const transport::Address& from,
                                            ConstBytes datagram, Search search) {
    const std::uint32_t candidate = candidates_at_.find(from);
    if (candidate != none) {
        const Connection<S>& connection = peers_.connection_of(candidate);
        const bool is_current =
            connection.path().is_active() && connection.path().candidate() == from;
        if (!is_current) {
            candidates_at_.remove(from);
        } else if (connection.is_authentic(datagram)) {
            return candidate;
        }
    }
    if (named_attempt_ != 0 && named_at_ == from && may_search(now, Search::probe)) {
        const std::uint32_t named = peers_.find_attempt(named_attempt_);
        if (named != none && peers_.connection_of(named).is_authentic(datagram)) return named;
    }
    if (!may_search(now, search)) return none;
    return peers_.find_silent(now, datagram, own_);
}

// A steady rate with a burst: `free_at` is when the budget would be whole again.
template <Suite S>
bool ServerEndpoint<S>::may_search(Instant now, Search search) {
    constexpr Duration burst = search_interval * (search_burst - 1);
    Instant& free_at = search_free_at_[static_cast<unsigned>(search)];
    if (free_at > now + burst && !mutated<"search-budget">()) return false;
    free_at = std::max(free_at, now) + search_interval;
    return true;
}

// A probe of a client whose session lives elsewhere is a hint for what else comes from there, and
// no proof: anybody who saw the probe could send it again.
template <Suite S>
bool ServerEndpoint<S>::note_named(Instant now, const transport::Address& from,
                                   const Request& request) {
    if (config_.rebind == Rebind::refuse || request.previous == 0) return false;
    if (!may_search(now, Search::probe) || peers_.find_attempt(request.previous) == none)
        return false;
    named_attempt_ = request.previous;
    named_at_ = from;
    return true;
}

template <Suite S>
void ServerEndpoint<S>::forget_candidate(std::uint32_t peer, const transport::Address& address) {
    if (candidates_at_.find(address) == peer) candidates_at_.remove(address);
}

template <Suite S>
void ServerEndpoint<S>::move_peer(std::uint32_t peer, const transport::Address& to) {
    const transport::Address from = peers_.facts_of(peer).address;
    if (!peers_.is_announced(peer)) {
        // Its client took the accept and changed its address before its first word came.
        const std::uint32_t attempt = attempts_.find(from);
        WT_CHECK(attempt != none);
        WT_CHECK(attempts_.at(attempt).peer == peer);
        move_attempt(attempt, to);
        return confirm(attempts_.find(to));
    }
    if (connected_at_.find(from) == peer) {
        connected_at_.remove(from);
        if (has_newcomer(from)) ++newcomers_;
    }
    const std::uint32_t other = connected_at_.find(to);
    // Two clients behind one translator may have changed places: the other one is still a session,
    // and finds its own new address as this one did.
    if (other != none) peers_.set_displaced(other, true);
    if (other == none && has_newcomer(to)) --newcomers_;
    peers_.set_displaced(peer, false);
    connected_at_.put(to, peer);
    peers_.move(peer, to);
}

// The same attempt from another address; one that was under way there makes room for it.
template <Suite S>
void ServerEndpoint<S>::move_attempt(std::uint32_t attempt, const transport::Address& to) {
    const std::uint32_t there = attempts_.find(to);
    if (there != none) drop_attempt(there, transport::CloseReason::superseded);
    const transport::Address from = attempts_.at(attempt).address;
    attempts_.move(attempt, to);
    if (!attempts_.at(attempt).is_accepted()) return;
    if (connected_at_.find(from) == none) --newcomers_;
    if (connected_at_.find(to) == none) ++newcomers_;
    peers_.move(attempts_.at(attempt).peer, to);
}

// Whether a peer waits at this address that would be a newcomer if nobody else lived there.
template <Suite S>
bool ServerEndpoint<S>::has_newcomer(const transport::Address& address) const {
    const std::uint32_t attempt = attempts_.find(address);
    return attempt != none && attempts_.at(attempt).is_accepted();
}

}  // namespace wt::secure
