// SPDX-License-Identifier: MIT
//
// What an acknowledgement does to the reliable sender: fragments are released, round trips
// sampled, losses inferred, messages let go.  Spec: 000, acknowledgements.
#include <algorithm>
#include <bit>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/secure/reliable_sender.hpp"

namespace wt::secure {

namespace {

// Observations that nobody drains are dropped beyond this many.
constexpr std::uint32_t samples_max = 4'096;

void add_sample(ReliableSender::Samples* samples, const transport::Sample& sample) {
    if (samples == nullptr || samples->size() >= samples_max) return;
    samples->push() = sample;
}

}  // namespace

void ReliableSender::on_ack(Instant now, const Ack& ack, transport::Counters& counters,
                            Samples* samples) {
    std::uint64_t number = 0;
    ++counters.ack_steps;
    if (log_.find(ack.sequence, number)) {
        acknowledge(now, number, counters, samples);
    } else {
        // Of a transmission long settled, or never made: it names nothing that we hold. The mask
        // may still reach into what is held.
        const std::uint16_t behind =
            static_cast<std::uint16_t>(log_.sequence_of(log_.next() - 1) - ack.sequence);
        if (behind >= 0x8000 && !mutated<"ack-unknown">()) {
            counters.count(transport::Refusal::ack_unknown);
            if (mutated<"f22-ack-buys-bytes">() && log_.span() != 0) {
                const Transmission& oldest = log_.at(log_.oldest());
                queue_retransmission(oldest, message_of(oldest)->fragment(oldest.fragment));
            }
            return;
        }
    }
    // Set bits only, and only as far back as the log goes: most of a mask repeats old news.
    for (std::uint32_t rest = ack.mask & held_bits(ack.sequence); rest != 0; rest &= rest - 1) {
        const unsigned bit = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint16_t before = static_cast<std::uint16_t>(ack.sequence - 1 - bit);
        ++counters.ack_steps;
        if (log_.find(before, number)) acknowledge(now, number, counters, samples);
    }
    if (mutated<"f24-ack-work">()) counters.ack_steps += log_.span();
    if (reliability_.fast_retransmit != 0) find_fast_losses(counters);
    for (std::uint8_t rest = busy_; rest != 0; rest &= static_cast<std::uint8_t>(rest - 1)) {
        release_front(static_cast<unsigned>(std::countr_zero(rest)));
    }
    drop_dead_transmissions();
}

void ReliableSender::acknowledge(Instant now, std::uint64_t number, transport::Counters& counters,
                                 Samples* samples) {
    const Transmission transmission = log_.at(number);
    OutMessage* const message = message_of(transmission);
    if (message == nullptr) return;
    OutFragment& fragment = message->fragment(transmission.fragment);
    if (fragment.acked) return;
    const std::uint32_t low = static_cast<std::uint32_t>(number);
    const bool is_latest = fragment.latest == low;
    const bool is_valid = low - fragment.valid_from < 0x8000'0000u;
    if (!is_valid) return;
    const bool asks_any = reliability_.ack_matching == AckMatching::any;
    const bool any = (asks_any && !mutated<"ack-any">()) || mutated<"latest-only">();
    if (!is_latest && !any) return;

    fragment.acked = true;
    fragment.due = false;
    ++counters.acked;
    WT_CHECK(in_flight_ > 0);
    if (!(mutated<"f06-in-flight">() && number % 4 == 0)) --in_flight_;
    // Karn: a fragment sent more than once makes no sample, whichever sending was meant.
    if (fragment.transmissions == 1 || mutated<"karn">()) {
        Duration rtt = now - fragment.first_sent;
        if (mutated<"f16-coarse-sample">()) rtt = Duration::millis(rtt.ns / 8'000'000 * 8);
        rto_.add_sample(rtt);
        add_sample(samples, {.what = transport::Sample::What::rtt,
                             .lane = message->lane,
                             .connection = {},
                             .value = rtt.ns,
                             .message = message->id,
                             .fragment = transmission.fragment});
    }
    add_sample(samples, {.what = transport::Sample::What::transmissions,
                         .lane = message->lane,
                         .connection = {},
                         .value = fragment.transmissions,
                         .message = message->id,
                         .fragment = transmission.fragment});

    ++message->acked;
    const std::uint32_t share =
        message->is_released()
            ? message->unacked_plain
            : std::min(message->unacked_plain, message->fragment_bytes(transmission.fragment));
    message->unacked_plain -= share;
    WT_CHECK(outstanding_bytes_ >= share);
    outstanding_bytes_ -= share;
    while (message->first_unacked < message->fragment_count &&
           message->fragment(message->first_unacked).acked) {
        ++message->first_unacked;
    }
    if (reliability_.fast_retransmit != 0) remember_acked(number);
}

// Which bits of the mask behind `sequence` name transmissions that the log still holds.
std::uint32_t ReliableSender::held_bits(std::uint16_t sequence) const {
    const std::uint16_t behind =
        static_cast<std::uint16_t>(log_.sequence_of(log_.next() - 1) - sequence);
    if (log_.span() <= std::uint64_t{behind} + 1) return 0;
    const std::uint64_t held = log_.span() - behind - 1;
    return held >= 32 ? ~std::uint32_t{0} : (1u << held) - 1;
}

void ReliableSender::remember_acked(std::uint64_t number) {
    // Insertion into a short descending list; the lowest falls out.
    for (unsigned i = 0; i < reliability_.fast_retransmit; ++i) {
        if (number > acked_highest_[i]) std::swap(number, acked_highest_[i]);
    }
}

// A transmission is lost when so many newer ones were acknowledged. Each number is looked at once:
// what is resent gets a new number, and with it a new chance of being found lost.
void ReliableSender::find_fast_losses(transport::Counters& counters) {
    const unsigned nth = mutated<"fast-three">() ? 1 : reliability_.fast_retransmit;
    const std::uint64_t below = acked_highest_[nth - 1];
    fast_scanned_ = std::max(fast_scanned_, log_.oldest());
    if (mutated<"f20-once">()) fast_scanned_ = log_.oldest();
    for (; fast_scanned_ < below; ++fast_scanned_) {
        const Transmission transmission = log_.at(fast_scanned_);
        OutMessage* const message = message_of(transmission);
        if (message == nullptr) continue;
        OutFragment& fragment = message->fragment(transmission.fragment);
        if (fragment.acked || fragment.due) continue;
        const bool is_latest = fragment.latest == static_cast<std::uint32_t>(fast_scanned_);
        if (!is_latest && !mutated<"f20-once">()) continue;
        queue_retransmission(transmission, fragment);
        ++counters.fast_retransmits;
    }
}

void ReliableSender::release_front(unsigned number) {
    OutLane& lane = lanes_[number];
    const std::uint32_t before = lane.messages.size();
    while (!lane.messages.empty() && lane.messages.front().is_released()) {
        OutMessage& front = lane.messages.front();
        WT_CHECK(lane.unsent > 0);
        pool_.give_back(front.body);
        pool_.give_back(front.extension);
        lane.messages.pop();
        --lane.unsent;
    }
    if (lane.messages.size() == before) return;
    if (lane.messages.empty()) busy_ = static_cast<std::uint8_t>(busy_ & ~(1u << number));
    find_oldest_counter();
}

void ReliableSender::release_all() {
    for (OutLane& lane : lanes_) {
        for (std::uint32_t i = 0; i < lane.messages.size(); ++i) {
            pool_.give_back(lane.messages.at(i).body);
            pool_.give_back(lane.messages.at(i).extension);
        }
        lane.messages.release();
        lane.unsent = 0;
    }
    busy_ = 0;
}

}  // namespace wt::secure
