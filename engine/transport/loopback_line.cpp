// SPDX-License-Identifier: MIT
#include "engine/transport/loopback_line.hpp"

#include <algorithm>

#include "engine/base/serial.hpp"

namespace wt::transport::loopback {

void Line::open(Instant now, std::uint32_t epoch) {
    forget();
    epoch_ = epoch;
    lanes_ = {};
    sequence_sent_ = 0;
    sequence_next_ = 1;
    last_heard_ = now;
    last_sent_ = now;
    silence_max_ = {};
    end_reason_ = CloseReason::none;
    counters_ = {};
}

void Line::forget() {
    drop_output();
    for (; !inbox_.empty(); inbox_.pop())
        pool_.give_back(inbox_.front().body);
    pool_.give_back(assembling_.body);
    assembling_ = {};
    pool_.give_back(handed_out_);
}

void Line::drop_output() {
    for (; !outbox_.empty(); outbox_.pop())
        pool_.give_back(outbox_.front().body);
    backlog_bytes_ = 0;
}

SendStatus Line::send(Instant now, const Message& message) {
    const bool reliable = message.delivery == Delivery::reliable_ordered;
    if (static_cast<unsigned>(message.lane) >= lane_count) return SendStatus::unsupported;
    if (message.replace_tag.has_value() && !reliable) return SendStatus::unsupported;
    const std::size_t largest = reliable ? reliable_bytes_max : unreliable_bytes_max;
    if (message.bytes.size() > largest) return SendStatus::too_large;
    if (backlog_bytes_ + message.bytes.size() > backlog_bytes_max) return SendStatus::backlogged;

    LaneState& lane = lanes_[static_cast<unsigned>(message.lane)];
    Item& item = outbox_.push();
    item.bytes = static_cast<std::uint32_t>(message.bytes.size());
    item.body = pool_.take(std::max(item.bytes, 1u));
    std::copy(message.bytes.begin(), message.bytes.end(), item.body.data);
    item.accepted_at = now;
    item.tick = message.tick;
    item.lane = message.lane;
    item.delivery = message.delivery;
    item.kind = message.kind;
    if (reliable) item.id = lane.message_next++;
    if (message.delivery == Delivery::unreliable_sequenced) item.id = ++lane.sequence_sent;
    backlog_bytes_ += item.bytes;
    ++counters_.messages_accepted;
    return SendStatus::ok;
}

bool Line::next_datagram(Instant now, Datagram& out) {
    if (outbox_.empty()) return false;
    Item& item = outbox_.front();
    ByteWriter writer(out.room);
    std::uint32_t chunk = item.bytes;
    out.label = {.accepted_at = item.accepted_at,
                 .kinds = 1u << static_cast<unsigned>(item.kind),
                 .tick = item.tick,
                 .message = item.id,
                 .sequence = 0,
                 .fragment = 0,
                 .transmission = 0,
                 .lane = item.lane,
                 .on_lane = true};
    if (item.delivery == Delivery::reliable_ordered) {
        chunk = std::min(item.bytes - item.done, static_cast<std::uint32_t>(chunk_bytes_max));
        out.label.sequence = static_cast<std::uint16_t>(++sequence_sent_);
        out.label.fragment = static_cast<std::uint8_t>(item.done / chunk_bytes_max);
        out.label.transmission = 1;
        write_header(writer, {.kind = FrameKind::reliable, .epoch = epoch_});
        writer.u32(sequence_sent_);
        writer.u8(static_cast<std::uint8_t>(item.lane));
        writer.u16(item.id);
        writer.u32(item.bytes);
        ++counters_.fragments_sent;
    } else {
        const bool sequenced = item.delivery == Delivery::unreliable_sequenced;
        write_header(writer, {.kind = sequenced ? FrameKind::sequenced : FrameKind::unreliable,
                              .epoch = epoch_});
        writer.u8(static_cast<std::uint8_t>(item.lane));
        if (sequenced) writer.u16(item.id);
    }
    writer.bytes({item.body.data + item.done, chunk});
    WT_CHECK(!writer.failed());
    item.done += chunk;
    out.size = writer.written();
    note_sent(now, out.size);
    if (item.done == item.bytes) {
        backlog_bytes_ -= item.bytes;
        pool_.give_back(item.body);
        outbox_.pop();
    }
    return true;
}

bool Line::receive(Instant now, FrameKind kind, ByteReader reader, const Label& label) {
    note_heard(now);
    if (kind == FrameKind::reliable) return receive_reliable(reader, label);
    WT_CHECK(kind == FrameKind::sequenced || kind == FrameKind::unreliable);
    receive_single(reader, kind == FrameKind::sequenced, label);
    return true;
}

bool Line::receive_reliable(ByteReader& reader, const Label& label) {
    std::uint32_t sequence = 0;
    std::uint8_t lane = 0;
    std::uint16_t id = 0;
    std::uint32_t bytes = 0;
    reader.u32(sequence);
    reader.u8(lane);
    reader.u16(id);
    reader.u32(bytes);
    if (reader.failed() || lane >= lane_count || bytes > reliable_bytes_max) {
        return fail(CloseReason::violations, Refusal::malformed);
    }
    if (sequence != sequence_next_) {
        // A copy of an earlier one is no harm; a gap can never be filled.
        if (!serial_newer(sequence, sequence_next_)) {
            ++counters_.duplicates;
            return true;
        }
        return fail(CloseReason::record_lost, Refusal::unexpected);
    }
    const bool first = assembling_.body.data == nullptr;
    if (first) {
        assembling_.body = pool_.take(std::max(bytes, 1u));
        assembling_.bytes = bytes;
        assembling_.id = id;
        assembling_.lane = static_cast<Lane>(lane);
    }
    const std::size_t chunk = reader.left();
    const bool fits = assembling_.bytes == bytes && assembling_.id == id &&
                      chunk <= assembling_.bytes - assembling_.done;
    if (!fits) return fail(CloseReason::violations, Refusal::malformed);
    reader.bytes({assembling_.body.data + assembling_.done, chunk});
    assembling_.done += static_cast<std::uint32_t>(chunk);
    ++sequence_next_;
    if (assembling_.done < assembling_.bytes) return true;

    Item* const item = add_to_inbox(label, 0);
    if (item == nullptr) return fail(CloseReason::backlogged, Refusal::inbox_full);
    item->body = assembling_.body;
    item->bytes = assembling_.bytes;
    item->id = assembling_.id;
    item->lane = assembling_.lane;
    item->delivery = Delivery::reliable_ordered;
    assembling_ = {};
    ++counters_.reassembled;
    return true;
}

void Line::receive_single(ByteReader& reader, bool sequenced, const Label& label) {
    std::uint8_t lane = 0;
    std::uint16_t sequence = 0;
    reader.u8(lane);
    if (sequenced) reader.u16(sequence);
    const bool too_large = reader.left() > unreliable_bytes_max;
    if (reader.failed() || lane >= lane_count || too_large) {
        return counters_.count(Refusal::malformed);
    }
    LaneState& state = lanes_[lane];
    if (sequenced && state.has_accepted && !serial_newer(sequence, state.sequence_accepted)) {
        return counters_.count(Refusal::not_newer);
    }
    const auto bytes = static_cast<std::uint32_t>(reader.left());
    Item* const item = add_to_inbox(label, std::max(bytes, 1u));
    if (item == nullptr) return counters_.count(Refusal::inbox_full);
    reader.bytes({item->body.data, bytes});
    item->bytes = bytes;
    item->id = sequence;
    item->lane = static_cast<Lane>(lane);
    item->delivery = sequenced ? Delivery::unreliable_sequenced : Delivery::unreliable;
    if (sequenced) {
        state.sequence_accepted = sequence;
        state.has_accepted = true;
    }
}

Line::Item* Line::add_to_inbox(const Label& label, std::uint32_t bytes) {
    if (inbox_.size() >= inbox_messages_max) return nullptr;
    Item& item = inbox_.push();
    if (bytes > 0) item.body = pool_.take(bytes);
    item.accepted_at = label.accepted_at;
    item.tick = label.tick;
    item.kind = label.message_kind();
    return &item;
}

bool Line::next_message(Received& out) {
    pool_.give_back(handed_out_);
    if (inbox_.empty()) return false;
    const Item& item = inbox_.front();
    handed_out_ = item.body;
    out = {.connection = {},
           .lane = item.lane,
           .delivery = item.delivery,
           .bytes = {handed_out_.data, item.bytes},
           .id = item.id,
           .accepted_at = item.accepted_at,
           .kind = item.kind,
           .tick = item.tick};
    inbox_.pop();
    ++counters_.delivered;
    return true;
}

void Line::note_heard(Instant now) {
    silence_max_ = std::max(silence_max_, now - last_heard_);
    last_heard_ = now;
}

void Line::note_sent(Instant now, std::size_t bytes) {
    last_sent_ = now;
    ++counters_.datagrams_sent;
    counters_.bytes_sent += bytes;
}

bool Line::fail(CloseReason reason, Refusal why) {
    counters_.count(why);
    end_reason_ = reason;
    return false;
}

void Line::levels(Instant now, ConnectionLevels& out) const {
    out = {};
    out.backlog_bytes = backlog_bytes_;
    out.reassembly_bytes = assembling_.bytes;
    out.last_authentic = last_heard_;
    out.silence_max = silence_max_;
    for (std::uint32_t i = outbox_.size(); i-- > 0;) {
        const Item& item = outbox_.at(i);
        if (item.done == 0) {
            out.queue_age[static_cast<unsigned>(item.lane)] = now - item.accepted_at;
        }
    }
}

}  // namespace wt::transport::loopback
