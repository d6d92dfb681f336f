// SPDX-License-Identifier: MIT
//
// ClientEndpoint: what comes in. Every early return is a refusal that changed nothing but its
// counter; in particular an accept that is not proven leaves the attempt waiting for a better one.
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/client_endpoint.hpp"
#include "engine/secure/frame_refusal.hpp"

namespace wt::secure {

template <Suite S>
void ClientEndpoint<S>::receive(Instant now, const transport::Address& from, ConstBytes datagram,
                                const transport::Label& label) {
    using transport::Refusal;
    now_ = now;
    if (datagram.size() > transport::datagram_bytes_max) return own_.count(Refusal::too_long);
    WireKind kind{};
    const FrameStatus frame = read_frame(datagram, kind);
    if (frame != FrameStatus::ok) return own_.count(refusal_of(frame));
    if (from != server_ && !mutated<"server-address">()) return own_.count(Refusal::unknown_source);
    switch (kind) {
        case WireKind::reliable:
        case WireKind::sequenced:
        case WireKind::unreliable:
        case WireKind::ack:
        case WireKind::keepalive:
        case WireKind::close:
        case WireKind::path_challenge:
        case WireKind::path_response:
            return receive_session(now, datagram, label);
        case WireKind::challenge:
            return receive_challenge(now, datagram);
        case WireKind::accept:
            return receive_accept(now, datagram);
        case WireKind::reject:
            return receive_reject(datagram);
        case WireKind::request:
        case WireKind::join:
            return own_.count(Refusal::unexpected);
    }
}

template <Suite S>
void ClientEndpoint<S>::receive_session(Instant now, ConstBytes datagram,
                                        const transport::Label& label) {
    if (current_ == none || peers_.is_over(current_)) {
        return own_.count(transport::Refusal::unknown_source);
    }
    const bool authentic = peers_.receive(now, current_, datagram, label);
    // The server has not forgotten us after all.
    if (authentic && is_attempting_ && attempt_.is_probe) stop_attempt();
}

template <Suite S>
void ClientEndpoint<S>::receive_challenge(Instant now, ConstBytes datagram) {
    using transport::Refusal;
    const std::optional<Challenge> challenge = read_challenge(datagram);
    if (!challenge.has_value()) return own_.count(Refusal::bad_handshake);
    if (!is_attempting_ ||
        (challenge->attempt != attempt_.request.attempt && !mutated<"attempt-name">())) {
        return own_.count(Refusal::unexpected);
    }
    ++own_.datagrams_received;
    own_.bytes_received += datagram.size();
    if (attempt_.has_cookie && attempt_.request.cookie == challenge->cookie) return;
    attempt_.request.cookie = challenge->cookie;
    attempt_.has_cookie = true;
    attempt_.next_request = now;
}

template <Suite S>
void ClientEndpoint<S>::receive_reject(ConstBytes datagram) {
    using transport::Refusal;
    const std::optional<Reject> reject = read_reject(datagram);
    if (!reject.has_value()) return own_.count(Refusal::bad_handshake);
    if (!is_attempting_ || reject->attempt != attempt_.request.attempt) {
        return own_.count(Refusal::unexpected);
    }
    ++own_.datagrams_received;
    own_.bytes_received += datagram.size();
    fail_attempt(reject->reason);
}

template <Suite S>
void ClientEndpoint<S>::receive_accept(Instant now, ConstBytes datagram) {
    using transport::Refusal;
    const std::optional<Accept> accept = read_accept(datagram);
    if (!accept.has_value()) return own_.count(Refusal::bad_handshake);
    if (!is_attempting_ || accept->attempt != attempt_.request.attempt) {
        return own_.count(Refusal::unexpected);
    }
    if (!is_accept_proven(*accept)) {
        attempt_.saw_bad_accept = true;
        return own_.count(Refusal::bad_accept_proof);
    }
    const auto bytes = datagram.template first<accept_bytes>();
    SessionKeys keys;
    if (!derive_session_keys<S>({.own_secret = attempt_.secret,
                                 .client_key = attempt_.request.client_key,
                                 .server_key = accept->server_key,
                                 .is_client = true},
                                bytes, keys)) {
        attempt_.saw_bad_accept = true;
        return own_.count(Refusal::bad_public_key);
    }
    if (!is_accept_authentic<S>(keys.packet_in, bytes) && !mutated<"accept-tag">()) {
        wipe_keys(keys);
        attempt_.saw_bad_accept = true;
        return own_.count(Refusal::bad_tag);
    }
    ++own_.opened;
    ++own_.datagrams_received;
    own_.bytes_received += datagram.size();
    take_session(now, *accept, keys, complaint_about(*accept));
    wipe_keys(keys);
}

// A client that brought session keys takes nothing less than their proof; one without them takes
// an unbound session where its configuration says so.
template <Suite S>
bool ClientEndpoint<S>::is_accept_proven(const Accept& accept) const {
    if (accept.session_bound != keys_.has_value()) return mutated<"accept-kind">();
    if (!keys_.has_value()) return config_.allow_unbound || mutated<"accept-unbound">();
    if (mutated<"accept-proof">()) return true;
    return S::verify(keys_->accept_key, accept_transcript(attempt_.request.client_key, accept),
                     accept.accept_proof);
}

// Why this client will not go on with a server that is proven to be the right one; none if it will.
template <Suite S>
transport::CloseReason ClientEndpoint<S>::complaint_about(const Accept& accept) const {
    using transport::CloseReason;
    if (accept.protocol_version != config_.protocol_version) return CloseReason::refused_version;
    const std::uint32_t missing = config_.features.required & ~accept.features;
    if (missing != 0 && !mutated<"accept-features">()) return CloseReason::missing_capability;
    const bool can_follow =
        accept.tick_rate >= config_.tick_rate_min && accept.tick_rate <= config_.tick_rate_max;
    return can_follow || mutated<"accept-tick-rate">() ? CloseReason::none
                                                       : CloseReason::unsupported_tick_rate;
}

template <Suite S>
void ClientEndpoint<S>::take_session(Instant now, const Accept& accept, const SessionKeys& keys,
                                     transport::CloseReason complaint) {
    using transport::CloseReason;
    const bool was_probe = attempt_.is_probe;
    if (!peers_.has_room()) return own_.count(transport::Refusal::inbox_full);
    const std::uint32_t peer = peers_.open(now, keys, config_.connection,
                                           {.address = server_,
                                            .player = accept.player,
                                            .tick_rate = accept.tick_rate,
                                            .session_bound = accept.session_bound,
                                            .is_client = true,
                                            .attempt = attempt_.request.attempt});
    stop_attempt();
    if (complaint != CloseReason::none) {
        own_.count(complaint == CloseReason::refused_version ? transport::Refusal::protocol_version
                                                             : transport::Refusal::capabilities);
        // The server learns why from a session that never was announced.
        peers_.close(now, peer, complaint);
        if (!was_probe) current_ = peer;
        probe_not_before_ = now + config_.attempt_timeout;
        return;
    }
    // First that it is in, then that the session before has ended: whoever hears the end knows
    // already that there is nothing to come back to.
    peers_.announce(peer);
    if (current_ != none) peers_.end(current_, CloseReason::superseded);
    current_ = peer;
}

}  // namespace wt::secure
