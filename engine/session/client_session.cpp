// SPDX-License-Identifier: MIT
#include "engine/session/client_session.hpp"

#include <algorithm>
#include <variant>

#include "engine/base/check.hpp"

namespace wt::session {

using transport::Lane;
using Type = SessionEvent::Type;

ClientSession::ClientSession(const ClientConfig& config)
    : config_(config),
      scratch_(std::max<std::size_t>(message_bytes_max, config.limits.bulk_record_bytes)) {
    const Limits& limits = config.limits;
    WT_CHECK(limits.message_bytes <= message_bytes_max);
    WT_CHECK(limits.egress_bytes_per_tick >= limits.message_bytes);
    WT_CHECK(limits.bulk_record_bytes > bulk_header_bytes);
    WT_CHECK(limits.bulk_record_bytes <= 2 * limits.bulk_bytes_per_tick);
    WT_CHECK(limits.bulk_record_bytes <= limits.egress_bytes_per_tick);
}

ConnectStatus ClientSession::connect(Instant now, transport::Endpoint& endpoint,
                                     const transport::ConnectRequest& request) {
    accept();
    if (state() != State::idle && state() != State::closed) return ConnectStatus::busy;
    if (readiness_of(endpoint).verdict != EndReason::none) return ConnectStatus::refused;
    if (request.token.size() > ticket_room) return ConnectStatus::bad_token;
    EndpointAdapter adapter(endpoint);
    switch (adapter.open(now, request)) {
        case AdapterStatus::ok:
            break;
        case AdapterStatus::would_block:
            return ConnectStatus::busy;
        case AdapterStatus::invalid:
            return ConnectStatus::bad_token;
        case AdapterStatus::empty:
        case AdapterStatus::too_large:
        case AdapterStatus::unsupported:
        case AdapterStatus::closed:
            return ConnectStatus::unsupported;
    }
    ticket_.assign(request.token.begin(), request.token.end());
    link_ = {};
    link_.state = State::connecting;
    link_.deadline = now + config_.limits.connecting_deadline;
    ++attempts_;
    return ConnectStatus::ok;
}

bool ClientSession::on_event(Instant now, transport::Endpoint& endpoint,
                             const transport::Event& event) {
    accept();
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        return on_received(now, endpoint, *received);
    }
    if (const auto* connected = std::get_if<transport::Connected>(&event)) {
        on_connected(now, endpoint, *connected);
        return true;
    }
    const auto* const closed = std::get_if<transport::Closed>(&event);
    if (closed == nullptr) return false;
    if (state() == State::connecting) {
        // The last session's connection may end only now; it is no answer to this attempt.
        if (!closed->was_connected) finish(now, nullptr, EndReason::no_answer, closed->reason);
    } else if (state() > State::connecting && state() < State::closed &&
               closed->connection == link_.connection()) {
        const EndReason why = state() == State::closing ? link_.reason : EndReason::transport_lost;
        finish(now, nullptr, why, closed->reason);
    }
    return true;
}

// Also where the transport joined anew by itself, because the server had forgotten it.
void ClientSession::on_connected(Instant now, transport::Endpoint& endpoint,
                                 const transport::Connected& connected) {
    if (state() == State::idle) {
        endpoint.close(now, connected.connection, transport::CloseReason::application);
        return;
    }
    if (state() != State::connecting && state() != State::closed) {
        finish(now, nullptr, EndReason::transport_lost, transport::CloseReason::superseded);
    }
    const Readiness readiness = readiness_of(endpoint);
    link_.open({.index = 0, .generation = attempts_}, connected.connection, readiness,
               config_.limits);
    link_.state = State::negotiating;
    link_.deadline = now + config_.limits.negotiating_deadline;
    const Hello hello{.terms = config_.terms,
                      .message_bytes = static_cast<std::uint16_t>(link_.message_bytes()),
                      .needs_reliable_only = readiness.profile == Profile::reliable_only,
                      .ticket = readiness.authenticated ? ConstBytes{} : ConstBytes(ticket_)};
    std::array<std::uint8_t, hello_bytes_max> bytes{};
    std::size_t size = 0;
    const bool written = write_hello(hello, bytes, size);
    WT_CHECK(written);
    const SendStatus sent =
        link_.send(shared(), now, Kind::hello, 0, ConstBytes(bytes).first(size));
    WT_CHECK(sent == SendStatus::ok);
}

bool ClientSession::on_received(Instant now, transport::Endpoint& endpoint,
                                const transport::Received& received) {
    const bool is_bulk = received.lane == Lane::bulk;
    if (received.lane != Lane::control && received.lane != Lane::gameplay && !is_bulk) {
        return false;
    }
    if (state() < State::negotiating || received.connection != link_.connection()) {
        ++stale_connections_;
        return true;
    }
    if (is_bulk) {
        BulkChunk chunk;
        const BulkVerdict verdict = link_.receive_bulk(shared(), received.bytes, chunk);
        if (verdict == BulkVerdict::ok) push(Type::bulk_chunk).bulk = chunk;
        if (verdict == BulkVerdict::rate) begin_closing(now, EndReason::rate_exceeded);
        return true;
    }
    const std::uint32_t rate_before = link_.counters().of(Stage::rate);
    SessionLink::Staged staged;
    const SessionLink::Judgement judgement = link_.judge(shared(), tick_, received, staged);
    if (judgement == SessionLink::Judgement::accepted) {
        on_accepted(now, endpoint, staged);
    } else if (received.delivery == transport::Delivery::reliable_ordered &&
               link_.counters().of(Stage::rate) != rate_before) {
        begin_closing(now, EndReason::rate_exceeded);
    }
    return true;
}

void ClientSession::on_accepted(Instant now, transport::Endpoint& endpoint,
                                const SessionLink::Staged& staged) {
    const ConstBytes payload = staged.envelope.payload;
    switch (staged.rule->kind) {
        case Kind::welcome:
            on_welcome(now, staged);
            return;
        case Kind::go:
            link_.commit(staged);
            if (state() != State::synchronizing) return;
            link_.state = State::active;
            link_.deadline = Instant::never();
            push(Type::active).tick = load_u32(payload.data());
            return;
        case Kind::refuse:
        case Kind::bye: {
            link_.commit(staged);
            const bool is_known = payload[0] < end_reason_count;
            EndReason why = is_known ? static_cast<EndReason>(payload[0]) : EndReason::remote;
            if (why == EndReason::asked || why == EndReason::none) why = EndReason::remote;
            finish(now, &endpoint, why);
            return;
        }
        case Kind::bulk_cancel: {
            link_.commit(staged);
            const std::uint32_t transfer = load_u32(payload.data());
            if (link_.bulk().cancel(transfer)) {
                push(Type::bulk_cancelled).bulk.transfer = transfer;
            }
            return;
        }
        default:
            break;
    }
    SessionEvent& event = push(Type::message);
    event.channel = staged.envelope.channel;
    event.kind = staged.rule->kind;
    event.sequence = staged.envelope.sequence;
    event.tick = staged.tick;
    event.payload = payload;
    undecided_ = staged;
    is_undecided_ = true;
}

void ClientSession::on_welcome(Instant now, const SessionLink::Staged& staged) {
    if (state() != State::negotiating) {
        link_.refuse(Stage::authority);
        return;
    }
    Welcome terms;
    if (!read_welcome(staged.envelope.payload, terms)) {
        link_.refuse(Stage::payload);
        begin_closing(now, EndReason::refused_malformed);
        return;
    }
    link_.commit(staged);
    // Before the verdict, so that the server hears a goodbye under the epoch it is in.
    link_.begin_epoch(terms.epoch, config_.limits);
    EndReason verdict = judge_welcome(config_.terms, terms);
    // A bound above ours could not be received, or not be sent.
    if (terms.message_bytes > link_.message_bytes()) verdict = EndReason::refused_capabilities;
    if (verdict != EndReason::none) {
        begin_closing(now, verdict);
        return;
    }
    welcome_ = terms;
    link_.agree(terms.message_bytes, terms.profile);
    link_.state = State::synchronizing;
    link_.deadline = now + config_.limits.synchronizing_deadline;
    push(Type::synchronizing).welcome = terms;
    if (!config_.ready_by_application) ready(now);
}

bool ClientSession::ready(Instant now) {
    if (state() != State::synchronizing) return false;
    return link_.send(shared(), now, Kind::ready, 0, {}) == SendStatus::ok;
}

void ClientSession::begin_tick(Instant now, transport::Endpoint& endpoint, std::uint64_t tick) {
    accept();
    tick_ = tick;
    if (state() == State::idle || state() == State::closed) return;
    if (state() == State::connecting) {
        if (link_.deadline > now) return;
        // A client names its attempt under way by the default id.
        endpoint.close(now, {}, transport::CloseReason::application);
        finish(now, nullptr, EndReason::no_answer);
        return;
    }
    const LinkShared all = shared();
    link_.begin_tick(all, now);
    if (state() == State::closing) return;  // pump ends it.
    if (link_.violations() >= config_.limits.violations_max) {
        begin_closing(now, EndReason::violations);
    } else if (link_.is_control_overdue(all, now)) {
        finish(now, &endpoint, EndReason::control_overload);
    } else if (link_.deadline <= now) {
        begin_closing(now, state() == State::negotiating ? EndReason::negotiation_timeout
                                                         : EndReason::synchronizing_timeout);
    }
}

SendStatus ClientSession::send(Instant now, Kind kind, std::uint32_t tick, ConstBytes payload) {
    if (is_session_kind(kind)) return SendStatus::not_allowed;
    if (state() < State::negotiating) return SendStatus::not_ready;
    return link_.send(shared(), now, kind, tick, payload);
}

void ClientSession::pump(Instant now, transport::Endpoint& endpoint) {
    accept();
    if (state() < State::negotiating || state() == State::closed) return;
    link_.pump(shared(), now, endpoint);
    if (state() != State::closing) return;
    if (link_.deadline <= now || link_.is_flushed(now, endpoint)) {
        finish(now, &endpoint, link_.reason);
    }
}

bool ClientSession::close(Instant now, transport::Endpoint& endpoint, EndReason reason) {
    accept();
    if (state() == State::connecting) {
        endpoint.close(now, {}, transport::CloseReason::application);
        finish(now, nullptr, reason);
        return true;
    }
    if (state() < State::negotiating || state() >= State::closing) return false;
    begin_closing(now, reason);
    return true;
}

void ClientSession::begin_closing(Instant now, EndReason reason) {
    const std::array<std::uint8_t, 1> bytes{static_cast<std::uint8_t>(reason)};
    // A courtesy: where the queue is full, the transport's own end says it.
    static_cast<void>(link_.send(shared(), now, Kind::bye, 0, bytes));
    link_.state = State::closing;
    link_.reason = reason;
    link_.deadline = now + config_.limits.closing_deadline;
}

void ClientSession::finish(Instant now, transport::Endpoint* endpoint, EndReason reason,
                           transport::CloseReason transport_reason) {
    if (endpoint != nullptr) {
        endpoint->close(now, link_.connection(), transport::CloseReason::application);
    }
    is_undecided_ = false;
    SessionEvent& event = push(Type::closed);
    event.reason = reason;
    event.transport_reason = transport_reason;
    link_.release(store_);
    link_.reason = reason;
    link_.deadline = Instant::never();
}

void ClientSession::forget() {
    link_.release(store_);
    link_ = {};
    events_.clear();
    is_undecided_ = false;
    welcome_ = {};
}

bool ClientSession::accept() {
    if (!is_undecided_) return false;
    link_.commit(undecided_);
    is_undecided_ = false;
    return true;
}

bool ClientSession::refuse(Stage stage) {
    if (!is_undecided_) return false;
    link_.refuse(stage);
    is_undecided_ = false;
    return true;
}

BulkStatus ClientSession::start_bulk(std::uint32_t transfer, ConstBytes source) {
    if (state() != State::synchronizing && state() != State::active) return BulkStatus::not_ready;
    return link_.bulk().start(config_.limits, transfer, source);
}

bool ClientSession::cancel_bulk(Instant now, std::uint32_t transfer) {
    std::array<std::uint8_t, 4> bytes{};
    store_u32(bytes.data(), transfer);
    if (state() < State::synchronizing) return false;
    if (link_.send(shared(), now, Kind::bulk_cancel, 0, bytes) != SendStatus::ok) return false;
    return link_.bulk().cancel(transfer);
}

bool ClientSession::next_event(SessionEvent& out) {
    if (events_.empty()) return false;
    out = events_.front();
    events_.pop();
    return true;
}

Readiness ClientSession::readiness_of(const transport::Endpoint& endpoint) const {
    return judge_capabilities(endpoint.capabilities(),
                              {.message_bytes = config_.limits.message_bytes,
                               .allow_unauthenticated = config_.allow_unauthenticated,
                               .allow_reliable_only = config_.terms.allow_reliable_only});
}

LinkShared ClientSession::shared() {
    return {.kinds = config_.kinds,
            .limits = config_.limits,
            .weights = config_.weights,
            .peek = {},
            .self = Sender::client,
            .store = store_,
            .scratch = scratch_,
            .events = events_};
}

SessionEvent& ClientSession::push(Type type) {
    SessionEvent& event = events_.push();
    event.type = type;
    event.peer = {.index = 0, .generation = attempts_};
    return event;
}

}  // namespace wt::session
