// SPDX-License-Identifier: MIT
//
// Definitions of ClientEndpoint, for the files that instantiate it: the seam's calls, attempts and
// probes. What comes in is in client_receive.inl.
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/client_endpoint.hpp"
#include "engine/secure/client_receive.inl"
#include "engine/secure/peer_set.inl"
#include "engine/secure/secure_capabilities.hpp"

namespace wt::secure {

template <Suite S>
ClientEndpoint<S>::ClientEndpoint(const ClientConfig& config, Entropy entropy)
    : config_(config),
      entropy_(entropy),
      capabilities_(secure_capabilities(1)),
      peers_(peers_max, config.buffers) {
    WT_CHECK(crypto::crypto_ready());
}

template <Suite S>
transport::ConnectStatus ClientEndpoint<S>::connect(Instant now,
                                                    const transport::ConnectRequest& request) {
    using transport::ConnectStatus;
    if (is_attempting_ || current_ != none || failed_.has_value()) return ConnectStatus::busy;
    if (request.token.size() > transport::token_bytes_max) return ConnectStatus::bad_token;
    now_ = now;
    server_ = request.server;
    session_ = request.session;
    token_ = {};
    std::copy(request.token.begin(), request.token.end(), token_.begin());
    token_bytes_ = static_cast<std::uint16_t>(request.token.size());
    keys_ = request.keys;
    begin_attempt(now, false);
    return ConnectStatus::ok;
}

template <Suite S>
void ClientEndpoint<S>::begin_attempt(Instant now, bool is_probe) {
    attempt_ = {};
    attempt_.is_probe = is_probe;
    attempt_.next_request = now;
    attempt_.deadline = now + config_.attempt_timeout;
    Request& request = attempt_.request;
    request.protocol_version = config_.protocol_version;
    request.features = config_.features.offered;
    std::array<std::uint8_t, 8> name{};
    entropy_.fill(name);
    request.attempt = load_u64(name.data());
    // 0 means "no attempt" on the wire.
    if (request.attempt == 0) request.attempt = 1;
    request.previous = has_session() ? peers_.facts_of(current_).attempt : 0;
    S::make_key_pair(entropy_, attempt_.secret, request.client_key);
    request.session = session_;
    request.token_bytes = token_bytes_;
    request.token = token_;
    request.session_bound = keys_.has_value();
    if (keys_.has_value()) S::prove(keys_->join_key, join_transcript(request), request.join_proof);
    is_attempting_ = true;
}

template <Suite S>
void ClientEndpoint<S>::stop_attempt() {
    is_attempting_ = false;
    crypto::wipe(attempt_.secret);
}

// A failed probe is nobody's business but ours: the session goes on being silent.
template <Suite S>
void ClientEndpoint<S>::fail_attempt(transport::CloseReason reason) {
    WT_CHECK(is_attempting_);
    stop_attempt();
    if (attempt_.is_probe && !mutated<"probe-quiet">()) {
        probe_not_before_ = now_ + config_.attempt_timeout;
        return;
    }
    WT_CHECK(!failed_.has_value());
    failed_ = transport::Closed{.connection = {}, .reason = reason, .was_connected = false};
}

template <Suite S>
void ClientEndpoint<S>::advance(Instant now) {
    using transport::CloseReason;
    now_ = now;
    peers_.advance(now);
    if (is_attempting_ && attempt_.is_probe && !has_session()) stop_attempt();
    if (is_attempting_ && attempt_.deadline <= now) {
        const bool retries = attempt_.is_probe;
        fail_attempt(attempt_.saw_bad_accept ? CloseReason::bad_accept_proof
                                             : CloseReason::no_answer);
        // One attempt is what a forged challenge can cost; the next one begins at once.
        if (retries) probe_not_before_ = now;
    }
    probe_if_silent(now);
}

template <Suite S>
void ClientEndpoint<S>::probe_if_silent(Instant now) {
    if (!is_attempting_ && probe_time() <= now) begin_attempt(now, true);
}

template <Suite S>
bool ClientEndpoint<S>::has_session() const {
    return current_ != none && peers_.is_announced(current_) &&
           peers_.connection_of(current_).is_open();
}

template <Suite S>
Instant ClientEndpoint<S>::probe_time() const {
    if (!has_session()) return Instant::never();
    const Instant silent =
        peers_.connection_of(current_).last_authentic() +
        config_.connection.keepalive * (mutated<"probe-after-three">() ? 2 : silent_intervals);
    return std::max(silent, probe_not_before_);
}

template <Suite S>
transport::SendStatus ClientEndpoint<S>::send(Instant now, transport::ConnectionId to,
                                              const transport::Message& message) {
    const std::uint32_t peer = peers_.find(to);
    if (peer == none) return transport::SendStatus::not_connected;
    now_ = now;
    return peers_.send(now, peer, message);
}

template <Suite S>
bool ClientEndpoint<S>::close(Instant now, transport::ConnectionId connection,
                              transport::CloseReason reason) {
    now_ = now;
    if (!connection.is_valid()) {
        if (!is_attempting_ || attempt_.is_probe) return false;
        fail_attempt(reason);
        return true;
    }
    const std::uint32_t peer = peers_.find(connection);
    if (peer == none || peers_.is_over(peer)) return false;
    if (is_attempting_ && attempt_.is_probe) stop_attempt();
    peers_.close(now, peer, reason);
    return true;
}

template <Suite S>
transport::AnswerStatus ClientEndpoint<S>::answer_authorisation(
    Instant, const transport::AuthorisationAnswer&) {
    return transport::AnswerStatus::stale;
}

template <Suite S>
void ClientEndpoint<S>::restart(Instant now) {
    now_ = now;
    stop_attempt();
    peers_.forget_all();
    current_ = none;
    failed_.reset();
    keys_.reset();
    server_ = {};
    probe_not_before_ = {};
}

template <Suite S>
bool ClientEndpoint<S>::next_datagram(Instant now, transport::Datagram& out) {
    if (is_attempting_ && attempt_.next_request <= now) {
        attempt_.next_request = now + config_.request_interval;
        const WireKind kind = attempt_.has_cookie ? WireKind::join : WireKind::request;
        write_request(attempt_.request, kind, out.room.template first<request_bytes>());
        out.size = request_bytes;
        out.to = server_;
        out.connection = {};
        out.label = {};
        out.label.add(attempt_.has_cookie ? transport::Kind::join : transport::Kind::handshake);
        ++own_.datagrams_sent;
        own_.bytes_sent += out.size;
        return true;
    }
    return peers_.next_datagram(now, out);
}

template <Suite S>
bool ClientEndpoint<S>::next_event(transport::Event& out) {
    if (failed_.has_value()) {
        out = *failed_;
        failed_.reset();
        return true;
    }
    std::uint32_t ended = none;
    while (peers_.next_event(out, ended)) {
        if (ended == none) return true;
        // A successor that was refused is no session that the application ever heard of.
        const bool is_ours = peers_.is_announced(ended) || ended == current_;
        if (ended == current_) current_ = none;
        peers_.release(ended);
        if (is_ours) return true;
    }
    return false;
}

template <Suite S>
bool ClientEndpoint<S>::next_sample(transport::Sample& out) {
    return peers_.next_sample(out);
}

template <Suite S>
Instant ClientEndpoint<S>::next_deadline() const {
    const Instant peers = peers_.next_deadline();
    if (is_attempting_) {
        return std::min(peers, std::min(attempt_.next_request, attempt_.deadline));
    }
    return std::min(peers, probe_time());
}

template <Suite S>
const transport::Capabilities& ClientEndpoint<S>::capabilities() const {
    return capabilities_;
}

template <Suite S>
const transport::Counters& ClientEndpoint<S>::counters() const {
    sum_ = own_;
    peers_.add_counters(sum_);
    return sum_;
}

template <Suite S>
const transport::Counters* ClientEndpoint<S>::counters_of(
    transport::ConnectionId connection) const {
    const std::uint32_t peer = peers_.find(connection);
    return peer == none ? nullptr : &peers_.connection_of(peer).counters();
}

template <Suite S>
bool ClientEndpoint<S>::levels_of(Instant now, transport::ConnectionId connection,
                                  transport::ConnectionLevels& out) const {
    const std::uint32_t peer = peers_.find(connection);
    if (peer == none) return false;
    peers_.connection_of(peer).levels(now, out);
    return true;
}

template <Suite S>
std::uint32_t ClientEndpoint<S>::connection_count() const {
    return current_ != none && peers_.is_announced(current_) && !peers_.is_over(current_) ? 1 : 0;
}

}  // namespace wt::secure
