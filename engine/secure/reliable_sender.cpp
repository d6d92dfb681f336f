// SPDX-License-Identifier: MIT
//
// Taking messages, and deciding which fragment leaves next. What an acknowledgement does is in
// reliable_sender_acks.cpp.
#include "engine/secure/reliable_sender.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

namespace {

// Pacing may catch up this much of what a coarse flush grid made it miss: two 5 ms quanta.
constexpr Duration pace_catch_up = Duration::millis(10);

// Fragments that fall due at one acknowledgement: the tuned window.
constexpr std::size_t due_room = 64;

// How long a stall waits for acknowledgements before it sends again: two longest timeouts, so that
// the last transmissions had every chance to be answered.
constexpr Duration stall_patience = RtoEstimator::rto_max * 2;

}  // namespace

OutMessage* ReliableSender::OutLane::find(std::uint16_t id) {
    const std::uint16_t front_id = static_cast<std::uint16_t>(next_id - messages.size());
    const std::uint16_t offset = static_cast<std::uint16_t>(id - front_id);
    return offset < messages.size() ? &messages.at(offset) : nullptr;
}

void ReliableSender::reset(const Reliability& reliability, const InitialCounters& initial) {
    release_all();
    WT_CHECK(reliability.fast_retransmit <= fast_retransmit_max);
    reliability_ = reliability;
    for (OutLane& lane : lanes_) {
        lane.next_id = initial.message_id;
        lane.unsent = 0;
    }
    log_.reset(initial.transmission_sequence);
    timers_.release();
    due_.clear();
    due_.reserve(due_room);
    rto_ = RtoEstimator(reliability.rto_backoff);
    acked_highest_ = {};
    fast_scanned_ = 1;
    stall_round_end_ = 0;
    outstanding_bytes_ = 0;
    in_flight_ = 0;
    unsealed_ = 0;
    oldest_counter_ = 0;
    next_lane_ = 0;
    backlogged_ = false;
    stalled_ = false;
    last_transmission_ = {};
    pace_next_ = {};
}

void ReliableSender::accept(Instant accepted_at, const transport::Message& message) {
    WT_CHECK(message.bytes.size() <= record_plaintext_max);
    const std::uint32_t plain = static_cast<std::uint32_t>(message.bytes.size());
    OutLane& lane = lanes_[static_cast<unsigned>(message.lane)];
    OutMessage& out = lane.messages.push();
    out.record_bytes = plain + static_cast<std::uint32_t>(record_overhead);
    out.fragment_count = static_cast<std::uint16_t>((out.record_bytes + fragment_bytes_max - 1) /
                                                    fragment_bytes_max);
    out.body = pool_.take(out.record_bytes);
    if (plain != 0) std::memcpy(out.plaintext().data(), message.bytes.data(), plain);
    if (out.fragment_count > 1) {
        const std::uint32_t bytes =
            out.fragment_count * static_cast<std::uint32_t>(sizeof(OutFragment));
        out.extension = pool_.take(bytes);
        OutFragment* const fragments =
            static_cast<OutFragment*>(static_cast<void*>(out.extension.data));
        for (std::uint32_t i = 0; i < out.fragment_count; ++i)
            new (fragments + i) OutFragment;
    }
    out.unacked_plain = plain;
    out.accepted_at = accepted_at;
    out.tick = message.tick;
    out.kind = message.kind;
    out.lane = message.lane;
    out.id = lane.next_id++;
    busy_ = static_cast<std::uint8_t>(busy_ | 1u << static_cast<unsigned>(message.lane));
    ++unsealed_;
    outstanding_bytes_ += plain;
    if (outstanding_bytes_ > backlog_bytes_max && !mutated<"backlog-bytes">()) backlogged_ = true;
    if (lane.messages.size() >= outstanding_ids_max && !mutated<"backlog-ids">()) {
        backlogged_ = true;
    }
}

bool ReliableSender::pick(Instant now, bool may_seal, transport::Counters& counters, Pick& out) {
    expire_timers(now);
    drop_dead_transmissions();
    const bool is_full = log_.span() >= TransmissionLog::span_max;
    if (is_full && !mutated<"sequence-stall">() && !mutated<"f02-lap">()) {
        return pick_stalled(now, counters, out);
    }
    stalled_ = false;
    return pick_due(out) || pick_new(now, may_seal, out);
}

std::uint16_t ReliableSender::transmitted(Instant now, const Pick& pick,
                                          transport::Counters& counters) {
    OutMessage& message = *pick.message;
    OutFragment& fragment = message.fragment(pick.fragment);
    WT_CHECK(!fragment.acked);
    WT_CHECK(message.record_counter != 0);
    const std::uint64_t number = log_.add({.message = message.id,
                                           .fragment = static_cast<std::uint8_t>(pick.fragment),
                                           .lane = message.lane});
    fragment.latest = static_cast<std::uint32_t>(number);
    if (fragment.transmissions == 0) {
        WT_CHECK(pick.fragment == message.sent);
        fragment.first_sent = now;
        fragment.valid_from = fragment.latest;
        ++message.sent;
        ++in_flight_;
        OutLane& lane = lanes_[static_cast<unsigned>(message.lane)];
        if (message.sent == message.fragment_count) ++lane.unsent;
        pace(now);
    } else {
        ++counters.retransmits;
        // Inside a stall the fragment's older transmissions are given up: they match no more.
        if (stalled_) fragment.valid_from = fragment.latest;
    }
    if (fragment.transmissions < 255) ++fragment.transmissions;
    ++counters.fragments_sent;
    last_transmission_ = now;
    fragment.doublings = static_cast<std::uint8_t>(rto_.doublings(fragment.timeouts));
    const Duration wait = mutated<"f05-first-timeout">() ? rto_.smoothed() / 2 + Duration::millis(1)
                                                         : rto_.timeout(fragment.timeouts);
    timers_.add({now + wait, number});
    return log_.sequence_of(number);
}

void ReliableSender::sealed(OutMessage& message, std::uint64_t counter) {
    WT_CHECK(message.record_counter == 0);
    WT_CHECK(counter != 0);
    message.record_counter = counter;
    // Counters only grow: the first one outstanding is the oldest until it is released.
    if (oldest_counter_ == 0) oldest_counter_ = counter;
    WT_CHECK(unsealed_ > 0);
    --unsealed_;
}

void ReliableSender::expire_timers(Instant now) {
    const Instant due = mutated<"f28-expiry">() ? now - Duration::nanos(1) : now;
    while (!timers_.empty() && timers_.top().deadline <= due) {
        const std::uint64_t number = timers_.top().number;
        timers_.pop();
        if (number < log_.oldest()) continue;
        const Transmission transmission = log_.at(number);
        OutMessage* const message = message_of(transmission);
        if (message == nullptr) continue;
        OutFragment& fragment = message->fragment(transmission.fragment);
        if (fragment.acked || fragment.due) continue;
        if (fragment.latest != static_cast<std::uint32_t>(number)) continue;
        rto_.add_timeout(fragment.doublings);
        if (fragment.timeouts < 255) ++fragment.timeouts;
        queue_retransmission(transmission, fragment);
    }
}

void ReliableSender::queue_retransmission(const Transmission& transmission, OutFragment& fragment) {
    fragment.due = true;
    due_.push() = {.message = transmission.message,
                   .fragment = transmission.fragment,
                   .lane = transmission.lane};
}

bool ReliableSender::pick_due(Pick& out) {
    while (!due_.empty()) {
        const DueFragment next = due_.front();
        due_.pop();
        OutMessage* const message = lanes_[static_cast<unsigned>(next.lane)].find(next.message);
        if (message == nullptr) continue;
        OutFragment& fragment = message->fragment(next.fragment);
        if (!fragment.due || fragment.acked) continue;
        fragment.due = false;
        out = {message, next.fragment};
        return true;
    }
    return false;
}

bool ReliableSender::has_new(const OutLane& lane, bool may_seal) {
    // A message further ahead than the receiver's window would have to be refused.
    if (lane.unsent >= lane.messages.size()) return false;
    if (lane.unsent >= receiver_window && !mutated<"receivers-window">()) return false;
    return may_seal || lane.messages.at(lane.unsent).record_counter != 0;
}

bool ReliableSender::pick_new(Instant now, bool may_seal, Pick& out) {
    if (!is_window_open()) return false;
    if (reliability_.pacing != Pacing::none && pace_next_ > now) return false;
    // One fragment a lane in turn: a long record never holds up the short ones of other lanes.
    for (unsigned step = 0; busy_ != 0 && step < transport::lane_count; ++step) {
        OutLane& lane = lanes_[(next_lane_ + step) % transport::lane_count];
        if (!has_new(lane, may_seal)) continue;
        const unsigned after = mutated<"lane-turns">() ? 0 : next_lane_ + step + 1;
        next_lane_ = static_cast<std::uint8_t>(after % transport::lane_count);
        OutMessage& message = lane.messages.at(lane.unsent);
        out = {&message, message.sent};
        return true;
    }
    return false;
}

// The log is full: acknowledgements have not come for 32,768 transmissions. Wait for them; when
// patience ends, send the oldest fragments once more each, giving up what was
// sent of them before, so that a receiver whose acknowledgements were all lost speaks again.
bool ReliableSender::pick_stalled(Instant now, transport::Counters& counters, Pick& out) {
    if (!stalled_) ++counters.sequence_stalls;
    stalled_ = true;
    if (now - last_transmission_ >= stall_patience) stall_round_end_ = log_.next();
    if (log_.oldest() >= stall_round_end_) return false;
    const Transmission transmission = log_.at(log_.oldest());
    OutMessage* const message = message_of(transmission);
    WT_CHECK(message != nullptr);
    message->fragment(transmission.fragment).due = false;
    out = {message, transmission.fragment};
    return true;
}

void ReliableSender::drop_dead_transmissions() {
    while (log_.span() != 0) {
        const std::uint64_t number = log_.oldest();
        const Transmission& transmission = log_.at(number);
        OutMessage* const message = message_of(transmission);
        if (message != nullptr) {
            const OutFragment& fragment = message->fragment(transmission.fragment);
            // Serial arithmetic on the low bits: numbers in the log lie 32,768 apart at most.
            const std::uint32_t since = static_cast<std::uint32_t>(number) - fragment.valid_from;
            if (!fragment.acked && since < 0x8000'0000u) return;
        }
        log_.drop_before(number + 1);
    }
}

OutMessage* ReliableSender::message_of(const Transmission& transmission) {
    return lanes_[static_cast<unsigned>(transmission.lane)].find(transmission.message);
}

void ReliableSender::pace(Instant now) {
    Duration interval{};
    switch (reliability_.pacing) {
        case Pacing::none:
            return;
        case Pacing::window_over_srtt:
            if (!rto_.has_sample() || reliability_.send_window == 0) return;
            interval = rto_.smoothed() / std::int64_t{reliability_.send_window};
            break;
        case Pacing::rate:
            // A full fragment's datagram at the rate: bits * 10^9 fits 64 bits easily.
            interval = Duration::nanos(static_cast<std::int64_t>(
                std::uint64_t{session_datagram_bytes_max} * 8 * 1'000'000'000 /
                std::max<std::uint64_t>(reliability_.pacing_rate.bits_per_second, 1)));
            break;
    }
    pace_next_ = std::max(pace_next_, now - pace_catch_up) + interval;
}

Instant ReliableSender::next_deadline(bool may_seal) const {
    Instant next = timers_.empty() ? Instant::never() : timers_.top().deadline;
    if (log_.span() >= TransmissionLog::span_max) {
        // Nothing but acknowledgements, or the round that the end of patience begins.
        return log_.oldest() < stall_round_end_ ? Instant{} : last_transmission_ + stall_patience;
    }
    if (!due_.empty()) return Instant{};
    if (!is_window_open()) return next;
    for (std::uint8_t rest = busy_; rest != 0; rest &= static_cast<std::uint8_t>(rest - 1)) {
        const OutLane& lane = lanes_[static_cast<unsigned>(std::countr_zero(rest))];
        if (!has_new(lane, may_seal)) continue;
        const bool paced = reliability_.pacing != Pacing::none;
        next = std::min(next, paced ? pace_next_ : Instant{});
    }
    return next;
}

bool ReliableSender::is_lane_clear(transport::Lane lane) const {
    const OutLane& out = lanes_[static_cast<unsigned>(lane)];
    return is_window_open() && out.unsent == out.messages.size() && out.unsent < receiver_window;
}

void ReliableSender::find_oldest_counter() {
    std::uint64_t oldest = 0;
    for (std::uint8_t rest = busy_; rest != 0; rest &= static_cast<std::uint8_t>(rest - 1)) {
        const OutLane& lane = lanes_[static_cast<unsigned>(std::countr_zero(rest))];
        const std::uint64_t counter = lane.messages.front().record_counter;
        if (counter != 0 && (oldest == 0 || counter < oldest)) oldest = counter;
    }
    oldest_counter_ = oldest;
}

void ReliableSender::levels(Instant now, transport::ConnectionLevels& out) const {
    out.backlog_bytes += outstanding_bytes_;
    out.has_rtt_sample = rto_.has_sample();
    out.srtt = rto_.smoothed();
    unsigned timeouts = 0;
    Instant oldest_sent = now;
    for (std::uint8_t rest = busy_; rest != 0; rest &= static_cast<std::uint8_t>(rest - 1)) {
        const unsigned i = static_cast<unsigned>(std::countr_zero(rest));
        const OutLane& lane = lanes_[i];
        const OutMessage& front = lane.messages.front();
        if (front.first_unacked < front.sent) {
            const OutFragment& fragment = front.fragment(front.first_unacked);
            if (fragment.first_sent < oldest_sent) {
                oldest_sent = fragment.first_sent;
                timeouts = fragment.timeouts;
            }
        }
        // The oldest message of which no byte has left: the first unsent one, or the one after
        // it where that is under way.
        std::uint32_t place = lane.unsent;
        if (place < lane.messages.size() && lane.messages.at(place).sent != 0) ++place;
        if (place < lane.messages.size()) {
            const Duration age = now - lane.messages.at(place).accepted_at;
            out.queue_age[i] = std::max(out.queue_age[i], age);
        }
    }
    out.unacked_age = now - oldest_sent;
    out.rto = rto_.timeout(timeouts);
}

}  // namespace wt::secure
