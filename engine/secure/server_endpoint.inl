// SPDX-License-Identifier: MIT
//
// Definitions of ServerEndpoint, for the files that instantiate it: the seam's calls. What comes in
// is in server_receive.inl, how attempts become connections in server_join.inl.
#pragma once

#include "engine/secure/peer_set.inl"
#include "engine/secure/secure_capabilities.hpp"
#include "engine/secure/server_endpoint.hpp"
#include "engine/secure/server_join.inl"
#include "engine/secure/server_move.inl"
#include "engine/secure/server_receive.inl"

namespace wt::secure {

template <Suite S>
ServerEndpoint<S>::ServerEndpoint(const ServerConfig& config, Entropy entropy)
    : config_(config),
      entropy_(entropy),
      capabilities_(secure_capabilities(config.peers_max)),
      // Peers that are over keep their place until their last events are drained, and all of them
      // may be superseded or replaced in between.
      peers_(2 * (config.peers_max + config.pending_max), config.buffers),
      attempts_(config.pending_max, entropy_),
      connected_at_(config.peers_max, entropy_),
      candidates_at_(2 * (config.peers_max + config.pending_max), entropy_),
      replies_(config.replies_max) {
    WT_CHECK(crypto::crypto_ready());
    draw_secrets();
}

template <Suite S>
void ServerEndpoint<S>::draw_secrets() {
    entropy_.fill(cookie_secret_);
}

template <Suite S>
void ServerEndpoint<S>::advance(Instant now) {
    now_ = now;
    expire_attempts(now);
    peers_.advance(now);
}

template <Suite S>
transport::ConnectStatus ServerEndpoint<S>::connect(Instant, const transport::ConnectRequest&) {
    return transport::ConnectStatus::unsupported;
}

template <Suite S>
transport::SendStatus ServerEndpoint<S>::send(Instant now, transport::ConnectionId to,
                                              const transport::Message& message) {
    const std::uint32_t peer = peers_.find(to);
    if (peer == none) return transport::SendStatus::not_connected;
    now_ = now;
    return peers_.send(now, peer, message);
}

template <Suite S>
bool ServerEndpoint<S>::close(Instant now, transport::ConnectionId connection,
                              transport::CloseReason reason) {
    const std::uint32_t peer = peers_.find(connection);
    if (peer == none || peers_.is_over(peer)) return false;
    now_ = now;
    peers_.close(now, peer, reason);
    return true;
}

template <Suite S>
void ServerEndpoint<S>::restart(Instant now) {
    now_ = now;
    replies_.clear();
    attempts_.forget_all(entropy_);
    connected_at_.clear(entropy_);
    candidates_at_.clear(entropy_);
    named_attempt_ = 0;
    peers_.forget_all();
    connected_ = 0;
    newcomers_ = 0;
    draw_secrets();
}

template <Suite S>
bool ServerEndpoint<S>::next_datagram(Instant now, transport::Datagram& out) {
    return next_reply(now, out) || peers_.next_datagram(now, out);
}

template <Suite S>
bool ServerEndpoint<S>::next_reply(Instant now, transport::Datagram& out) {
    while (!replies_.empty()) {
        const Reply what = replies_.front();
        replies_.pop();
        out.label = {};
        if (what.kind == WireKind::challenge) {
            out.size = challenge_bytes;
            write_challenge(
                {.attempt = what.attempt,
                 .cookie = make_cookie<S>(cookie_secret_, what.to, cookie_bucket_at(now))},
                out.room.template first<challenge_bytes>());
            out.label.add(transport::Kind::challenge);
        } else if (what.kind == WireKind::reject) {
            out.size = reject_bytes;
            write_reject({.attempt = what.attempt, .reason = what.reason},
                         out.room.template first<reject_bytes>());
            out.label.add(transport::Kind::reject);
        } else {
            const std::uint32_t index = attempts_.find(what.accepted);
            if (index == none) continue;  // It ended before this could leave.
            const auto& bytes = attempts_.at(index).accept;
            out.size = bytes.size();
            std::copy(bytes.begin(), bytes.end(), out.room.begin());
            out.label.add(transport::Kind::accept);
        }
        out.to = what.to;
        out.connection = {};
        ++own_.datagrams_sent;
        own_.bytes_sent += out.size;
        return true;
    }
    return false;
}

template <Suite S>
bool ServerEndpoint<S>::next_event(transport::Event& out) {
    if (attempts_.next_event(out)) return true;
    std::uint32_t ended = none;
    if (!peers_.next_event(out, ended)) return false;
    if (ended == none) return true;
    forget_peer(ended);
    return true;
}

template <Suite S>
void ServerEndpoint<S>::forget_peer(std::uint32_t peer) {
    const transport::Address address = peers_.facts_of(peer).address;
    const std::uint32_t attempt = attempts_.find(address);
    const bool unconfirmed = attempt != none && attempts_.at(attempt).is_accepted();
    if (connected_at_.find(address) == peer) {
        connected_at_.remove(address);
        --connected_;
        // A newer session that waited to take this place over is now a newcomer.
        if (unconfirmed) ++newcomers_;
    } else if (unconfirmed && attempts_.at(attempt).peer == peer) {
        drop_attempt(attempt, transport::CloseReason::no_answer);
    } else if (peers_.facts_of(peer).is_displaced) {
        --connected_;
    }
    forget_candidate(peer, peers_.connection_of(peer).path().candidate());
    peers_.release(peer);
}

template <Suite S>
bool ServerEndpoint<S>::next_sample(transport::Sample& out) {
    return peers_.next_sample(out);
}

template <Suite S>
Instant ServerEndpoint<S>::next_deadline() const {
    if (!replies_.empty()) return now_;
    const Instant peers = peers_.next_deadline();
    if (attempts_.oldest() == none) return peers;
    return std::min(peers, attempts_.at(attempts_.oldest()).deadline);
}

template <Suite S>
const transport::Capabilities& ServerEndpoint<S>::capabilities() const {
    return capabilities_;
}

template <Suite S>
const transport::Counters& ServerEndpoint<S>::counters() const {
    sum_ = own_;
    peers_.add_counters(sum_);
    return sum_;
}

template <Suite S>
const transport::Counters* ServerEndpoint<S>::counters_of(
    transport::ConnectionId connection) const {
    const std::uint32_t peer = peers_.find(connection);
    return peer == none ? nullptr : &peers_.connection_of(peer).counters();
}

template <Suite S>
bool ServerEndpoint<S>::levels_of(Instant now, transport::ConnectionId connection,
                                  transport::ConnectionLevels& out) const {
    const std::uint32_t peer = peers_.find(connection);
    if (peer == none) return false;
    peers_.connection_of(peer).levels(now, out);
    return true;
}

}  // namespace wt::secure
