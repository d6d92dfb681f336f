// SPDX-License-Identifier: MIT
//
// The sending half of reliable ordered delivery: messages kept until acknowledged, fragments
// picked for transmission, losses found by timeout and by newer acknowledgements. It decides what
// goes next and when; sealing and writing datagrams is the connection's business.
// Spec: 000, acknowledgements and retransmission timing; backpressure.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/array_of.hpp"
#include "engine/base/grow_ring.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/pool_ring.hpp"
#include "engine/secure/ack_tracker.hpp"
#include "engine/secure/config.hpp"
#include "engine/secure/outgoing.hpp"
#include "engine/secure/rto.hpp"
#include "engine/secure/timer_heap.hpp"
#include "engine/secure/transmission_log.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

class ReliableSender {
public:
    // The connection is backlogged above the one or at the other.
    static constexpr std::uint64_t backlog_bytes_max = 8 * 1'024 * 1'024;
    static constexpr std::uint32_t outstanding_ids_max = 16'384;
    // Ids ahead of the oldest unacknowledged one that the receiver is sure to take.
    static constexpr std::uint32_t receiver_window = 1'024;
    static constexpr unsigned fast_retransmit_max = 16;

    explicit ReliableSender(BufferPool& pool)
        : pool_(pool), lanes_(array_of<OutLane, transport::lane_count>(pool)), timers_(pool) {}
    ~ReliableSender() { release_all(); }
    ReliableSender(const ReliableSender&) = delete;
    ReliableSender& operator=(const ReliableSender&) = delete;

    void reset(const Reliability& reliability, const InitialCounters& initial);

    // Takes a message: its id is the lane's next. The caller checked its size.
    void accept(Instant accepted_at, const transport::Message& message);

    // Over 8 MiB of payload, or 16,384 ids on a lane: the connection ends.
    [[nodiscard]] bool is_backlogged() const { return backlogged_; }

    // What to transmit now. The fragment must be transmitted: follow with transmitted(). Without
    // `may_seal` only messages that have their record counter already are picked.
    struct Pick {
        OutMessage* message = nullptr;
        std::uint16_t fragment = 0;
    };
    [[nodiscard]] bool pick(Instant now, bool may_seal, transport::Counters& counters, Pick& out);
    // The picked fragment left; returns its transmission sequence.
    std::uint16_t transmitted(Instant now, const Pick& pick, transport::Counters& counters);

    // Where observations go; nullptr = nowhere.
    using Samples = GrowRing<transport::Sample>;
    void on_ack(Instant now, const Ack& ack, transport::Counters& counters, Samples* samples);

    // When pick() may have something that it has not now; `now` or earlier if it has.
    [[nodiscard]] Instant next_deadline(bool may_seal) const;

    // Whether a lane could transmit a further message at once.
    [[nodiscard]] bool is_lane_clear(transport::Lane lane) const;
    // The lowest record counter that is not wholly acknowledged; 0 = none.
    [[nodiscard]] std::uint64_t oldest_record_counter() const { return oldest_counter_; }
    [[nodiscard]] std::uint32_t unsealed_count() const { return unsealed_; }
    // The connection sealed a picked message's record under this counter.
    void sealed(OutMessage& message, std::uint64_t counter);

    [[nodiscard]] const RtoEstimator& rto() const { return rto_; }
    void levels(Instant now, transport::ConnectionLevels& out) const;

private:
    struct OutLane {
        explicit OutLane(BufferPool& pool) : messages(pool) {}

        PoolRing<OutMessage> messages;  // From the oldest unacknowledged id to the newest.
        std::uint16_t next_id = 0;
        std::uint32_t unsent = 0;  // Place of the first message with an untransmitted fragment.

        [[nodiscard]] OutMessage* find(std::uint16_t id);
    };
    struct DueFragment {
        std::uint16_t message = 0;
        std::uint8_t fragment = 0;
        transport::Lane lane = transport::Lane::control;
    };

    OutMessage* message_of(const Transmission& transmission);
    void expire_timers(Instant now);
    void queue_retransmission(const Transmission& transmission, OutFragment& fragment);
    [[nodiscard]] bool pick_due(Pick& out);
    [[nodiscard]] bool pick_new(Instant now, bool may_seal, Pick& out);
    [[nodiscard]] bool pick_stalled(Instant now, transport::Counters& counters, Pick& out);
    [[nodiscard]] static bool has_new(const OutLane& lane, bool may_seal);
    [[nodiscard]] bool is_window_open() const {
        if (mutated<"f21-window">() && in_flight_ >= 8) return false;
        return reliability_.send_window == 0 || in_flight_ < reliability_.send_window ||
               mutated<"send-window">();
    }
    void drop_dead_transmissions();
    void acknowledge(Instant now, std::uint64_t number, transport::Counters& counters,
                     Samples* samples);
    void remember_acked(std::uint64_t number);
    void find_fast_losses(transport::Counters& counters);
    void release_front(unsigned number);
    [[nodiscard]] std::uint32_t held_bits(std::uint16_t sequence) const;
    void find_oldest_counter();
    void release_all();
    void pace(Instant now);

    BufferPool& pool_;
    Reliability reliability_;
    std::array<OutLane, transport::lane_count> lanes_;
    TransmissionLog log_;
    TimerHeap timers_;
    RtoEstimator rto_;
    GrowRing<DueFragment> due_;
    // The highest transmission numbers acknowledged so far, descending; 0 = none.
    std::array<std::uint64_t, fast_retransmit_max> acked_highest_{};
    std::uint64_t fast_scanned_ = 1;  // Numbers below were looked at for fast losses.
    std::uint64_t stall_round_end_ = 0;
    std::uint64_t outstanding_bytes_ = 0;
    std::uint32_t in_flight_ = 0;
    std::uint32_t unsealed_ = 0;
    std::uint64_t oldest_counter_ = 0;  // Kept as fronts are sealed and released.
    std::uint8_t next_lane_ = 0;
    std::uint8_t busy_ = 0;  // Bit n: lane n has messages.
    bool backlogged_ = false;
    bool stalled_ = false;
    Instant last_transmission_{};
    Instant pace_next_{};
};

}  // namespace wt::secure
