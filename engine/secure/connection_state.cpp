// SPDX-License-Identifier: MIT
#include "engine/secure/connection_state.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

using transport::CloseReason;
using transport::Delivery;
using transport::SendStatus;

void ConnectionState::open(Instant now, const ConnectionConfig& connection_config,
                           transport::ConnectionId id, bool is_client) {
    config = connection_config;
    connection = id;
    is_client_ = is_client;
    forget();
    counters = {};
    phase = Phase::open;
    reason = CloseReason::none;
    close_copies_left = 0;
    // The client's first keepalive is due at once: the server waits for an authentic datagram
    // before it believes that its accept arrived.
    last_sent = is_client ? now - config.keepalive : now;
    last_authentic = now;
    silence_max = {};
    record_counter = config.initial.record_counter;
    sequences = {};
    path.reset();
    path_challenged.reset();
    channel_count_ = 0;
}

void ConnectionState::forget() {
    sender.reset(config.reliability, config.initial);
    reassembly.reset(config.initial.message_id);
    unreliable.clear();
    latest.clear();
    inbox.clear();
    acks.reset();
    samples.clear();
    phase = Phase::closed;
}

void ConnectionState::advance(Instant now) {
    channel_count_ = 0;
    if (phase != Phase::open) return;
    path.expire(now);
    if (!is_client_ && mutated<"f13-forgotten">()) return;
    const Duration timeout = mutated<"f15-timeout">() ? config.timeout / 2 : config.timeout;
    if (now - last_authentic >= timeout && !mutated<"timeout">()) end(CloseReason::timed_out);
}

SendStatus ConnectionState::send(Instant now, const transport::Message& message) {
    if (phase != Phase::open) return SendStatus::not_connected;
    if (static_cast<unsigned>(message.lane) >= transport::lane_count) {
        return SendStatus::unsupported;
    }
    const bool reliable = message.delivery == Delivery::reliable_ordered;
    const std::size_t largest = reliable || mutated<"unreliable-largest">()
                                    ? record_plaintext_max
                                    : unreliable_plaintext_max;
    if (message.bytes.size() > largest + (mutated<"record-largest">() ? 1 : 0)) {
        return SendStatus::too_large;
    }
    if (message.replace_tag.has_value()) {
        if (!reliable) return SendStatus::unsupported;
        const SendStatus status = latest.put(now, message);
        if (status == SendStatus::replaced) ++counters.messages_replaced;
        if (status != SendStatus::backlogged) ++counters.messages_accepted;
        return status;
    }
    const bool is_full = is_client_ && channel_count_ >= config.channel_messages_max;
    if (is_full && !mutated<"client-channel">()) {
        if (reliable && mutated<"f11-refused-id">()) sender.accept(now, message);
        return SendStatus::backlogged;
    }
    if (would_outrun_record(1)) return SendStatus::backlogged;
    if (reliable) {
        sender.accept(now, message);
        if (sender.is_backlogged()) close(now, CloseReason::backlogged);
    } else {
        unreliable.add(now, message, counters);
    }
    ++channel_count_;
    ++counters.messages_accepted;
    return SendStatus::ok;
}

void ConnectionState::close(Instant now, CloseReason why) {
    if (phase != Phase::open) return;
    phase = Phase::closing;
    reason = why;
    close_copies_left = mutated<"goodbye-repeated">() ? 1 : close_copies;
    close_next = now;
}

void ConnectionState::end(CloseReason why) {
    if (phase == Phase::closed) return;
    // A goodbye that we began keeps its own reason.
    if (phase == Phase::open) reason = why;
    phase = Phase::closed;
}

void ConnectionState::note_authentic(Instant now) {
    silence_max = std::max(silence_max, now - last_authentic);
    last_authentic = now;
}

void ConnectionState::note_violation(Instant now) {
    ++counters.violations;
    if (counters.violations >= violations_max + (mutated<"violations-64">() ? 1 : 0))
        close(now, CloseReason::violations);
}

bool ConnectionState::would_outrun_record(std::uint32_t extra) const {
    const std::uint64_t oldest = sender.oldest_record_counter();
    if (oldest == 0 || mutated<"counter-span">()) return false;
    const std::uint64_t last = record_counter + sender.unsealed_count() + unreliable.size() + extra;
    return last - oldest >= record_span_max;
}

bool ConnectionState::may_seal() const {
    const std::uint64_t oldest = sender.oldest_record_counter();
    return oldest == 0 || record_counter + 1 - oldest < record_span_max;
}

std::uint8_t ConnectionState::clear_lanes() const {
    std::uint8_t lanes = 0;
    for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
        if (sender.is_lane_clear(static_cast<transport::Lane>(lane))) {
            lanes = static_cast<std::uint8_t>(lanes | 1u << lane);
        }
    }
    return lanes;
}

// One value of each lane that is clear: a lane with one more to send is not clear any longer. All
// of them at once, since a sender that is paced or stalled says nothing more in this drain.
void ConnectionState::commit_latest() {
    while (phase == Phase::open && !latest.empty() && !would_outrun_record(1)) {
        const LatestValues::Entry* const entry = latest.oldest(clear_lanes());
        if (entry == nullptr) return;
        commit(*entry);
    }
}

void ConnectionState::commit(const LatestValues::Entry& value) {
    const LatestValues::Entry* const entry = &value;
    sender.accept(entry->accepted_at, {.lane = entry->lane,
                                       .delivery = Delivery::reliable_ordered,
                                       .bytes = {entry->body.data, entry->bytes},
                                       .replace_tag = {},
                                       .kind = entry->kind,
                                       .tick = entry->tick});
    latest.drop(entry);
    if (sender.is_backlogged()) close(last_sent, CloseReason::backlogged);
}

Instant ConnectionState::next_deadline() const {
    if (phase == Phase::closed) return Instant::never();
    if (phase == Phase::closing) return close_next;
    const bool seal = may_seal();
    if (acks.is_due() || (seal && !unreliable.empty())) return Instant{};
    if (path_challenged.has_value()) return Instant{};
    if (!latest.empty() && !would_outrun_record(1) && latest.oldest(clear_lanes()) != nullptr) {
        return Instant{};
    }
    const Instant alive = std::min(last_authentic + config.timeout, last_sent + config.keepalive);
    return std::min({alive, path.next_deadline(), sender.next_deadline(seal)});
}

void ConnectionState::levels(Instant now, transport::ConnectionLevels& out) const {
    out = {};
    sender.levels(now, out);
    unreliable.levels(now, out);
    latest.levels(now, out);
    out.reassembly_bytes = reassembly.incomplete_bytes();
    out.last_authentic = last_authentic;
    out.silence_max = silence_max;
}

}  // namespace wt::secure
