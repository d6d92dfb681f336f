// SPDX-License-Identifier: MIT
//
// How a server comes to have a peer: tickets, connections, hello and welcome.
#include <algorithm>
#include <array>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/session/server_session.hpp"

namespace wt::session {

using Type = SessionEvent::Type;

namespace {

std::uint64_t seconds_of(Instant now) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(now.ns, 0) / 1'000'000'000);
}

}  // namespace

void ServerSession::on_asked(Instant now, transport::Endpoint& endpoint,
                             const transport::AuthorisationAsked& asked) {
    Question question{.due = now + config_.authorisation_delay};
    question.answer.attempt = asked.attempt;
    question.from = asked.address;
    const bool is_judged =
        endpoint.capabilities().authentication_ready && config_.authority.has_value();
    if (is_judged) {
        question.verdict =
            config_.authority->judge(asked.token, asked.session, config_.audience, seconds_of(now),
                                     question.ticket, question.answer.keys);
        question.answer.session_bound = true;
        if (mutated<"ticket-at-answer">() && question.verdict == TicketVerdict::ok) {
            question.verdict = tickets_.use(question.ticket, seconds_of(now));
        }
        question.answer.player = question.ticket.player;
    } else {
        // Nobody is known before the hello; the ticket in it decides.
        question.answer.admitted = config_.allow_unauthenticated;
    }
    const bool waits = is_judged && config_.authorisation_delay > Duration{};
    if (!waits || questions_.size() >= config_.limits.peers_max) {
        answer(now, endpoint, question);
    } else {
        questions_.push_back(question);
    }
}

// A ticket's only use is taken when the answer is given: a question that is withdrawn costs none.
void ServerSession::answer(Instant now, transport::Endpoint& endpoint, Question& question) {
    const bool is_judged = question.answer.session_bound;
    if (is_judged) {
        if (question.verdict == TicketVerdict::ok) {
            question.verdict = tickets_.use(question.ticket, seconds_of(now));
        }
        count_ticket(question.verdict, question.from);
        question.answer.admitted = question.verdict == TicketVerdict::ok;
    }
    // Stale: the attempt ended by itself, which says all there is to say.
    static_cast<void>(endpoint.answer_authorisation(now, question.answer));
}

void ServerSession::count_ticket(TicketVerdict verdict, const transport::Address& from) {
    ++counters_.tickets[static_cast<unsigned>(verdict)];
    if (verdict != TicketVerdict::ok) push(SessionEvent::Type::ticket_refused, {}).from = from;
}

void ServerSession::answer_due(Instant now, transport::Endpoint& endpoint) {
    std::size_t answered = 0;
    while (answered < questions_.size() && questions_[answered].due <= now)
        answer(now, endpoint, questions_[answered++]);
    questions_.erase(questions_.begin(),
                     questions_.begin() + static_cast<std::ptrdiff_t>(answered));
}

void ServerSession::on_connected(Instant now, transport::Endpoint& endpoint,
                                 const transport::Connected& connected) {
    const transport::ConnectionId connection = connected.connection;
    const Readiness readiness = judge_capabilities(
        endpoint.capabilities(), {.message_bytes = config_.limits.message_bytes,
                                  .allow_unauthenticated = config_.allow_unauthenticated,
                                  .allow_reliable_only = config_.terms.allow_reliable_only});
    if (readiness.verdict != EndReason::none) {
        ++counters_.ended[static_cast<unsigned>(readiness.verdict)];
        endpoint.close(now, connection, transport::CloseReason::refused_capabilities);
        return;
    }
    std::uint32_t index = 0;
    while (index < peers_.size() && peers_[index].is_used)
        ++index;
    if (index == config_.limits.peers_max) {
        ++counters_.ended[static_cast<unsigned>(EndReason::refused_full)];
        if (mutated<"session-places">()) return;
        endpoint.close(now, connection, transport::CloseReason::refused_full);
        return;
    }
    if (index == peers_.size()) peers_.push_back({.generation = 1});
    Peer& peer = peers_[index];
    const PeerHandle handle{index, peer.generation};
    peer.is_used = true;
    peer.is_authenticated = readiness.authenticated;
    peer.player = connected.player;
    peer.joined_from = connected.address;
    peer.link.open(handle, connection, readiness, config_.limits);
    peer.link.state = State::negotiating;
    peer.link.deadline = now + config_.limits.negotiating_deadline;
    ++peer_count_;
    if (connection.index >= by_connection_.size()) by_connection_.resize(connection.index + 1);
    by_connection_[connection.index] = handle;
}

void ServerSession::on_hello(Instant now, PeerHandle handle, const SessionLink::Staged& staged) {
    Peer& peer = peers_[handle.index];
    // One hello a session: a second one would negotiate a session away that is under way.
    if (peer.link.state != State::negotiating && !mutated<"one-hello">()) {
        peer.link.refuse(Stage::authority);
        return;
    }
    Hello hello;
    if (!read_hello(staged.envelope.payload, hello)) {
        peer.link.refuse(Stage::payload);
        begin_closing(now, peer, EndReason::refused_malformed);
        return;
    }
    peer.link.commit(staged);
    EndReason verdict = judge_hello(config_.terms, hello);
    if (verdict == EndReason::none) verdict = admit(now, peer, hello);
    if (verdict != EndReason::none) {
        begin_closing(now, peer, verdict);
        return;
    }
    supersede(now, handle);
    welcome(now, handle, hello);
}

// Who it is, where the transport does not say it.
EndReason ServerSession::admit(Instant now, Peer& peer, const Hello& hello) {
    if (peer.is_authenticated || !config_.authority.has_value()) return EndReason::none;
    Ticket ticket;
    transport::SessionProofKeys keys;
    const std::uint64_t seconds = seconds_of(now);
    // Without authentication there is no session name to be bound to but the audience's own.
    TicketVerdict verdict = config_.authority->judge(hello.ticket, SessionName{}, config_.audience,
                                                     seconds, ticket, keys);
    if (verdict == TicketVerdict::ok) verdict = tickets_.use(ticket, seconds);
    count_ticket(verdict, peer.joined_from);
    if (verdict != TicketVerdict::ok) return EndReason::refused_ticket;
    peer.player = ticket.player;
    return EndReason::none;
}

void ServerSession::welcome(Instant now, PeerHandle handle, const Hello& hello) {
    Peer& peer = peers_[handle.index];
    const Profile profile =
        hello.needs_reliable_only ? Profile::reliable_only : peer.link.profile();
    has_given_epoch_ = true;
    const Welcome terms{.epoch = mutated<"fresh-epoch">() ? next_epoch_ : next_epoch_++,
                        .tick = static_cast<std::uint32_t>(tick_),
                        .rates = config_.terms.rates,
                        .features = config_.terms.features.offered & hello.terms.features.offered,
                        .content_version = config_.terms.content_version,
                        .message_bytes = static_cast<std::uint16_t>(std::min<std::uint32_t>(
                            peer.link.message_bytes(), hello.message_bytes)),
                        .profile = profile};
    std::array<std::uint8_t, welcome_bytes> bytes{};
    std::size_t size = 0;
    const bool written = write_welcome(terms, bytes, size);
    WT_CHECK(written);
    const SendStatus sent = peer.link.send(shared(), now, Kind::welcome, terms.tick, bytes);
    WT_CHECK(sent == SendStatus::ok);
    peer.link.agree(terms.message_bytes, profile);
    peer.link.begin_epoch(terms.epoch, config_.limits);
    peer.link.state = State::synchronizing;
    peer.link.deadline = now + config_.limits.synchronizing_deadline;
    SessionEvent& event = push(Type::synchronizing, handle);
    event.player = peer.player;
    event.welcome = terms;
}

// A player is in one session: the one that he began last.
void ServerSession::supersede(Instant now, PeerHandle newcomer) {
    const transport::PlayerId player = peers_[newcomer.index].player;
    if (player == transport::PlayerId{} || mutated<"one-session">()) return;
    for (std::uint32_t index = 0; index < peers_.size(); ++index) {
        Peer& peer = peers_[index];
        if (!peer.is_used || index == newcomer.index || peer.player != player) continue;
        if (peer.link.state != State::closing) begin_closing(now, peer, EndReason::superseded);
    }
}

bool ServerSession::activate(Instant now, PeerHandle handle) {
    Peer* const peer = find(handle);
    if (peer == nullptr || peer->link.state != State::synchronizing) return false;
    std::array<std::uint8_t, 4> bytes{};
    store_u32(bytes.data(), static_cast<std::uint32_t>(tick_));
    const SendStatus sent =
        peer->link.send(shared(), now, Kind::go, static_cast<std::uint32_t>(tick_), bytes);
    // A full queue: the deadline of the state decides whether it drains in time.
    if (sent != SendStatus::ok) return false;
    peer->link.state = State::active;
    peer->link.deadline = Instant::never();
    ++counters_.joined;
    push(Type::active, handle).player = peer->player;
    return true;
}

}  // namespace wt::session
