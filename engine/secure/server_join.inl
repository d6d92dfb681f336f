// SPDX-License-Identifier: MIT
//
// ServerEndpoint: from the authority's answer to a connection that waits for its client's first
// datagram, and how attempts end.
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/server_endpoint.hpp"

namespace wt::secure {

template <Suite S>
transport::AnswerStatus ServerEndpoint<S>::answer_authorisation(
    Instant now, const transport::AuthorisationAnswer& answer) {
    using transport::CloseReason;
    using transport::Refusal;
    now_ = now;
    // An attempt that is over its time has expired, whether advance() has been here or not.
    expire_attempts(now);
    const std::uint32_t index = attempts_.find(answer.attempt);
    if (index == none || !attempts_.is_asked(index)) return transport::AnswerStatus::stale;

    const transport::Address to = attempts_.at(index).address;
    const std::uint64_t attempt = attempts_.at(index).request.attempt;
    attempts_.mark_answered(index);
    if (is_full(to) || !peers_.has_room()) {
        // Others may have come in while the authority was thinking.
        refuse(to, attempt, Refusal::server_full, CloseReason::refused_full);
        attempts_.end(index);
    } else if (!is_proven(attempts_.at(index).request, answer) || !establish(now, index, answer)) {
        reply({.to = to,
               .kind = WireKind::reject,
               .attempt = attempt,
               .reason = CloseReason::refused_authorisation});
        attempts_.end(index);
    }
    return transport::AnswerStatus::ok;
}

// Whether the answer admits this very request: with session keys only the holder of the join key,
// without them only where the configuration lets anybody in.
template <Suite S>
bool ServerEndpoint<S>::is_proven(const Request& request,
                                  const transport::AuthorisationAnswer& answer) {
    using transport::Refusal;
    const bool wants_the_same =
        request.session_bound == answer.session_bound || mutated<"bound-as-asked">();
    const bool may_be_unbound =
        answer.session_bound || config_.allow_unbound || mutated<"unbound-by-leave">();
    if (!answer.admitted || !wants_the_same || !may_be_unbound) {
        own_.count(Refusal::not_authorised);
        return false;
    }
    if (!answer.session_bound || mutated<"join-proof">()) return true;
    if (S::verify(answer.keys.join_key, join_transcript(request), request.join_proof)) return true;
    own_.count(Refusal::bad_join_proof);
    return false;
}

template <Suite S>
bool ServerEndpoint<S>::establish(Instant now, std::uint32_t index,
                                  const transport::AuthorisationAnswer& answer) {
    JoinAttempts::Attempt& attempt = attempts_.at(index);
    const Request& request = attempt.request;
    SecretKey secret{};
    Accept accept{.attempt = request.attempt,
                  .server_key = {},
                  .player = answer.player,
                  .tick_rate = config_.tick_rate,
                  .features = config_.features.offered & request.features,
                  .protocol_version = config_.protocol_version,
                  .session_bound = answer.session_bound,
                  .accept_proof = {},
                  .tag = {}};
    S::make_key_pair(entropy_, secret, accept.server_key);
    if (answer.session_bound) {
        S::prove(answer.keys.accept_key, accept_transcript(request.client_key, accept),
                 accept.accept_proof);
    }
    write_accept(accept, attempt.accept);
    SessionKeys keys;
    const bool agreed = derive_session_keys<S>({.own_secret = secret,
                                                .client_key = request.client_key,
                                                .server_key = accept.server_key,
                                                .is_client = false},
                                               attempt.accept, keys);
    crypto::wipe(secret);
    if (!agreed) {
        own_.count(transport::Refusal::bad_public_key);
        return false;
    }
    seal_accept<S>(keys.packet_out, attempt.accept);
    ++own_.sealed;
    const std::uint32_t peer = peers_.open(now, keys, config_.connection,
                                           {.address = attempt.address,
                                            .player = answer.player,
                                            .tick_rate = config_.tick_rate,
                                            .session_bound = answer.session_bound,
                                            .is_client = false,
                                            .attempt = request.attempt});
    wipe_keys(keys);
    if (connected_at_.find(attempt.address) == none) ++newcomers_;
    attempts_.mark_accepted(index, peer);
    reply({.to = attempt.address,
           .kind = WireKind::accept,
           .attempt = request.attempt,
           .accepted = attempts_.id_of(index)});
    return true;
}

// An attempt ends without a connection. A peer that waited for its client ends with it.
template <Suite S>
void ServerEndpoint<S>::drop_attempt(std::uint32_t index, transport::CloseReason reason) {
    const JoinAttempts::Attempt& attempt = attempts_.at(index);
    if (attempt.is_accepted()) {
        peers_.end(attempt.peer, reason);
        if (connected_at_.find(attempt.address) == none) --newcomers_;
    }
    attempts_.end(index);
}

template <Suite S>
void ServerEndpoint<S>::expire_attempts(Instant now) {
    if (mutated<"attempt-expiry">()) return;
    for (std::uint32_t index = attempts_.oldest();
         index != none && attempts_.at(index).deadline <= now; index = attempts_.oldest()) {
        drop_attempt(index, transport::CloseReason::no_answer);
    }
}

}  // namespace wt::secure
