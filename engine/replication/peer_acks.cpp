// SPDX-License-Identifier: MIT
//
// What the client says: acknowledgements move baselines and settle what was put; a version judged
// lost waits again; a keyframe request takes a baseline away.
// Spec: 001, replication (acknowledged baselines, explicit keyframe requests).
#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/serial.hpp"
#include "engine/replication/peer_replication.hpp"

namespace wt::replication {

// How many of the newest snapshots are open: all before them are acknowledged or lost, and what
// was in them needs no memory. One that comes after it was taken for lost was sent again anyway.
std::uint32_t PeerReplication::log_back() const {
    return serial_distance(open_number_, next_number_);
}

// Room for the next snapshot. A place is free once its snapshot is settled and too old for a
// baseline.
void PeerReplication::open_log(ObjectTable& table) {
    // One that falls out of the log is settled before its place is used again.
    if (log_back() == log_places) {
        Sent& oldest = sent_at(open_number_++);
        if (!oldest.acked && !oldest.lost) mark_lost(table, oldest);
    }
    const std::uint32_t now = static_cast<std::uint32_t>(table.tick());
    const auto is_free = [&] {
        const std::uint32_t places = static_cast<std::uint32_t>(sent_.size());
        if (places == log_places) return true;
        if (log_back() >= places) return false;
        const Sent& old = sent_at(next_number_);
        const bool is_of_log = old.number == static_cast<std::uint16_t>(next_number_ - places);
        return !is_of_log || !old.acked || now - old.tick >= ObjectTable::history_ticks;
    };
    if (sent_.empty()) resize_log({.places = log_places_least, .words = row_words_});
    while (!is_free())
        resize_log({.places = static_cast<std::uint32_t>(sent_.size() * 2), .words = row_words_});
    sent_at(next_number_) = {.tick = now, .number = next_number_};
    std::fill_n(row_of(next_number_), row_words_, 0);
}

// Every snapshot keeps its row.
void PeerReplication::resize_log(LogSize size) {
    std::vector<Sent> sent(size.places);
    std::vector<std::uint64_t> rows(std::size_t{size.places} * size.words);
    const std::uint32_t both = std::min(row_words_, size.words);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        if (place_of(sent_[i].number) != i) continue;  // Never used.
        const std::size_t place = sent_[i].number & (size.places - 1);
        sent[place] = sent_[i];
        std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * row_words_), both,
                    rows.begin() + static_cast<std::ptrdiff_t>(place * size.words));
    }
    sent_ = std::move(sent);
    rows_ = std::move(rows);
    row_words_ = size.words;
}

// Nothing that was put of the slot counts any more.
void PeerReplication::forget_history(std::uint32_t slot) {
    const std::uint64_t others = ~(std::uint64_t{1} << (slot % 64));
    for (std::size_t at = slot / 64; at < rows_.size(); at += row_words_)
        rows_[at] &= others;
}

bool PeerReplication::is_in_log(std::uint32_t slot) const {
    std::uint64_t all = 0;
    for (std::size_t at = slot / 64; at < rows_.size(); at += row_words_)
        all |= rows_[at];
    return (all >> (slot % 64) & 1u) != 0;
}

// Objects learn of it in plan(), when one of them has something to say.
void PeerReplication::mark_acked(std::uint16_t number) {
    Sent& sent = sent_at(number);
    if (sent.number != number || sent.acked || sent.lost) return;
    sent.acked = true;
    const std::uint16_t back = static_cast<std::uint16_t>(next_number_ - 1 - number);
    if (back < 64) acked_recently_ |= std::uint64_t{1} << back;
}

void PeerReplication::mark_lost(ObjectTable& table, Sent& sent) {
    sent.lost = true;
    if (fault_ == PeerFault::ignore_losses || mutated<"loss-waits">()) return;
    // What was put again since then is not lost with this one.
    const std::uint64_t* const row = row_of(sent.number);
    for (std::uint32_t index = 0; index < row_words_; ++index) {
        std::uint64_t lost = row[index] & live_.word(index);
        for (std::uint16_t number = static_cast<std::uint16_t>(sent.number + 1);
             lost != 0 && number != next_number_; ++number) {
            lost &= ~row_of(number)[index];
        }
        for (; lost != 0; lost &= lost - 1) {
            ++counters_.versions_lost;
            wait_from(index * 64 + static_cast<std::uint32_t>(std::countr_zero(lost)),
                      table.tick());
        }
    }
}

// Everything older than the newest acknowledged snapshot's tick and not acknowledged is lost.
// Messages of one tick do not judge each other.
void PeerReplication::judge_losses(ObjectTable& table) {
    const std::uint32_t newest_tick = sent_at(newest_acked_).tick;
    const std::uint32_t back =
        std::min<std::uint32_t>(serial_distance(open_number_, newest_acked_), log_places - 1);
    bool all_settled = true;
    for (std::uint32_t i = back; i > 0; --i) {
        const std::uint16_t number = static_cast<std::uint16_t>(newest_acked_ - i);
        Sent& sent = sent_at(number);
        if (sent.number != number || sent.acked || sent.lost) continue;
        if (sent.tick == newest_tick) {
            if (all_settled) open_number_ = number;
            all_settled = false;
            continue;
        }
        mark_lost(table, sent);
    }
    if (all_settled) open_number_ = newest_acked_;
}

AckStatus PeerReplication::on_ack(ObjectTable& table, const SnapshotAck& ack) {
    const std::uint16_t last = static_cast<std::uint16_t>(next_number_ - 1);
    const std::uint16_t behind = serial_distance(ack.newest, last);
    const bool never_sent = ack.has_snapshot() && (sent_count_ == 0 || behind >= 0x8000);
    const std::uint16_t unconfirmed = serial_distance(confirmed_serial_, sent_serial_);
    const std::uint16_t ahead = serial_distance(confirmed_serial_, ack.control_serial);
    const bool is_old = ahead >= 0x8000;
    if ((never_sent || (!is_old && ahead > unconfirmed)) && !mutated<"ack-future">()) {
        ++counters_.acks_refused;
        return AckStatus::from_future;
    }
    if (!is_old) confirm_control(table, ack.control_serial);
    if (!ack.has_snapshot()) return AckStatus::ok;
    if (has_ack_ && ack.newest == newest_acked_ && ack.mask == acked_mask_) return AckStatus::ok;
    // Numbers that left the log, or belong to before the first one, find nothing there.
    const std::uint32_t known = log_back();
    if (behind >= known) return AckStatus::ok;
    mark_acked(ack.newest);
    for (std::uint32_t rest = ack.mask; rest != 0; rest &= rest - 1) {
        const std::uint32_t n = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (behind + 1u + n >= known) break;
        mark_acked(static_cast<std::uint16_t>(ack.newest - 1 - n));
    }
    if (has_ack_ && !serial_newer(ack.newest, newest_acked_) && ack.newest != newest_acked_) {
        return AckStatus::ok;
    }
    newest_acked_ = ack.newest;
    acked_mask_ = ack.mask;
    has_ack_ = true;
    judge_losses(table);
    return AckStatus::ok;
}

// The client says that it lacks what the server counts on: nothing sent so far is a baseline.
void PeerReplication::forget_base(std::uint32_t slot, std::uint64_t tick) {
    if (pending_.has(slot) && baseless_.has(slot)) {
        ++counters_.ids_coalesced;
        return;
    }
    baseless_.insert(slot);
    wait_from(slot, tick);
}

RequestStatus PeerReplication::on_keyframe_request(ObjectTable& table, ConstBytes bytes) {
    ++counters_.requests;
    KeyframeRequest request;
    if (!read_request(bytes, request)) {
        ++counters_.requests_refused;
        return RequestStatus::malformed;
    }
    const std::uint64_t interval = std::max<std::uint64_t>(config_.request_interval_ticks, 1);
    const std::uint64_t earned = (table.tick() - request_tick_) / interval;
    request_tick_ += earned * interval;
    request_tokens_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(request_tokens_ + earned, config_.request_burst));
    if (request_tokens_ == 0 && mutated<"request-limited">()) request_tokens_ = 1;
    if (request_tokens_ == 0) {
        ++counters_.requests_refused;
        return RequestStatus::too_often;
    }
    --request_tokens_;
    if (fault_ == PeerFault::ignore_requests || mutated<"request-answered">()) {
        return RequestStatus::ok;
    }
    sync(table);
    if (request.everything) {
        live_.visit([&](std::uint32_t slot) { forget_base(slot, table.tick()); });
        return RequestStatus::ok;
    }
    for (std::uint32_t i = 0; i < request.count; ++i) {
        const ObjectId id = request.ids[i];
        if (!table.is_alive(id) || !live_.has(id.slot)) {
            ++counters_.ids_ignored;
        } else {
            forget_base(id.slot, table.tick());
        }
    }
    return RequestStatus::ok;
}

bool PeerReplication::is_settled() const {
    if (!to_spawn_.empty() || !to_despawn_.empty() || !to_owner_.empty() || !pending_.empty()) {
        return false;
    }
    if (confirmed_serial_ != sent_serial_) return false;
    for (std::uint16_t number = open_number_; number != next_number_; ++number) {
        const Sent& sent = sent_at(number);
        if (!sent.acked && !sent.lost && sent.count > 0) return false;
    }
    return true;
}

std::uint32_t PeerReplication::staleness(const ObjectTable& table) const {
    const std::uint16_t now = static_cast<std::uint16_t>(table.tick());
    std::uint32_t worst = 0;
    const auto look = [&](std::uint16_t since) {
        worst = std::max<std::uint32_t>(worst, static_cast<std::uint16_t>(now - since));
    };
    pending_.visit([&](std::uint32_t slot) { look(waits_since(table, slot)); });
    to_spawn_.visit([&](std::uint32_t slot) { look(told_[slot].waiting_since); });
    return worst;
}

std::size_t PeerReplication::memory() const {
    std::size_t bytes = sizeof *this + told_.capacity() * sizeof(Told) +
                        sent_.capacity() * sizeof(Sent) + rows_.capacity() * 8 +
                        built_.capacity() * 2 + outstanding_.capacity() * sizeof(Outstanding);
    for (const SlotSet* set :
         {&relevant_, &live_, &held_, &confirmed_, &leaving_, &fresh_, &baseless_, &to_spawn_,
          &to_despawn_, &to_owner_, &pending_, &aged_, &nearest_, &near_}) {
        bytes += set->memory() - sizeof *set;
    }
    return bytes;
}

}  // namespace wt::replication
