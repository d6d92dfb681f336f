// SPDX-License-Identifier: MIT
#include "engine/session/server_session.hpp"

#include <algorithm>
#include <variant>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::session {

using transport::Lane;
using Type = SessionEvent::Type;

ServerSession::ServerSession(const ServerConfig& config, Entropy entropy)
    : config_(config),
      entropy_(entropy),
      tickets_(config.tickets_remembered_max, config.ticket_memory),
      scratch_(std::max<std::size_t>(message_bytes_max, config.limits.bulk_record_bytes)) {
    const Limits& limits = config.limits;
    WT_CHECK(limits.message_bytes <= message_bytes_max);
    WT_CHECK(limits.egress_bytes_per_tick >= limits.message_bytes);
    // Otherwise there are records that no tick's budget ever lets go.
    WT_CHECK(limits.bulk_record_bytes > bulk_header_bytes);
    WT_CHECK(limits.bulk_record_bytes <= 2 * limits.bulk_bytes_per_tick);
    WT_CHECK(limits.bulk_record_bytes <= limits.egress_bytes_per_tick);
    peers_.reserve(limits.peers_max);
    if (config.authorisation_delay > Duration{}) questions_.reserve(limits.peers_max);
    reset({});
}

void ServerSession::reset(Instant) {
    for (Peer& peer : peers_) {
        if (!peer.is_used) continue;
        peer.link.release(store_);
        peer.is_used = false;
        peer.is_ready = false;
        ++peer.generation;
    }
    by_connection_.clear();
    events_.clear();
    undecided_ = {};
    questions_.clear();
    tickets_.restart();
    peer_count_ = 0;
    first_served_ = 0;
    tick_ = 0;
    ingress_messages_left_ = config_.limits.ingress_messages_per_tick;
    ingress_bytes_left_ = config_.limits.ingress_bytes_per_tick;
    // The upper half tells server processes apart, the lower one counts.
    std::array<std::uint8_t, 4> instance{};
    entropy_.fill(instance);
    next_epoch_ = (std::uint64_t{load_u32(instance.data())} << 32) + negotiation_epoch + 1;
    if (config_.first_epoch > negotiation_epoch && !has_given_epoch_)
        next_epoch_ = config_.first_epoch;
}

bool ServerSession::on_event(Instant now, transport::Endpoint& endpoint,
                             const transport::Event& event) {
    accept();
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        return on_received(now, *received);
    }
    if (const auto* connected = std::get_if<transport::Connected>(&event)) {
        on_connected(now, endpoint, *connected);
        return true;
    }
    if (const auto* closed = std::get_if<transport::Closed>(&event)) {
        on_closed(*closed);
        return true;
    }
    if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
        const bool is_ours = config_.authority.has_value() || config_.allow_unauthenticated;
        if (is_ours) on_asked(now, endpoint, *asked);
        return is_ours;
    }
    if (const auto* gone = std::get_if<transport::AuthorisationWithdrawn>(&event)) {
        const std::size_t before = questions_.size();
        std::erase_if(questions_, [&](const Question& question) {
            return question.answer.attempt == gone->attempt;
        });
        return questions_.size() != before;
    }
    return false;
}

void ServerSession::on_closed(const transport::Closed& closed) {
    const PeerHandle handle = peer_of(closed.connection);
    const Peer* const peer = find(handle);
    if (peer == nullptr) return;  // It ended here first.
    const bool was_closing = peer->link.state == State::closing;
    finish({}, nullptr, handle, was_closing ? peer->link.reason : EndReason::transport_lost,
           closed.reason);
}

bool ServerSession::on_received(Instant now, const transport::Received& received) {
    const bool is_bulk = received.lane == Lane::bulk;
    if (received.lane != Lane::control && received.lane != Lane::gameplay && !is_bulk) {
        return false;
    }
    const PeerHandle handle = peer_of(received.connection);
    Peer* const peer = find(handle);
    if (peer == nullptr) {
        ++counters_.stale_connections;
        return true;
    }
    if (!pays_ingress(received)) {
        ++counters_.ingress_refused;
        peer->link.refuse(Stage::rate);
        return true;
    }
    if (is_bulk) {
        on_bulk(now, handle, *peer, received);
        return true;
    }
    SessionLink& link = peer->link;
    const std::uint32_t rate_before = link.counters().of(Stage::rate);
    SessionLink::Staged staged;
    const SessionLink::Judgement judgement = link.judge(shared(), tick_, received, staged);
    if (judgement == SessionLink::Judgement::accepted) {
        on_accepted(now, handle, staged);
    } else if (received.delivery == transport::Delivery::reliable_ordered &&
               link.counters().of(Stage::rate) != rate_before) {
        // The sender believes it delivered: a durable message is never dropped in silence.
        begin_closing(now, *peer, EndReason::rate_exceeded);
    }
    return true;
}

// What all peers together may cost. Reliable messages pay but are never refused here: their own
// peer's budget holds them.
bool ServerSession::pays_ingress(const transport::Received& received) {
    const auto bytes = static_cast<std::uint32_t>(received.bytes.size());
    const bool has_room = ingress_messages_left_ > 0 && ingress_bytes_left_ >= bytes;
    if (!has_room && received.delivery != transport::Delivery::reliable_ordered) return false;
    if (ingress_messages_left_ > 0) --ingress_messages_left_;
    ingress_bytes_left_ -= std::min(bytes, ingress_bytes_left_);
    return true;
}

void ServerSession::on_bulk(Instant now, PeerHandle handle, Peer& peer,
                            const transport::Received& received) {
    BulkChunk chunk;
    const BulkVerdict verdict = peer.link.receive_bulk(shared(), received.bytes, chunk);
    if (verdict == BulkVerdict::ok) push(Type::bulk_chunk, handle).bulk = chunk;
    if (verdict == BulkVerdict::rate) begin_closing(now, peer, EndReason::rate_exceeded);
}

void ServerSession::on_accepted(Instant now, PeerHandle handle, const SessionLink::Staged& staged) {
    Peer& peer = peers_[handle.index];
    switch (staged.rule->kind) {
        case Kind::hello:
            on_hello(now, handle, staged);
            return;
        case Kind::ready:
            peer.link.commit(staged);
            peer.is_ready = true;
            if (!config_.activate_by_application) activate(now, handle);
            return;
        case Kind::bye: {
            peer.link.commit(staged);
            begin_closing(now, peer, EndReason::remote);
            return;
        }
        case Kind::bulk_cancel: {
            peer.link.commit(staged);
            const std::uint32_t transfer = load_u32(staged.envelope.payload.data());
            if (peer.link.bulk().cancel(transfer)) {
                push(Type::bulk_cancelled, handle).bulk.transfer = transfer;
            }
            return;
        }
        default:
            break;
    }
    SessionEvent& event = push(Type::message, handle);
    event.channel = staged.envelope.channel;
    event.kind = staged.rule->kind;
    event.sequence = staged.envelope.sequence;
    event.tick = staged.tick;
    event.payload = staged.envelope.payload;
    undecided_ = {.peer = handle, .staged = staged};
}

void ServerSession::begin_tick(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
    accept();
    tick_ = tick;
    answer_due(now, endpoint);
    ingress_messages_left_ = config_.limits.ingress_messages_per_tick;
    ingress_bytes_left_ = config_.limits.ingress_bytes_per_tick;
    const auto count = static_cast<std::uint32_t>(peers_.size());
    first_served_ = count == 0 ? 0 : (first_served_ + 1) % count;
    const LinkShared all = shared();
    for (std::uint32_t index = 0; index < count; ++index) {
        Peer& peer = peers_[index];
        if (!peer.is_used) continue;
        SessionLink& link = peer.link;
        const PeerHandle handle{index, peer.generation};
        link.begin_tick(all, now);
        if (link.state == State::closing) continue;  // pump ends it.
        if (link.violations() >= config_.limits.violations_max) {
            begin_closing(now, peer, EndReason::violations);
        } else if (link.is_control_overdue(all, now)) {
            finish(now, &endpoint, handle, EndReason::control_overload);
        } else if (link.deadline <= now && !mutated<"state-deadline">()) {
            begin_closing(now, peer,
                          link.state == State::negotiating ? EndReason::negotiation_timeout
                                                           : EndReason::synchronizing_timeout);
        }
    }
}

SendStatus ServerSession::send(Instant now, PeerHandle handle, Kind kind, std::uint32_t tick,
                               ConstBytes payload, BatchPlace batch) {
    Peer* const peer = find(handle);
    if (peer == nullptr) return SendStatus::not_ready;
    if (is_session_kind(kind)) return SendStatus::not_allowed;
    return peer->link.send(shared(), now, kind, tick, payload, batch);
}

void ServerSession::pump(Instant now, transport::Endpoint& endpoint) {
    accept();
    const auto count = static_cast<std::uint32_t>(peers_.size());
    const LinkShared all = shared();
    for (std::uint32_t step = 0; step < count; ++step) {
        const std::uint32_t index = (first_served_ + step) % count;
        Peer& peer = peers_[index];
        if (!peer.is_used) continue;
        peer.link.pump(all, now, endpoint);
        // A go that found the queue full takes the first place that came free.
        if (peer.is_ready && peer.link.state == State::synchronizing &&
            !config_.activate_by_application && activate(now, {index, peer.generation})) {
            peer.link.pump(all, now, endpoint);
        }
        if (peer.link.state != State::closing) continue;
        const bool is_due = peer.link.deadline <= now && !mutated<"closing-deadline">();
        if (is_due || peer.link.is_flushed(now, endpoint)) {
            finish(now, &endpoint, {index, peer.generation}, peer.link.reason);
        }
    }
}

bool ServerSession::close(Instant now, PeerHandle handle, EndReason reason) {
    accept();
    Peer* const peer = find(handle);
    if (peer == nullptr || peer->link.state == State::closing) return false;
    begin_closing(now, *peer, reason);
    return true;
}

void ServerSession::begin_closing(Instant now, Peer& peer, EndReason reason) {
    // The goodbye is a courtesy: where the queue is full, the transport's own end says it.
    const bool negotiates = peer.link.state == State::negotiating;
    if (reason == EndReason::remote) {
        // It said goodbye itself.
    } else if (negotiates) {
        std::array<std::uint8_t, 9> bytes{};
        bytes[0] = static_cast<std::uint8_t>(reason);
        static_cast<void>(peer.link.send(shared(), now, Kind::refuse, 0, bytes));
    } else {
        const std::array<std::uint8_t, 1> bytes{static_cast<std::uint8_t>(reason)};
        static_cast<void>(peer.link.send(shared(), now, Kind::bye, 0, bytes));
    }
    peer.link.state = State::closing;
    peer.link.reason = reason;
    peer.link.deadline = now + config_.limits.closing_deadline;
}

void ServerSession::finish(Instant now, transport::Endpoint* endpoint, PeerHandle handle,
                           EndReason reason, transport::CloseReason transport_reason) {
    Peer* const peer = find(handle);
    WT_CHECK(peer != nullptr);
    const transport::ConnectionId connection = peer->link.connection();
    if (endpoint != nullptr) {
        endpoint->close(now, connection, transport::CloseReason::application);
    }
    SessionEvent& event = push(Type::closed, handle);
    event.player = peer->player;
    event.reason = reason;
    event.transport_reason = transport_reason;
    ++counters_.ended[static_cast<unsigned>(reason)];
    if (by_connection_[connection.index] == handle) by_connection_[connection.index] = {};
    peer->link.release(store_);
    peer->is_used = false;
    peer->is_ready = false;
    peer->player = {};
    ++peer->generation;
    if (peer->generation == 0) peer->generation = 1;  // 0 is never given out.
    --peer_count_;
}

bool ServerSession::accept() {
    Peer* const peer = find(undecided_.peer);
    const bool had_one = peer != nullptr;
    if (had_one) peer->link.commit(undecided_.staged);
    undecided_.peer = {};
    return had_one;
}

bool ServerSession::refuse(Stage stage) {
    Peer* const peer = find(undecided_.peer);
    const bool had_one = peer != nullptr;
    if (had_one) peer->link.refuse(stage);
    undecided_.peer = {};
    return had_one;
}

BulkStatus ServerSession::start_bulk(PeerHandle handle, std::uint32_t transfer, ConstBytes source) {
    Peer* const peer = find(handle);
    if (peer == nullptr) return BulkStatus::not_ready;
    if (peer->link.state != State::synchronizing && peer->link.state != State::active) {
        return BulkStatus::not_ready;
    }
    return peer->link.bulk().start(config_.limits, transfer, source);
}

bool ServerSession::cancel_bulk(Instant now, PeerHandle handle, std::uint32_t transfer) {
    Peer* const peer = find(handle);
    if (peer == nullptr) return false;
    std::array<std::uint8_t, 4> bytes{};
    store_u32(bytes.data(), transfer);
    // The other end must hear of it, or it would wait for the rest for ever.
    if (peer->link.send(shared(), now, Kind::bulk_cancel, 0, bytes) != SendStatus::ok) return false;
    return peer->link.bulk().cancel(transfer);
}

bool ServerSession::next_event(SessionEvent& out) {
    if (events_.empty()) return false;
    out = events_.front();
    events_.pop();
    return true;
}

const SessionLink* ServerSession::link(PeerHandle handle) const {
    const Peer* const peer = find(handle);
    return peer == nullptr ? nullptr : &peer->link;
}

State ServerSession::state(PeerHandle handle) const {
    const Peer* const peer = find(handle);
    return peer == nullptr ? State::closed : peer->link.state;
}

transport::PlayerId ServerSession::player(PeerHandle handle) const {
    const Peer* const peer = find(handle);
    return peer == nullptr ? transport::PlayerId{} : peer->player;
}

PeerHandle ServerSession::peer_of(transport::ConnectionId connection) const {
    if (connection.index >= by_connection_.size()) return {};
    const PeerHandle handle = by_connection_[connection.index];
    const Peer* const peer = find(handle);
    return peer != nullptr && peer->link.connection() == connection ? handle : PeerHandle{};
}

Duration ServerSession::queue_age(Instant now, PeerHandle handle, Channel channel) const {
    const Peer* const peer = find(handle);
    return peer == nullptr ? Duration{} : peer->link.queue_age(store_, now, channel);
}

LinkShared ServerSession::shared() {
    return {.kinds = config_.kinds,
            .limits = config_.limits,
            .weights = config_.weights,
            .peek = config_.peek,
            .self = Sender::server,
            .store = store_,
            .scratch = scratch_,
            .events = events_};
}

ServerSession::Peer* ServerSession::find(PeerHandle handle) {
    return const_cast<Peer*>(static_cast<const ServerSession*>(this)->find(handle));
}

const ServerSession::Peer* ServerSession::find(PeerHandle handle) const {
    if (!handle.is_valid() || handle.index >= peers_.size()) return nullptr;
    const Peer& peer = peers_[handle.index];
    return peer.is_used && peer.generation == handle.generation ? &peer : nullptr;
}

SessionEvent& ServerSession::push(Type type, PeerHandle peer) {
    SessionEvent& event = events_.push();
    event.type = type;
    event.peer = peer;
    return event;
}

}  // namespace wt::session
