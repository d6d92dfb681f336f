// SPDX-License-Identifier: MIT
//
// Connection<S>: what goes out. Goodbyes first, then what a new path waits for, acknowledgements
// (they free the other end), lossy traffic, which is worth less with every millisecond, repeats,
// new reliable fragments and, if nothing else was said for the interval, a keepalive.
#pragma once

#include <cstring>
#include <limits>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/secure/connection.hpp"

namespace wt::secure {

template <Suite S>
bool Connection<S>::next_datagram(Instant now, transport::Datagram& out) {
    WT_CHECK(out.room.size() >= transport::datagram_bytes_max);
    if (is_closed()) return false;
    if (is_open() && are_counters_exhausted()) {
        state_.close(now, transport::CloseReason::counters_exhausted);
    }
    if (!is_open()) return write_close(now, out);
    if (write_path_response(now, out)) return true;
    if (write_path_challenge(now, out)) return true;
    if (write_ack(now, out)) return true;
    if (write_single(now, out)) return true;
    state_.commit_latest();
    if (!is_open()) return write_close(now, out);
    if (write_reliable(now, out)) return true;
    return write_keepalive(now, out);
}

template <Suite S>
bool Connection<S>::are_counters_exhausted() const {
    constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
    if (mutated<"counter-end">()) return false;
    return packet_number_ >= end - packet_numbers_reserved || state_.record_counter >= end - 1;
}

template <Suite S>
bool Connection<S>::write_close(Instant now, transport::Datagram& out) {
    if (state_.close_copies_left == 0 || state_.close_next > now) return false;
    out.label = {};
    out.label.add(transport::Kind::close);
    out.room[session_header_bytes] = static_cast<std::uint8_t>(state_.reason);
    finish_packet(now, WireKind::close, session_header_bytes + close_header_bytes, out);
    state_.close_next = now + ConnectionState::close_interval;
    if (--state_.close_copies_left == 0) state_.end(state_.reason);
    return true;
}

template <Suite S>
bool Connection<S>::write_path_response(Instant now, transport::Datagram& out) {
    if (!state_.path_challenged.has_value()) return false;
    store_u64(out.room.data() + session_header_bytes, *state_.path_challenged);
    state_.path_challenged.reset();
    out.label = {};
    out.label.add(transport::Kind::path_response);
    finish_packet(now, WireKind::path_response, session_header_bytes + path_response_header_bytes,
                  out);
    return true;
}

// The one datagram that goes where the other end does not live. Its packet number is what the
// response has to name: nobody else was ever sent it.
template <Suite S>
bool Connection<S>::write_path_challenge(Instant now, transport::Datagram& out) {
    if (!state_.path.is_due(now)) return false;
    out.label = {};
    out.label.add(transport::Kind::path_challenge);
    // The old path has heard nothing: its keepalive stays due.
    const Instant last_sent = state_.last_sent;
    finish_packet(now, WireKind::path_challenge, session_header_bytes + path_challenge_header_bytes,
                  out);
    state_.last_sent = last_sent;
    out.to = state_.path.candidate();
    state_.path.note_sent(now, packet_number_);
    ++state_.counters.path_challenges;
    return true;
}

template <Suite S>
bool Connection<S>::write_ack(Instant now, transport::Datagram& out) {
    Ack ack;
    if (!state_.acks.next(ack)) return false;
    std::uint8_t* const at = out.room.data() + session_header_bytes;
    store_u16(at, ack.sequence);
    store_u32(at + 2, ack.mask);
    out.label = {};
    out.label.add(transport::Kind::ack);
    out.label.sequence = ack.sequence;
    ++state_.counters.acks_sent;
    finish_packet(now, WireKind::ack, session_header_bytes + ack_header_bytes, out);
    return true;
}

template <Suite S>
bool Connection<S>::write_reliable(Instant now, transport::Datagram& out) {
    ReliableSender::Pick pick;
    if (!state_.sender.pick(now, state_.may_seal(), state_.counters, pick)) return false;
    OutMessage& message = *pick.message;
    if (message.record_counter == 0) {
        // Sealed where it lies, at its first transmission: repeats send the same record.
        seal_record({message.body.data, message.record_bytes});
        state_.sender.sealed(message, state_.record_counter);
    }
    const std::uint16_t sequence = state_.sender.transmitted(now, pick, state_.counters);
    const std::uint32_t bytes = message.fragment_bytes(pick.fragment);
    std::uint8_t* const at = out.room.data() + session_header_bytes;
    store_u16(at, sequence);
    at[2] = static_cast<std::uint8_t>(message.lane);
    store_u16(at + 3, message.id);
    at[5] = static_cast<std::uint8_t>(pick.fragment);
    at[6] = static_cast<std::uint8_t>(message.fragment_count);
    std::memcpy(at + reliable_header_bytes,
                message.body.data + std::size_t{pick.fragment} * fragment_bytes_max, bytes);
    out.label = {.accepted_at = message.accepted_at,
                 .kinds = 1u << static_cast<unsigned>(message.kind),
                 .tick = message.tick,
                 .message = message.id,
                 .sequence = sequence,
                 .fragment = static_cast<std::uint8_t>(pick.fragment),
                 .transmission = message.fragment(pick.fragment).transmissions,
                 .lane = message.lane,
                 .on_lane = true};
    finish_packet(now, WireKind::reliable, session_header_bytes + reliable_header_bytes + bytes,
                  out);
    return true;
}

template <Suite S>
bool Connection<S>::write_single(Instant now, transport::Datagram& out) {
    if (state_.unreliable.empty() || !state_.may_seal()) return false;
    const UnreliableQueue::Entry& entry = state_.unreliable.front();
    const bool sequenced = entry.delivery == transport::Delivery::unreliable_sequenced;
    auto& sequences = state_.sequences[static_cast<unsigned>(entry.lane)];
    std::uint8_t* const at = out.room.data() + session_header_bytes;
    at[0] = static_cast<std::uint8_t>(entry.lane);
    const std::uint16_t sequence = sequenced ? ++sequences.sent : std::uint16_t{0};
    if (sequenced) store_u16(at + 1, sequence);
    const std::size_t header = sequenced ? sequenced_header_bytes : unreliable_header_bytes;
    const std::size_t record_bytes = entry.bytes + record_overhead;
    const MutableBytes record = out.room.subspan(session_header_bytes + header, record_bytes);
    if (entry.bytes != 0) {
        std::memcpy(record.data() + record_counter_bytes, entry.body.data, entry.bytes);
    }
    seal_record(record);
    out.label = {.accepted_at = entry.accepted_at,
                 .kinds = 1u << static_cast<unsigned>(entry.kind),
                 .tick = entry.tick,
                 .message = sequence,
                 .sequence = 0,
                 .fragment = 0,
                 .transmission = 0,
                 .lane = entry.lane,
                 .on_lane = true};
    state_.unreliable.pop();
    finish_packet(now, sequenced ? WireKind::sequenced : WireKind::unreliable,
                  session_header_bytes + header + record_bytes, out);
    return true;
}

template <Suite S>
bool Connection<S>::write_keepalive(Instant now, transport::Datagram& out) {
    if (now - state_.last_sent < state_.config.keepalive || mutated<"keepalive">()) return false;
    out.label = {};
    out.label.add(transport::Kind::keepalive);
    ++state_.counters.keepalives_sent;
    finish_packet(now, WireKind::keepalive, session_header_bytes, out);
    return true;
}

template <Suite S>
void Connection<S>::seal_record(MutableBytes record) {
    WT_CHECK(record.size() >= record_overhead);
    WT_CHECK(state_.record_counter < std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t counter = ++state_.record_counter;
    store_u64(record.data(), counter);
    const MutableBytes plain =
        record.subspan(record_counter_bytes, record.size() - record_overhead);
    S::seal_record(keys_.record_out, counter, plain, plain.data() + plain.size());
    ++state_.counters.sealed;
}

template <Suite S>
void Connection<S>::finish_packet(Instant now, WireKind kind, std::size_t size,
                                  transport::Datagram& out) {
    WT_CHECK(packet_number_ < std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t number = ++packet_number_;
    std::uint8_t* const at = out.room.data();
    write_frame(at, kind);
    const std::uint64_t low = number & 0xffff'ffff;
    store_u64(at + packet_number_offset, mutated<"f10-number-width">() ? low : number);
    S::seal_packet(keys_.packet_out, number, {at, size}, at + size);
    out.size = size + tag_bytes;
    out.to = peer_;
    out.connection = state_.connection;
    state_.last_sent = now;
    ++state_.counters.sealed;
    ++state_.counters.datagrams_sent;
    state_.counters.bytes_sent += out.size;
}

}  // namespace wt::secure
