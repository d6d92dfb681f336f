// SPDX-License-Identifier: MIT
//
// Everything about an established connection that needs no key: queues, lanes, acknowledgements,
// liveness, closing. Connection<S> puts packets and records around it.
// Spec: 000, independent lanes; backpressure; keepalives and timeout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/secure/ack_tracker.hpp"
#include "engine/secure/config.hpp"
#include "engine/secure/inbox.hpp"
#include "engine/secure/latest_values.hpp"
#include "engine/secure/path_validation.hpp"
#include "engine/secure/reassembly.hpp"
#include "engine/secure/reliable_sender.hpp"
#include "engine/secure/unreliable_queue.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::secure {

class ConnectionState {
public:
    // Copies of a goodbye and their distance: five are all lost once in 10^5 at 10 % loss.
    static constexpr unsigned close_copies = 5;
    static constexpr Duration close_interval = Duration::millis(100);
    // This many violations close the connection; one fewer keeps it.
    static constexpr std::uint64_t violations_max = 64;
    // The receiver refuses records that lie so far behind the newest.
    static constexpr std::uint64_t record_span_max = 4'096;

    enum class Phase : std::uint8_t { closed, open, closing };

    explicit ConnectionState(BufferPool& pool)
        : sender(pool), reassembly(pool), unreliable(pool), latest(pool), inbox(pool) {}

    void open(Instant now, const ConnectionConfig& connection_config, transport::ConnectionId id,
              bool is_client);
    // Gives every buffer back; the phase is closed. Counters stay.
    void forget();
    void advance(Instant now);
    [[nodiscard]] transport::SendStatus send(Instant now, const transport::Message& message);
    void close(Instant now, transport::CloseReason reason);
    // The other end's goodbye, or the end of our own.
    void end(transport::CloseReason reason);

    // Something authentic came in.
    void note_authentic(Instant now);
    void note_violation(Instant now);
    [[nodiscard]] bool is_client() const { return is_client_; }

    // Whether one more record may be sealed without leaving the oldest reliable one behind the
    // receiver's record window.
    [[nodiscard]] bool may_seal() const;
    // Moves latest values whose lanes are clear into their lanes.
    void commit_latest();
    [[nodiscard]] Instant next_deadline() const;
    void levels(Instant now, transport::ConnectionLevels& out) const;

    // Rooms, open to Connection<S>.
    ReliableSender sender;
    Reassembly reassembly;
    UnreliableQueue unreliable;
    LatestValues latest;
    Inbox inbox;
    AckTracker acks;
    PathValidation path;  // A server's.
    ReliableSender::Samples samples;
    transport::Counters counters;
    ConnectionConfig config;
    transport::ConnectionId connection;

    Phase phase = Phase::closed;
    transport::CloseReason reason = transport::CloseReason::none;
    unsigned close_copies_left = 0;
    Instant close_next{};
    Instant last_sent{};
    Instant last_authentic{};
    Duration silence_max{};
    std::uint64_t record_counter = 0;  // Last one sealed.

    // Sequenced delivery, per lane: ours out, theirs in.
    struct Sequences {
        std::uint16_t sent = 0;
        std::uint16_t accepted = 0;
        bool has_accepted = false;
    };
    std::array<Sequences, transport::lane_count> sequences{};

    // A client's: the challenge to answer. A newer one makes an older one worthless.
    std::optional<std::uint64_t> path_challenged{};

private:
    void commit(const LatestValues::Entry& value);
    [[nodiscard]] bool would_outrun_record(std::uint32_t extra) const;
    [[nodiscard]] std::uint8_t clear_lanes() const;

    std::uint32_t channel_count_ = 0;  // Messages since the worker last looked.
    bool is_client_ = false;
};

}  // namespace wt::secure
