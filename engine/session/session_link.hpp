// SPDX-License-Identifier: MIT
//
// What server and client have in common: one session's windows, sequences, budgets and queue.
// It checks what comes in without changing anything but counters, and commits afterwards.
// Inside of engine/session; programs use ServerSession and ClientSession.
#pragma once

#include "engine/base/grow_ring.hpp"
#include "engine/session/adapter.hpp"
#include "engine/session/event.hpp"
#include "engine/session/limits.hpp"
#include "engine/session/send_queue.hpp"
#include "engine/session/sequence_window.hpp"

namespace wt::session {

// Epoch of hello, welcome and refuse: before the session has one of its own.
inline constexpr std::uint64_t negotiation_epoch = 1;

// The tick that a payload of a ticked kind names; false if the payload is too short to say.
struct TickPeek {
    bool (*function)(const void* state, Kind kind, ConstBytes payload,
                     std::uint32_t& tick) = nullptr;
    const void* state = nullptr;
};

// Of one session. Wrap silently; whoever watches takes differences.
struct LinkCounters {
    std::array<std::uint32_t, stage_count> refused{};
    std::array<std::uint32_t, sequence_result_count> sequences{};
    std::uint64_t bytes_in = 0;  // Envelopes included.
    std::uint64_t bytes_out = 0;
    std::uint32_t messages_in = 0;
    std::uint32_t messages_out = 0;
    std::uint32_t expired = 0;      // Lossy messages that waited past their deadline.
    std::uint32_t would_block = 0;  // Times that the transport took nothing from a channel.

    [[nodiscard]] std::uint32_t of(Stage stage) const {
        return refused[static_cast<unsigned>(stage)];
    }
    [[nodiscard]] std::uint32_t of(SequenceResult result) const {
        return sequences[static_cast<unsigned>(result)];
    }
};

// What all links of a session share.
struct LinkShared {
    const KindTable& kinds;
    const Limits& limits;
    const LaneWeights& weights;
    TickPeek peek{};
    Sender self = Sender::server;
    QueueStore& store;
    MutableBytes scratch{};  // For one envelope or bulk record.
    GrowRing<SessionEvent>& events;
};

class SessionLink {
public:
    enum class Judgement : std::uint8_t { accepted, refused, repeated };

    // A message that passed every check but its payload's, and what committing it changes.
    struct Staged {
        Envelope envelope{};
        const KindRule* rule = nullptr;
        SequenceWindow window{};
        SequenceResult result = SequenceResult::newest;
        std::uint32_t tick = 0;
        std::uint32_t bytes = 0;
    };

    void open(PeerHandle self, transport::ConnectionId connection, const Readiness& readiness,
              const Limits& limits);
    // Fresh windows and sequences. What is queued keeps the epoch it was written with.
    void begin_epoch(std::uint64_t epoch, const Limits& limits);
    void agree(std::uint32_t message_bytes, Profile profile);
    void release(QueueStore& store);

    // Every check from the epoch to the budgets, in their order. Counts; changes nothing else.
    [[nodiscard]] Judgement judge(const LinkShared& shared, std::uint64_t tick,
                                  const transport::Received& received, Staged& out);
    void commit(const Staged& staged);
    // Counts a refusal at a stage, and a violation where no honest peer causes it.
    void refuse(Stage stage);

    [[nodiscard]] SendStatus send(const LinkShared& shared, Instant now, Kind kind,
                                  std::uint32_t tick, ConstBytes payload, BatchPlace batch = {});
    void begin_tick(const LinkShared& shared, Instant now);
    void pump(const LinkShared& shared, Instant now, transport::Endpoint& endpoint);
    BulkVerdict receive_bulk(const LinkShared& shared, ConstBytes record, BulkChunk& out);

    // Nothing waits here or unacknowledged in the transport.
    [[nodiscard]] bool is_flushed(Instant now, const transport::Endpoint& endpoint) const;
    [[nodiscard]] bool is_control_overdue(const LinkShared& shared, Instant now) const;
    [[nodiscard]] Duration queue_age(const QueueStore& store, Instant now, Channel channel) const;

    State state = State::idle;
    EndReason reason = EndReason::none;
    Instant deadline = Instant::never();  // Of the state.

    [[nodiscard]] transport::ConnectionId connection() const { return connection_; }
    [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
    [[nodiscard]] Profile profile() const { return profile_; }
    [[nodiscard]] std::uint32_t message_bytes() const { return message_bytes_; }
    [[nodiscard]] std::uint32_t violations() const { return violations_; }
    [[nodiscard]] const LinkCounters& counters() const { return counters_; }
    [[nodiscard]] const SequenceWindow& window(Channel channel) const {
        return windows_[static_cast<unsigned>(channel)];
    }
    [[nodiscard]] const SendQueue& queue() const { return queue_; }
    [[nodiscard]] std::uint32_t messages_left() const { return messages_left_; }
    [[nodiscard]] std::uint32_t bytes_left() const { return bytes_left_; }
    [[nodiscard]] std::uint32_t commands_left() const { return commands_left_; }
    [[nodiscard]] BulkLane& bulk() { return bulk_; }

private:
    [[nodiscard]] bool fits_lane(const transport::Received& received, Channel channel) const;
    [[nodiscard]] bool is_tick_in_range(const LinkShared& shared, std::uint64_t tick,
                                        std::uint32_t named) const;
    [[nodiscard]] Judgement refused_at(Stage stage) {
        refuse(stage);
        return Judgement::refused;
    }
    [[nodiscard]] AdapterStatus hand_over(const LinkShared& shared, Instant now,
                                          transport::Endpoint& endpoint, Channel channel);

    std::array<SequenceWindow, channel_count> windows_{};
    std::array<std::uint32_t, channel_count> next_sequence_{};
    SendQueue queue_{};
    BulkLane bulk_{};
    LinkCounters counters_{};
    PeerHandle self_{};
    transport::ConnectionId connection_{};
    std::uint64_t epoch_ = 0;
    std::uint32_t message_bytes_ = 0;
    std::uint32_t messages_left_ = 0;
    std::uint32_t bytes_left_ = 0;
    std::uint32_t commands_left_ = 0;
    std::uint32_t egress_left_ = 0;
    std::uint32_t violations_ = 0;
    Profile profile_ = Profile::full;
};

}  // namespace wt::session
