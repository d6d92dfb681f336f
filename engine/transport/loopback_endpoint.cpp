// SPDX-License-Identifier: MIT
#include "engine/transport/loopback_endpoint.hpp"

#include <algorithm>

namespace wt::transport {

std::unique_ptr<Endpoint> make_loopback_server(const LoopbackConfig& config) {
    return std::make_unique<loopback::LoopbackEndpoint>(config, true);
}

std::unique_ptr<Endpoint> make_loopback_client(const LoopbackConfig& config) {
    return std::make_unique<loopback::LoopbackEndpoint>(config, false);
}

namespace loopback {

LoopbackEndpoint::LoopbackEndpoint(const LoopbackConfig& config, bool is_server)
    : config_(config),
      is_server_(is_server),
      capabilities_{.datagrams = true,
                    .reliable_lanes = lane_count,
                    .largest_reliable = {},
                    .largest_unreliable = unreliable_bytes_max,
                    .connections_max = is_server ? config.peers_max : 1,
                    .encryption_ready = false,
                    .authentication_ready = false} {
    capabilities_.largest_reliable.fill(reliable_bytes_max);
}

void LoopbackEndpoint::advance(Instant now) {
    now_ = now;
    for (std::uint32_t index = 0; index < peers_.size(); ++index) {
        Peer& peer = *peers_[index];
        if (peer.phase == Phase::joining) {
            if (peer.deadline <= now) {
                end(index, CloseReason::no_answer, false);
            } else if (!is_server_ && peer.next_request <= now) {
                peer.reply_due = true;
                peer.next_request = now + config_.request_interval;
            }
        } else if (peer.phase == Phase::up && peer.line.last_heard() + config_.timeout <= now) {
            end(index, CloseReason::timed_out, false);
        }
    }
}

ConnectStatus LoopbackEndpoint::connect(Instant now, const ConnectRequest& request) {
    if (is_server_) return ConnectStatus::unsupported;
    if (!by_address_.empty()) return ConnectStatus::busy;
    if (request.token.size() > token_bytes_max) return ConnectStatus::bad_token;
    now_ = now;
    const std::uint32_t index = take_place(request.server);
    Peer& peer = *peers_[index];
    peer.session = request.session;
    peer.token_bytes = static_cast<std::uint16_t>(request.token.size());
    std::copy(request.token.begin(), request.token.end(), peer.token.begin());
    peer.epoch = ++epoch_;
    peer.phase = Phase::joining;
    peer.deadline = now + config_.attempt_timeout;
    peer.next_request = now + config_.request_interval;
    peer.reply_due = true;
    return ConnectStatus::ok;
}

SendStatus LoopbackEndpoint::send(Instant now, ConnectionId to, const Message& message) {
    const std::uint32_t index = find(to);
    if (index == none || peers_[index]->phase != Phase::up) return SendStatus::not_connected;
    now_ = now;
    return peers_[index]->line.send(now, message);
}

bool LoopbackEndpoint::close(Instant now, ConnectionId connection, CloseReason reason) {
    now_ = now;
    for (std::uint32_t index = 0; index < peers_.size() && !connection.is_valid(); ++index) {
        // As with the real transport, a client names the attempt under way by the default id.
        if (is_server_ || peers_[index]->phase != Phase::joining) continue;
        end(index, reason, false);
        return true;
    }
    const std::uint32_t index = find(connection);
    if (index == none || peers_[index]->phase != Phase::up) return false;
    end(index, reason, true);
    return true;
}

AnswerStatus LoopbackEndpoint::answer_authorisation(Instant now,
                                                    const AuthorisationAnswer& answer) {
    now_ = now;
    const std::uint32_t index = answer.attempt.index;
    if (!is_server_ || !answer.attempt.is_valid()) return AnswerStatus::stale;
    if (index >= peers_.size()) return AnswerStatus::stale;
    Peer& peer = *peers_[index];
    const bool fits = peer.phase == Phase::joining && peer.generation == answer.attempt.generation;
    if (!fits || peer.deadline <= now) return AnswerStatus::stale;
    peer.asked_due = false;
    peer.asked_given = false;
    if (!answer.admitted) {
        own_.count(Refusal::not_authorised);
        end(index, CloseReason::refused_authorisation, true);
        return AnswerStatus::ok;
    }
    peer.player = answer.player;
    peer.tick_rate = config_.tick_rate;
    peer.phase = Phase::up;
    peer.was_up = true;
    peer.connected_due = true;
    peer.reply_due = true;
    peer.line.open(now, peer.epoch);
    return AnswerStatus::ok;
}

void LoopbackEndpoint::restart(Instant now) {
    now_ = now;
    for (std::uint32_t index = 0; index < peers_.size(); ++index) {
        if (peers_[index]->phase != Phase::free) release(index);
    }
    by_address_.clear();
}

bool LoopbackEndpoint::next_datagram(Instant now, Datagram& out) {
    const auto count = static_cast<std::uint32_t>(peers_.size());
    // Begins behind the one served last, so that none is always the last one.
    for (std::uint32_t step = 0; step < count; ++step) {
        const std::uint32_t index = (serve_next_ + step) % count;
        Peer& peer = *peers_[index];
        if (peer.phase == Phase::free) continue;
        const bool served = write_control(now, peer, out) ||
                            (peer.phase != Phase::joining && peer.line.next_datagram(now, out));
        if (!served) continue;
        out.to = peer.address;
        out.connection = peer.was_up ? ConnectionId{.index = index, .generation = peer.generation}
                                     : ConnectionId{};
        serve_next_ = (index + 1) % count;
        return true;
    }
    return false;
}

// Joins and answers, then the goodbye when all else has gone out, then the sign of life.
bool LoopbackEndpoint::write_control(Instant now, Peer& peer, Datagram& out) {
    ByteWriter writer(out.room);
    Label label;
    if (peer.reply_due && peer.phase != Phase::over) {
        peer.reply_due = false;
        label.add(is_server_ ? Kind::accept : Kind::join);
        write_header(writer, {.kind = is_server_ ? FrameKind::accept : FrameKind::connect,
                              .epoch = peer.epoch});
        if (is_server_) {
            writer.u64(peer.player.value);
            writer.u32(peer.tick_rate);
        } else {
            writer.bytes(peer.session);
            writer.u16(peer.token_bytes);
            writer.bytes(ConstBytes(peer.token).first(peer.token_bytes));
        }
    } else if (peer.goodbye_due && !peer.line.has_output()) {
        peer.goodbye_due = false;
        label.add(peer.was_up ? Kind::close : Kind::reject);
        write_header(writer, {.kind = peer.was_up ? FrameKind::close : FrameKind::reject,
                              .epoch = peer.epoch});
        writer.u8(static_cast<std::uint8_t>(peer.reason));
    } else if (peer.phase == Phase::up && !peer.line.has_output() &&
               peer.line.last_sent() + config_.keepalive <= now) {
        label.add(Kind::keepalive);
        write_header(writer, {.kind = FrameKind::keepalive, .epoch = peer.epoch});
        ++peer.line.counters().keepalives_sent;
    } else {
        return false;
    }
    WT_CHECK(!writer.failed());
    out.size = writer.written();
    out.label = label;
    if (peer.was_up) {
        peer.line.note_sent(now, out.size);
    } else {
        ++own_.datagrams_sent;
        own_.bytes_sent += out.size;
    }
    return true;
}

bool LoopbackEndpoint::next_event(Event& out) {
    for (std::uint32_t index = 0; index < peers_.size(); ++index) {
        if (peers_[index]->phase != Phase::free && event_of(index, out)) return true;
    }
    return false;
}

bool LoopbackEndpoint::event_of(std::uint32_t index, Event& out) {
    Peer& peer = *peers_[index];
    const ConnectionId id{.index = index, .generation = peer.generation};
    const AttemptId attempt{.index = index, .generation = peer.generation};
    if (peer.asked_due) {
        peer.asked_due = false;
        peer.asked_given = true;
        out = AuthorisationAsked{.attempt = attempt,
                                 .address = peer.address,
                                 .session = peer.session,
                                 .token = ConstBytes(peer.token).first(peer.token_bytes)};
        return true;
    }
    if (peer.withdrawn_due) {
        peer.withdrawn_due = false;
        out = AuthorisationWithdrawn{.attempt = attempt};
        return true;
    }
    if (peer.connected_due) {
        peer.connected_due = false;
        out = Connected{.connection = id,
                        .player = peer.player,
                        .address = peer.address,
                        .tick_rate = peer.tick_rate,
                        .session_bound = false};
        return true;
    }
    Received message;
    if (peer.was_up && peer.line.next_message(message)) {
        message.connection = id;
        out = message;
        return true;
    }
    if (peer.phase != Phase::over || has_output(peer)) return false;
    out = Closed{.connection = peer.was_up ? id : ConnectionId{},
                 .reason = peer.reason,
                 .was_connected = peer.was_up};
    const bool heard = !peer.closed_silently;
    release(index);
    return heard;
}

void LoopbackEndpoint::end(std::uint32_t index, CloseReason reason, bool goodbye) {
    Peer& peer = *peers_[index];
    if (peer.phase == Phase::over || peer.phase == Phase::free) return;
    // A server's attempt is its application's question, not its connection.
    peer.closed_silently = is_server_ && !peer.was_up;
    peer.withdrawn_due = peer.asked_given;
    peer.asked_due = false;
    peer.asked_given = false;
    peer.phase = Phase::over;
    peer.reason = reason;
    peer.goodbye_due = goodbye;
    peer.reply_due = false;
    // Only a proper goodbye still sends what was accepted.
    if (!goodbye) peer.line.drop_output();
}

void LoopbackEndpoint::release(std::uint32_t index) {
    Peer& peer = *peers_[index];
    if (peer.was_up) gone_.add(peer.line.counters());
    peer.line.forget();
    peer.phase = Phase::free;
    const auto found = by_address_.find(peer.address);
    if (found != by_address_.end() && found->second == index) by_address_.erase(found);
}

std::uint32_t LoopbackEndpoint::take_place(const Address& address) {
    std::uint32_t index = 0;
    while (index < peers_.size() && peers_[index]->phase != Phase::free)
        ++index;
    if (index == peers_.size()) peers_.push_back(std::make_unique<Peer>(pool_));
    Peer& peer = *peers_[index];
    const std::uint32_t generation = peer.generation + 1;
    peer.address = address;
    peer.generation = generation;
    peer.was_up = false;
    peer.asked_due = false;
    peer.asked_given = false;
    peer.connected_due = false;
    peer.withdrawn_due = false;
    peer.closed_silently = false;
    peer.reply_due = false;
    peer.goodbye_due = false;
    peer.reason = CloseReason::none;
    peer.player = {};
    by_address_[address] = index;
    return index;
}

bool LoopbackEndpoint::has_output(const Peer& peer) const {
    return peer.reply_due || peer.goodbye_due || (peer.was_up && peer.line.has_output());
}

Instant LoopbackEndpoint::deadline_of(const Peer& peer) const {
    if (peer.phase == Phase::free) return Instant::never();
    const bool events = peer.asked_due || peer.withdrawn_due || peer.connected_due ||
                        peer.phase == Phase::over || (peer.was_up && peer.line.inbox_count() > 0);
    if (events || has_output(peer)) return now_;
    if (peer.phase == Phase::joining) {
        return is_server_ ? peer.deadline : std::min(peer.deadline, peer.next_request);
    }
    return std::min(peer.line.last_heard() + config_.timeout,
                    peer.line.last_sent() + config_.keepalive);
}

Instant LoopbackEndpoint::next_deadline() const {
    Instant earliest = Instant::never();
    for (const std::unique_ptr<Peer>& peer : peers_)
        earliest = std::min(earliest, deadline_of(*peer));
    return earliest;
}

const Counters& LoopbackEndpoint::counters() const {
    sum_ = own_;
    sum_.add(gone_);
    for (const std::unique_ptr<Peer>& peer : peers_) {
        if (peer->phase != Phase::free && peer->was_up) sum_.add(peer->line.counters());
    }
    return sum_;
}

const Counters* LoopbackEndpoint::counters_of(ConnectionId connection) const {
    const std::uint32_t index = find(connection);
    return index == none ? nullptr : &peers_[index]->line.counters();
}

bool LoopbackEndpoint::levels_of(Instant now, ConnectionId connection,
                                 ConnectionLevels& out) const {
    const std::uint32_t index = find(connection);
    if (index == none) return false;
    peers_[index]->line.levels(now, out);
    return true;
}

std::uint32_t LoopbackEndpoint::connection_count() const {
    std::uint32_t count = 0;
    for (const std::unique_ptr<Peer>& peer : peers_)
        count += peer->phase == Phase::up ? 1u : 0u;
    return count;
}

std::uint32_t LoopbackEndpoint::pending_count() const {
    std::uint32_t count = 0;
    for (const std::unique_ptr<Peer>& peer : peers_)
        count += peer->phase == Phase::joining ? 1u : 0u;
    return count;
}

std::uint32_t LoopbackEndpoint::find(ConnectionId id) const {
    if (!id.is_valid() || id.index >= peers_.size()) return none;
    const Peer& peer = *peers_[id.index];
    const bool matches =
        peer.phase != Phase::free && peer.was_up && peer.generation == id.generation;
    return matches ? id.index : none;
}

std::uint32_t LoopbackEndpoint::at_address(const Address& address) const {
    const auto found = by_address_.find(address);
    return found == by_address_.end() ? none : found->second;
}

}  // namespace loopback
}  // namespace wt::transport
