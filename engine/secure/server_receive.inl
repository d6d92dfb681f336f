// SPDX-License-Identifier: MIT
//
// ServerEndpoint: what comes in, up to the question to the join authority. Every early return is a
// refusal that changed nothing but its counter.
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/frame_refusal.hpp"
#include "engine/secure/server_endpoint.hpp"

namespace wt::secure {

template <Suite S>
void ServerEndpoint<S>::receive(Instant now, const transport::Address& from, ConstBytes datagram,
                                const transport::Label& label) {
    now_ = now;
    if (datagram.size() > transport::datagram_bytes_max) {
        return own_.count(transport::Refusal::too_long);
    }
    WireKind kind{};
    const FrameStatus frame = read_frame(datagram, kind);
    if (frame != FrameStatus::ok) return own_.count(refusal_of(frame));
    switch (kind) {
        case WireKind::reliable:
        case WireKind::sequenced:
        case WireKind::unreliable:
        case WireKind::ack:
        case WireKind::keepalive:
        case WireKind::close:
        case WireKind::path_challenge:
        case WireKind::path_response:
            return receive_session(now, from, datagram, label);
        case WireKind::request:
        case WireKind::join:
            return receive_request(now, from, kind, datagram);
        case WireKind::challenge:
        case WireKind::accept:
        case WireKind::reject:
            return own_.count(transport::Refusal::unexpected);
    }
}

template <Suite S>
void ServerEndpoint<S>::receive_session(Instant now, const transport::Address& from,
                                        ConstBytes datagram, const transport::Label& label) {
    bool is_inhabited = false;
    if (receive_here(now, from, datagram, label, is_inhabited)) return;
    // Nobody's here: of somebody, perhaps, who lived elsewhere a moment ago.
    const Search search = is_inhabited ? Search::neighbour : Search::stranger;
    if (receive_elsewhere(now, from, datagram, label, search) || is_inhabited) return;
    own_.count(transport::Refusal::unknown_source);
}

// As far as those go who live at this address.
template <Suite S>
bool ServerEndpoint<S>::receive_here(Instant now, const transport::Address& from,
                                     ConstBytes datagram, const transport::Label& label,
                                     bool& is_inhabited) {
    const std::uint32_t attempt = attempts_.find(from);
    const bool unconfirmed = attempt != none && attempts_.at(attempt).is_accepted();
    const std::uint32_t peer = connected_at_.find(from);
    is_inhabited = unconfirmed || peer != none;
    if (!is_inhabited) return false;
    if (unconfirmed && peer == none) return receive_unconfirmed(now, attempt, datagram, label);
    // Where a newer session waits beside the old one, the tag says whose the datagram is.
    if (unconfirmed && peers_.connection_of(attempts_.at(attempt).peer).is_authentic(datagram)) {
        ++own_.opened;
        return receive_unconfirmed(now, attempt, datagram, label);
    }
    return peers_.receive(now, peer, datagram, label);
}

// The client proves that it holds the session's keys, and so that it took our accept: only now is
// the application told, and only now does an older session of this address end.
template <Suite S>
bool ServerEndpoint<S>::receive_unconfirmed(Instant now, std::uint32_t attempt, ConstBytes datagram,
                                            const transport::Label& label) {
    const std::uint32_t peer = attempts_.at(attempt).peer;
    if (!peers_.receive(now, peer, datagram, label) && !mutated<"confirmed-first">()) return false;
    if (peers_.is_over(peer)) {
        // Its first words were a goodbye: it would not have what the accept said.
        drop_attempt(attempt, transport::CloseReason::remote);
        return true;
    }
    confirm(attempt);
    return true;
}

template <Suite S>
void ServerEndpoint<S>::confirm(std::uint32_t index) {
    const transport::Address address = attempts_.at(index).address;
    const std::uint32_t peer = attempts_.at(index).peer;
    const std::uint32_t old = connected_at_.find(address);
    if (old != none) {
        if (!mutated<"f14-old-life">()) peers_.end(old, transport::CloseReason::superseded);
    } else {
        --newcomers_;
        ++connected_;
    }
    connected_at_.put(address, peer);
    peers_.announce(peer);
    attempts_.end(index);
}

template <Suite S>
void ServerEndpoint<S>::receive_request(Instant now, const transport::Address& from, WireKind kind,
                                        ConstBytes datagram) {
    if (datagram.size() != request_bytes) {
        return own_.count(datagram.size() < request_bytes ? transport::Refusal::too_short
                                                          : transport::Refusal::too_long);
    }
    const std::optional<Request> request = read_request(datagram);
    if (!request.has_value()) return own_.count(transport::Refusal::bad_handshake);
    // A probe of a client whose session we still hold: silence, and its session goes on.
    // So is one of a client that we still hear of, only not from there.
    const bool is_held = is_known(from, *request) || note_named(now, from, *request);
    if (is_held && !mutated<"own-probe">()) return own_.count(transport::Refusal::unexpected);

    const bool has_cookie =
        mutated<"challenge-first">() ||
        (kind == WireKind::join && is_cookie_of<S>(cookie_secret_, from, now, request->cookie));
    if (!has_cookie) {
        // A cookie of another life or another address is answered like none at all, so that a
        // client in the middle of our restart finds its way.
        if (kind == WireKind::join) {
            own_.count(transport::Refusal::bad_cookie);
        } else {
            ++own_.datagrams_received;
            own_.bytes_received += datagram.size();
        }
        return reply({.to = from, .kind = WireKind::challenge, .attempt = request->attempt});
    }
    ++own_.datagrams_received;
    own_.bytes_received += datagram.size();
    receive_join(now, from, *request);
}

template <Suite S>
void ServerEndpoint<S>::receive_join(Instant now, const transport::Address& from,
                                     const Request& request) {
    expire_attempts(now);
    const std::uint32_t pending = attempts_.find(from);
    if (pending != none && attempts_.at(pending).request.attempt == request.attempt &&
        !mutated<"same-attempt">()) {
        // The same attempt again: our accept was lost, or the authority is still thinking.
        if (!attempts_.at(pending).is_accepted()) return;
        return reply({.to = from,
                      .kind = WireKind::accept,
                      .attempt = request.attempt,
                      .accepted = attempts_.id_of(pending)});
    }
    // Nor when it comes from another address than before, with that one's cookie.
    const std::uint32_t same = attempts_.find_same(request);
    if (same != none && !mutated<"join-moves">()) {
        move_attempt(same, from);
        if (!attempts_.at(same).is_accepted()) return;
        return reply({.to = from,
                      .kind = WireKind::accept,
                      .attempt = request.attempt,
                      .accepted = attempts_.id_of(same)});
    }
    if (!may_begin(from, request)) return;
    if (pending != none) drop_attempt(pending, transport::CloseReason::superseded);
    attempts_.begin(from, request, now + config_.attempt_timeout);
}

// Protocol version, required capabilities, room, pending attempts, authorisations under way: in
// this order. Full queues are passing troubles: the client is not refused, it asks again.
template <Suite S>
bool ServerEndpoint<S>::may_begin(const transport::Address& from, const Request& request) {
    using transport::CloseReason;
    using transport::Refusal;
    if (request.protocol_version != config_.protocol_version && !mutated<"version-check">()) {
        refuse(from, request.attempt, Refusal::protocol_version, CloseReason::refused_version);
        return false;
    }
    if ((config_.features.required & ~request.features) != 0 && !mutated<"required-features">()) {
        refuse(from, request.attempt, Refusal::capabilities, CloseReason::refused_capabilities);
        return false;
    }
    if (is_full(from)) {
        refuse(from, request.attempt, Refusal::server_full, CloseReason::refused_full);
        return false;
    }
    // An older attempt of this address makes room for the new one.
    const std::uint32_t old = attempts_.find(from);
    const std::uint32_t old_pending = old == none ? 0 : 1;
    const std::uint32_t old_asked = old != none && attempts_.is_asked(old) ? 1 : 0;
    if (attempts_.pending_count() - old_pending >= config_.pending_max &&
        !mutated<"pending-limit">()) {
        own_.count(Refusal::pending_full);
        return false;
    }
    if (attempts_.asked_count() - old_asked >= config_.authorising_max &&
        !mutated<"authorising-limit">()) {
        own_.count(Refusal::authorising_full);
        return false;
    }
    if (!attempts_.has_room(old != none)) {
        own_.count(Refusal::inbox_full);
        return false;
    }
    return true;
}

template <Suite S>
bool ServerEndpoint<S>::is_known(const transport::Address& from, const Request& request) const {
    const std::uint32_t peer = connected_at_.find(from);
    if (peer == none || peers_.is_over(peer)) return false;
    const std::uint64_t attempt = peers_.facts_of(peer).attempt;
    return attempt == request.previous || attempt == request.attempt;
}

// A join from an address that is connected already takes over its place.
template <Suite S>
bool ServerEndpoint<S>::is_full(const transport::Address& from) const {
    if (connected_at_.find(from) != none || mutated<"peers-max">()) return false;
    return connected_ + newcomers_ >= config_.peers_max;
}

template <Suite S>
void ServerEndpoint<S>::refuse(const transport::Address& to, std::uint64_t attempt,
                               transport::Refusal why, transport::CloseReason reason) {
    own_.count(why);
    reply({.to = to, .kind = WireKind::reject, .attempt = attempt, .reason = reason});
}

template <Suite S>
void ServerEndpoint<S>::reply(const Reply& what) {
    if (!replies_.push(what)) own_.count(transport::Refusal::inbox_full);
}

}  // namespace wt::secure
