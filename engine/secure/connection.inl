// SPDX-License-Identifier: MIT
//
// Connection<S>: what comes in, from the packet tag to the message. Included where a suite is
// instantiated; connection_out.inl has the other way.
#pragma once

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"
#include "engine/crypto/ready.hpp"
#include "engine/secure/connection.hpp"
#include "engine/secure/connection_out.inl"

namespace wt::secure {

template <Suite S>
void Connection<S>::open(Instant now, const SessionKeys& keys, const ConnectionConfig& config,
                         transport::ConnectionId id, const transport::Address& peer,
                         bool is_client) {
    state_.open(now, config, id, is_client);
    keys_ = keys;
    peer_ = peer;
    packet_window_.clear();
    record_window_.clear();
    packet_number_ = config.initial.packet_number;
    path_answered_ = 0;
}

template <Suite S>
void Connection<S>::forget() {
    state_.forget();
    crypto::wipe(keys_.record_out);
    crypto::wipe(keys_.record_in);
    crypto::wipe(keys_.packet_out);
    crypto::wipe(keys_.packet_in);
}

template <Suite S>
bool Connection<S>::receive(Instant now, ConstBytes datagram, const transport::Label& label) {
    using transport::Refusal;
    transport::Counters& counters = state_.counters;
    path_answered_ = 0;
    if (is_closed()) return false;
    if (datagram.size() < packet_overhead) {
        counters.count(Refusal::too_short);
        return false;
    }
    // The window first: a replay is refused before it costs a tag. It moves only afterwards.
    const std::uint64_t number = load_u64(datagram.data() + packet_number_offset);
    switch (packet_window_.check(number)) {
        case crypto::ReplayWindow::Verdict::fresh:
            break;
        case crypto::ReplayWindow::Verdict::zero:
        case crypto::ReplayWindow::Verdict::repeated:
            counters.count(Refusal::packet_replayed);
            return false;
        case crypto::ReplayWindow::Verdict::too_old:
            counters.count(Refusal::packet_too_old);
            return false;
    }
    const ConstBytes tagged = datagram.first(datagram.size() - tag_bytes);
    if (!S::open_packet(keys_.packet_in, number, tagged, tagged.data() + tagged.size()) &&
        !mutated<"packet-tag">()) {
        if (mutated<"window-after-tag">()) packet_window_.commit(number);
        if (mutated<"authentic-silence">()) state_.note_authentic(now);
        counters.count(Refusal::bad_tag);
        return false;
    }
    ++counters.opened;
    packet_window_.commit(number);
    state_.note_authentic(now);
    ++counters.datagrams_received;
    counters.bytes_received += datagram.size();
    believe(now, number, datagram, label);
    return true;
}

// What it says: its tag was right and its number new.
template <Suite S>
void Connection<S>::believe(Instant now, std::uint64_t number, ConstBytes datagram,
                            const transport::Label& label) {
    using transport::Refusal;
    transport::Counters& counters = state_.counters;
    if (!is_open()) {
        // While saying goodbye only the other end's goodbye still matters.
        if (datagram[kind_offset] == static_cast<std::uint8_t>(WireKind::close)) {
            state_.end(transport::CloseReason::remote);
        }
        return;
    }
    const ConstBytes body =
        datagram.subspan(session_header_bytes, datagram.size() - packet_overhead);
    switch (static_cast<WireKind>(datagram[kind_offset])) {
        case WireKind::reliable:
            receive_reliable(now, body, label);
            break;
        case WireKind::sequenced:
            receive_single(now, body, true, label);
            break;
        case WireKind::unreliable:
            receive_single(now, body, false, label);
            break;
        case WireKind::ack:
            receive_ack(now, body);
            break;
        case WireKind::close:
            receive_close(body);
            break;
        case WireKind::keepalive:
            if (!body.empty()) counters.count(Refusal::malformed);
            break;
        case WireKind::path_challenge:
            receive_path_challenge(number, body);
            break;
        case WireKind::path_response:
            receive_path_response(body);
            break;
        case WireKind::request:
        case WireKind::join:
        case WireKind::challenge:
        case WireKind::accept:
        case WireKind::reject:
            counters.count(Refusal::unexpected);
            break;
    }
}

template <Suite S>
bool Connection<S>::receive_elsewhere(Instant now, const transport::Address& from,
                                      ConstBytes datagram, const transport::Label& label,
                                      bool& proven) {
    proven = false;
    if (!receive(now, datagram, label)) return false;
    // The last words of a session need no new path.
    if (!is_open()) return true;
    proven = state_.path.is_answer(from, path_answered_);
    if (!proven) state_.path.note(now, from, datagram.size());
    return true;
}

template <Suite S>
void Connection<S>::move_to(const transport::Address& address) {
    if (state_.path.is_active()) ++state_.counters.path_moves;
    state_.path.drop();
    peer_ = address;
}

template <Suite S>
bool Connection<S>::is_plausible(ConstBytes datagram) const {
    if (is_closed() || datagram.size() < packet_overhead) return false;
    const std::uint64_t number = load_u64(datagram.data() + packet_number_offset);
    if (packet_window_.check(number) != crypto::ReplayWindow::Verdict::fresh) return false;
    const std::uint64_t highest = packet_window_.highest();
    // Of one that was never heard nothing is known: it may have begun anywhere.
    if (highest == 0) return true;
    return number <= highest || number - highest <= packet_numbers_ahead_max;
}

template <Suite S>
bool Connection<S>::is_authentic(ConstBytes datagram) const {
    if (is_closed() || datagram.size() < packet_overhead) return false;
    const std::uint64_t number = load_u64(datagram.data() + packet_number_offset);
    if (packet_window_.check(number) != crypto::ReplayWindow::Verdict::fresh) return false;
    const ConstBytes tagged = datagram.first(datagram.size() - tag_bytes);
    return S::open_packet(keys_.packet_in, number, tagged, tagged.data() + tagged.size());
}

template <Suite S>
void Connection<S>::receive_reliable(Instant now, ConstBytes body, const transport::Label& label) {
    if (body.size() < reliable_header_bytes) {
        state_.counters.count(transport::Refusal::malformed);
        return;
    }
    const std::uint8_t* const at = body.data();
    const ReliableHeader header{.sequence = load_u16(at),
                                .lane = at[2],
                                .message = load_u16(at + 3),
                                .index = at[5],
                                .count = at[6]};
    Reassembly::Slot* slot = nullptr;
    switch (state_.reassembly.add(header, body.subspan(reliable_header_bytes), label,
                                  state_.counters, slot)) {
        case Reassembly::Outcome::duplicate:
            if (mutated<"duplicate-acked">()) break;
            [[fallthrough]];
        case Reassembly::Outcome::stored:
            acknowledge(header.sequence);
            break;
        case Reassembly::Outcome::refused:
            if (mutated<"refused-unacked">()) state_.acks.add(header.sequence);
            break;
        case Reassembly::Outcome::violation:
            state_.note_violation(now);
            break;
        case Reassembly::Outcome::complete:
            acknowledge(header.sequence);
            // Opened when complete, not when its turn comes: by then its counter might lie behind
            // the window. One that cannot be opened is lost for ever, and so is the lane.
            if (open_record({slot->body.data, slot->held})) {
                state_.reassembly.opened(*slot);
            } else {
                state_.close(now, transport::CloseReason::record_lost);
            }
            break;
    }
}

// Whether or not there is anything of our own to say.
template <Suite S>
void Connection<S>::acknowledge(std::uint16_t sequence) {
    if (mutated<"f09-ack-alone">() && state_.sender.next_deadline(true) == Instant::never()) return;
    state_.acks.add(sequence);
}

template <Suite S>
void Connection<S>::receive_single(Instant now, ConstBytes body, bool sequenced,
                                   const transport::Label& label) {
    using transport::Refusal;
    const std::size_t header = sequenced ? sequenced_header_bytes : unreliable_header_bytes;
    if (body.size() < header) return state_.counters.count(Refusal::malformed);
    const std::uint8_t lane = body[0];
    if (lane >= transport::lane_count) {
        state_.counters.count(Refusal::violation_lane);
        return state_.note_violation(now);
    }
    const ConstBytes record = body.subspan(header);
    if (record.size() > fragment_bytes_max) {
        state_.counters.count(Refusal::violation_size);
        return state_.note_violation(now);
    }
    auto& history = state_.sequences[mutated<"lane-histories">() ? 0 : lane];
    const std::uint16_t sequence = sequenced ? load_u16(body.data() + 1) : std::uint16_t{0};
    if (sequenced && history.has_accepted && !serial_newer(sequence, history.accepted) &&
        !mutated<"sequenced-newer">()) {
        return state_.counters.count(Refusal::not_newer);
    }
    if (state_.inbox.is_full()) return state_.counters.count(Refusal::inbox_full);
    PoolBuffer buffer =
        pool_.take(static_cast<std::uint32_t>(std::max<std::size_t>(record.size(), 1)));
    if (!record.empty()) std::memcpy(buffer.data, record.data(), record.size());
    if (!open_record({buffer.data, record.size()})) return pool_.give_back(buffer);
    if (sequenced || mutated<"unreliable-unfiltered">()) {
        if (!sequenced && history.accepted++ % 2 == 1) return pool_.give_back(buffer);
        history.accepted = sequence;
        history.has_accepted = true;
    }
    Inbox::Entry& entry = state_.inbox.add();
    entry.body = buffer;
    entry.offset = record_counter_bytes;
    entry.bytes = static_cast<std::uint32_t>(record.size() - record_overhead);
    entry.sequence = sequence;
    entry.accepted_at = label.accepted_at;
    entry.tick = label.tick;
    entry.lane = static_cast<transport::Lane>(lane);
    entry.delivery =
        sequenced ? transport::Delivery::unreliable_sequenced : transport::Delivery::unreliable;
    entry.kind = label.message_kind();
}

template <Suite S>
void Connection<S>::receive_ack(Instant now, ConstBytes body) {
    if (body.size() != ack_header_bytes) {
        return state_.counters.count(transport::Refusal::malformed);
    }
    const Ack ack{.sequence = load_u16(body.data()), .mask = load_u32(body.data() + 2)};
    state_.sender.on_ack(now, ack, state_.counters, observed_ ? &state_.samples : nullptr);
}

template <Suite S>
void Connection<S>::receive_close(ConstBytes body) {
    if (body.size() != close_header_bytes) {
        return state_.counters.count(transport::Refusal::malformed);
    }
    // "The application asked" is said by the other end; here it is the remote side's wish. So is
    // every reason that this build does not know.
    using transport::CloseReason;
    if (mutated<"f18-goodbye">() && state_.counters.duplicates != 0) return;
    const std::uint8_t said = body[0];
    const bool known = said > static_cast<std::uint8_t>(CloseReason::application) &&
                       said < transport::close_reason_count;
    state_.end(known ? static_cast<CloseReason>(said) : CloseReason::remote);
}

// Only a server challenges: a client's server lives at the address that it was asked to connect to.
template <Suite S>
void Connection<S>::receive_path_challenge(std::uint64_t number, ConstBytes body) {
    using transport::Refusal;
    if (body.size() != path_challenge_header_bytes) {
        return state_.counters.count(Refusal::malformed);
    }
    if (!state_.is_client()) return state_.counters.count(Refusal::unexpected);
    state_.path_challenged = number;
}

template <Suite S>
void Connection<S>::receive_path_response(ConstBytes body) {
    using transport::Refusal;
    if (body.size() != path_response_header_bytes) {
        return state_.counters.count(Refusal::malformed);
    }
    if (state_.is_client()) return state_.counters.count(Refusal::unexpected);
    path_answered_ = load_u64(body.data());
}

template <Suite S>
bool Connection<S>::open_record(MutableBytes record) {
    using transport::Refusal;
    transport::Counters& counters = state_.counters;
    if (record.size() < record_overhead || record.size() > record_bytes_max) {
        counters.count(Refusal::record_bad);
        return false;
    }
    const std::uint64_t counter = load_u64(record.data());
    using Window = crypto::ReplayWindow::Verdict;
    switch (mutated<"record-window">() ? Window::fresh : record_window_.check(counter)) {
        case Window::fresh:
            break;
        case Window::zero:
        case Window::repeated:
            counters.count(Refusal::record_replayed);
            return false;
        case Window::too_old:
            counters.count(Refusal::record_too_old);
            return false;
    }
    const MutableBytes sealed =
        record.subspan(record_counter_bytes, record.size() - record_overhead);
    if (!S::open_record(keys_.record_in, counter, sealed, sealed.data() + sealed.size()) &&
        !mutated<"record-tag">()) {
        counters.count(Refusal::record_bad);
        return false;
    }
    ++counters.opened;
    ++counters.decrypted;
    record_window_.commit(counter);
    return true;
}

template <Suite S>
bool Connection<S>::next_message(transport::Received& out) {
    // What was opened is delivered, even if the other end has said goodbye meanwhile.
    if (const Inbox::Entry* const entry = state_.inbox.next(); entry != nullptr) {
        out = {.connection = state_.connection,
               .lane = entry->lane,
               .delivery = entry->delivery,
               .bytes = {entry->body.data + entry->offset, entry->bytes},
               .id = entry->sequence,
               .accepted_at = entry->accepted_at,
               .kind = entry->kind,
               .tick = entry->tick};
        ++state_.counters.delivered;
        return true;
    }
    Reassembly::Delivery delivery;
    if (!state_.reassembly.next(delivery)) return false;
    out = {.connection = state_.connection,
           .lane = delivery.lane,
           .delivery = transport::Delivery::reliable_ordered,
           .bytes = delivery.record.subspan(record_counter_bytes,
                                            delivery.record.size() - record_overhead),
           .id = delivery.slot->id,
           .accepted_at = delivery.slot->accepted_at,
           .kind = delivery.slot->kind,
           .tick = delivery.slot->tick};
    ++state_.counters.delivered;
    return true;
}

template <Suite S>
bool Connection<S>::next_sample(transport::Sample& out) {
    if (state_.samples.empty()) return false;
    out = state_.samples.front();
    out.connection = state_.connection;
    state_.samples.pop();
    return true;
}

}  // namespace wt::secure
