// SPDX-License-Identifier: MIT
//
// Definitions of PeerSet, for the files that instantiate it.
#pragma once

#include "engine/base/mutated.hpp"
#include "engine/secure/connection.inl"
#include "engine/secure/peer_set.hpp"

namespace wt::secure {

template <Suite S>
PeerSet<S>::PeerSet(std::uint32_t capacity, BufferSource* buffers)
    : pool_(buffers),
      output_(capacity),
      events_(capacity),
      samples_(capacity),
      deadlines_(capacity) {
    peers_.reserve(capacity);
    free_.reserve(capacity);
    attempts_.reserve(capacity);
    // Small messages of everybody at once: what waits for its turn or for an application.
    pool_.reserve(small_message_bytes, capacity * small_messages_a_peer);
}

template <Suite S>
bool PeerSet<S>::has_room() const {
    return !free_.empty() || peers_.size() < peers_.capacity();
}

template <Suite S>
std::uint32_t PeerSet<S>::open(Instant now, const SessionKeys& keys, const ConnectionConfig& config,
                               const PeerFacts& facts) {
    WT_CHECK(has_room());
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(peers_.size()));
        peers_.push_back(std::make_unique<Peer>(pool_));
        attempts_.push_back(0);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();

    Peer& peer = at(index);
    ++peer.generation;
    peer.facts = facts;
    peer.in_use = true;
    peer.announced = false;
    peer.connected_due = false;
    peer.closed_given = false;
    peer.moved_due = false;
    attempts_[index] = facts.attempt;
    peer.connection.open(now, keys, config, id_of(index), facts.address, facts.is_client);
    peer.connection.observe(observing_);
    touch(index);
    return index;
}

template <Suite S>
void PeerSet<S>::announce(std::uint32_t index) {
    Peer& peer = at(index);
    WT_CHECK(!peer.announced);
    peer.announced = true;
    peer.connected_due = true;
    touch(index);
}

template <Suite S>
void PeerSet<S>::end(std::uint32_t index, transport::CloseReason reason) {
    WT_CHECK(reason != transport::CloseReason::none);
    if (is_over(index)) return;
    at(index).connection.end(reason);
    deadlines_.set(index, Instant::never());
    touch(index);
}

template <Suite S>
void PeerSet<S>::release(std::uint32_t index) {
    Peer& peer = at(index);
    WT_CHECK(peer.in_use);
    gone_.add(peer.connection.counters());
    if (mutated<"f17-others">() && index + 1 < peers_.size()) at(index + 1).connection.forget();
    peer.connection.forget();
    peer.in_use = false;
    attempts_[index] = 0;
    deadlines_.set(index, Instant::never());
    free_.push_back(index);
}

template <Suite S>
void PeerSet<S>::forget_all() {
    // Downwards, so that the places are given out upwards again as in a first life.
    for (std::uint32_t index = static_cast<std::uint32_t>(peers_.size()); index-- > 0;) {
        if (at(index).in_use) release(index);
    }
    output_.clear();
    events_.clear();
    samples_.clear();
    draining_ = false;
    search_from_ = 0;
}

template <Suite S>
bool PeerSet<S>::receive(Instant now, std::uint32_t index, ConstBytes datagram,
                         const transport::Label& label) {
    if (is_over(index)) return false;
    now_ = now;
    const bool authentic = at(index).connection.receive(now, datagram, label);
    touch(index);
    return authentic;
}

template <Suite S>
bool PeerSet<S>::receive_elsewhere(Instant now, std::uint32_t index, const transport::Address& from,
                                   ConstBytes datagram, const transport::Label& label,
                                   bool& proven) {
    proven = false;
    if (is_over(index)) return false;
    now_ = now;
    const bool authentic =
        at(index).connection.receive_elsewhere(now, from, datagram, label, proven);
    touch(index);
    return authentic;
}

template <Suite S>
std::uint32_t PeerSet<S>::find_silent(Instant now, ConstBytes datagram,
                                      transport::Counters& counters) {
    ++counters.path_searches;
    const auto count = static_cast<std::uint32_t>(peers_.size());
    const std::uint32_t looks = std::min(count, search_looks_max);
    std::uint32_t tags = 0;
    for (std::uint32_t look = 0; look < looks && tags < search_tags_max; ++look) {
        const std::uint32_t index = search_from_ < count ? search_from_ : 0;
        search_from_ = index + 1;
        const Peer& peer = at(index);
        if (!peer.in_use || is_over(peer)) continue;
        const bool is_heard = now - peer.connection.last_authentic() < silence_min;
        if (is_heard && !mutated<"search-silent">()) continue;
        if (!peer.connection.is_plausible(datagram)) continue;
        ++tags;
        ++counters.path_trials;
        if (peer.connection.is_authentic(datagram)) return index;
    }
    return none;
}

template <Suite S>
std::uint32_t PeerSet<S>::find_attempt(std::uint64_t attempt) const {
    const auto found = std::find(attempts_.begin(), attempts_.end(), attempt);
    if (attempt == 0 || found == attempts_.end()) return none;
    const auto index = static_cast<std::uint32_t>(found - attempts_.begin());
    return at(index).announced && !is_over(index) ? index : none;
}

template <Suite S>
void PeerSet<S>::move(std::uint32_t index, const transport::Address& address) {
    Peer& peer = at(index);
    peer.facts.address = address;
    peer.connection.move_to(address);
    peer.moved_due = peer.announced;
    touch(index);
}

template <Suite S>
void PeerSet<S>::set_displaced(std::uint32_t index, bool is_displaced) {
    at(index).facts.is_displaced = is_displaced;
}

template <Suite S>
transport::SendStatus PeerSet<S>::send(Instant now, std::uint32_t index,
                                       const transport::Message& message) {
    if (is_over(index)) return transport::SendStatus::not_connected;
    now_ = now;
    const transport::SendStatus status = at(index).connection.send(now, message);
    touch(index);
    return status;
}

template <Suite S>
void PeerSet<S>::close(Instant now, std::uint32_t index, transport::CloseReason reason) {
    if (is_over(index)) return;
    now_ = now;
    at(index).connection.close(now, reason);
    touch(index);
}

template <Suite S>
void PeerSet<S>::advance(Instant now) {
    now_ = now;
    draining_ = false;
    for (std::uint32_t i = 0; i < output_.size(); ++i) {
        const std::uint32_t index = output_.at(i);
        if (!at(index).in_use || is_over(index)) continue;
        at(index).connection.advance(now);
        touch(index);
    }
    while (deadlines_.earliest() <= now) {
        const std::uint32_t index = deadlines_.first();
        // It is set again when the peer has been drained.
        deadlines_.set(index, Instant::never());
        if (output_.has(index)) continue;  // Advanced above.
        at(index).connection.advance(now);
        touch(index);
    }
}

template <Suite S>
bool PeerSet<S>::next_datagram(Instant now, transport::Datagram& out) {
    if (!draining_ && !output_.empty()) {
        // Another peer is served first in every drain, so that none always finds the queue empty.
        draining_ = true;
        output_.rotate(static_cast<std::uint32_t>(drains_ % output_.size()));
        ++drains_;
    }
    while (!output_.empty()) {
        const std::uint32_t index = output_.front();
        Peer& peer = at(index);
        if (peer.in_use && peer.connection.next_datagram(now, out)) {
            out.connection = id_of(index);
            return true;
        }
        output_.pop();
        if (!peer.in_use) continue;
        deadlines_.set(index, peer.connection.next_deadline());
        if (is_over(peer)) events_.add(index);
    }
    return false;
}

template <Suite S>
bool PeerSet<S>::next_event(transport::Event& out, std::uint32_t& ended) {
    ended = none;
    while (!events_.empty()) {
        const std::uint32_t index = events_.front();
        Peer& peer = at(index);
        if (peer.in_use && peer.connected_due) {
            peer.connected_due = false;
            out = transport::Connected{.connection = id_of(index),
                                       .player = peer.facts.player,
                                       .address = peer.facts.address,
                                       .tick_rate = peer.facts.tick_rate,
                                       .session_bound = peer.facts.session_bound};
            return true;
        }
        if (peer.in_use && peer.moved_due) {
            peer.moved_due = false;
            out = transport::Moved{.connection = id_of(index), .address = peer.facts.address};
            return true;
        }
        // Most events are messages: the place of the last one is filled anew.
        transport::Received* message = std::get_if<transport::Received>(&out);
        if (message == nullptr) message = &out.emplace<transport::Received>();
        if (peer.in_use && peer.announced && peer.connection.next_message(*message)) {
            message->connection = id_of(index);
            return true;
        }
        events_.pop();
        if (!peer.in_use || peer.closed_given || !is_over(index)) continue;
        peer.closed_given = true;
        ended = index;
        out = transport::Closed{.connection = id_of(index),
                                .reason = peer.connection.close_reason(),
                                .was_connected = peer.announced};
        return true;
    }
    return false;
}

template <Suite S>
bool PeerSet<S>::next_sample(transport::Sample& out) {
    while (!samples_.empty()) {
        const std::uint32_t index = samples_.front();
        if (at(index).in_use && at(index).connection.next_sample(out)) {
            out.connection = id_of(index);
            return true;
        }
        samples_.pop();
    }
    return false;
}

template <Suite S>
void PeerSet<S>::observe(bool on) {
    observing_ = on;
    for (const std::unique_ptr<Peer>& peer : peers_)
        peer->connection.observe(on);
}

template <Suite S>
Instant PeerSet<S>::next_deadline() const {
    // What was touched and not drained may have anything to say: serve it at once.
    return output_.empty() ? deadlines_.earliest() : now_;
}

template <Suite S>
std::uint32_t PeerSet<S>::find(transport::ConnectionId id) const {
    if (!id.is_valid() || id.index >= peers_.size()) return none;
    const Peer& peer = at(id.index);
    const bool matches = peer.in_use && peer.announced &&
                         (peer.generation == id.generation || mutated<"handle-generation">());
    return matches ? id.index : none;
}

template <Suite S>
transport::ConnectionId PeerSet<S>::id_of(std::uint32_t index) const {
    return {.index = index, .generation = at(index).generation};
}

template <Suite S>
const PeerFacts& PeerSet<S>::facts_of(std::uint32_t index) const {
    return at(index).facts;
}

template <Suite S>
const Connection<S>& PeerSet<S>::connection_of(std::uint32_t index) const {
    return at(index).connection;
}

template <Suite S>
bool PeerSet<S>::is_announced(std::uint32_t index) const {
    return at(index).announced;
}

template <Suite S>
bool PeerSet<S>::is_over(std::uint32_t index) const {
    return is_over(at(index));
}

template <Suite S>
void PeerSet<S>::add_counters(transport::Counters& sum) const {
    sum.add(gone_);
    for (const std::unique_ptr<Peer>& peer : peers_) {
        if (peer->in_use) sum.add(peer->connection.counters());
    }
}

template <Suite S>
void PeerSet<S>::touch(std::uint32_t index) {
    output_.add(index);
    const Peer& peer = at(index);
    const bool has_event =
        peer.connected_due || peer.moved_due || is_over(peer) || peer.connection.has_message();
    if (has_event) events_.add(index);
    if (observing_) samples_.add(index);
}

template <Suite S>
auto PeerSet<S>::at(std::uint32_t index) -> Peer& {
    WT_CHECK(index < peers_.size());
    return *peers_[index];
}

template <Suite S>
auto PeerSet<S>::at(std::uint32_t index) const -> const Peer& {
    WT_CHECK(index < peers_.size());
    return *peers_[index];
}

}  // namespace wt::secure
