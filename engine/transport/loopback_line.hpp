// SPDX-License-Identifier: MIT
//
// The data path of one loopback session: a queue of messages on their way out, cut into datagrams
// in order, and their reassembly at the other end. There are no acknowledgements: a gap in the
// reliable sequence is the end of the session.
#pragma once

#include "engine/base/buffer_pool.hpp"
#include "engine/base/grow_ring.hpp"
#include "engine/transport/endpoint.hpp"
#include "engine/transport/loopback_wire.hpp"

namespace wt::transport::loopback {

class Line {
public:
    // Bytes accepted and not yet taken by the driver, and messages not yet taken by the
    // application; as the real transport's backlog.
    static constexpr std::uint64_t backlog_bytes_max = 8 * 1'024 * 1'024;
    static constexpr std::uint32_t inbox_messages_max = 16'384;

    explicit Line(BufferPool& pool) : pool_(pool) {}

    void open(Instant now, std::uint32_t epoch);
    // Gives every buffer back; counters stay.
    void forget();
    // What was accepted and not yet taken by the driver is gone.
    void drop_output();

    [[nodiscard]] SendStatus send(Instant now, const Message& message);
    // A data frame behind its header. False: the session cannot go on, for end_reason().
    [[nodiscard]] bool receive(Instant now, FrameKind kind, ByteReader reader, const Label& label);
    // The next data datagram; false when the queue is empty.
    [[nodiscard]] bool next_datagram(Instant now, Datagram& out);
    [[nodiscard]] bool next_message(Received& out);

    void note_heard(Instant now);
    void note_sent(Instant now, std::size_t bytes);
    [[nodiscard]] bool has_output() const { return !outbox_.empty(); }
    [[nodiscard]] std::uint32_t inbox_count() const { return inbox_.size(); }
    [[nodiscard]] Instant last_heard() const { return last_heard_; }
    [[nodiscard]] Instant last_sent() const { return last_sent_; }
    [[nodiscard]] CloseReason end_reason() const { return end_reason_; }
    [[nodiscard]] Counters& counters() { return counters_; }
    [[nodiscard]] const Counters& counters() const { return counters_; }
    void levels(Instant now, ConnectionLevels& out) const;

private:
    struct Item {
        PoolBuffer body{};
        std::uint32_t bytes = 0;
        std::uint32_t done = 0;  // Out: handed to the driver. In: received.
        Instant accepted_at{};
        std::uint32_t tick = 0;
        std::uint16_t id = 0;
        Lane lane = Lane::control;
        Delivery delivery = Delivery::reliable_ordered;
        Kind kind = Kind::data;
    };
    struct LaneState {
        std::uint16_t message_next = 0;
        std::uint16_t sequence_sent = 0;
        std::uint16_t sequence_accepted = 0;
        bool has_accepted = false;
    };

    [[nodiscard]] bool receive_reliable(ByteReader& reader, const Label& label);
    void receive_single(ByteReader& reader, bool sequenced, const Label& label);
    // Room for a message in the inbox; nullptr when it is full, which is counted.
    [[nodiscard]] Item* add_to_inbox(const Label& label, std::uint32_t bytes);
    bool fail(CloseReason reason, Refusal why);

    BufferPool& pool_;
    GrowRing<Item> outbox_;
    GrowRing<Item> inbox_;  // Complete messages.
    Item assembling_{};     // The one reliable message whose chunks come in; they are contiguous.
    PoolBuffer handed_out_{};
    std::array<LaneState, lane_count> lanes_{};
    std::uint64_t backlog_bytes_ = 0;
    std::uint32_t epoch_ = 0;
    std::uint32_t sequence_sent_ = 0;
    std::uint32_t sequence_next_ = 1;
    Instant last_heard_{};
    Instant last_sent_{};
    Duration silence_max_{};
    CloseReason end_reason_ = CloseReason::none;
    Counters counters_{};
};

}  // namespace wt::transport::loopback
