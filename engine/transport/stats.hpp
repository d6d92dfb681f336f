// SPDX-License-Identifier: MIT
//
// What an endpoint tells about itself. Counters only ever grow; levels are read at an instant.
// `acked`, `reassembled`, `decrypted` and `delivered` are apart on purpose: an acknowledged
// fragment is not yet a message, and a message is not yet applied.
#pragma once

#include <array>
#include <cstdint>

#include "engine/transport/message.hpp"

namespace wt::transport {

// Why bytes from outside changed nothing. One counter each; append only.
enum class Refusal : std::uint8_t {
    too_short,
    too_long,
    bad_magic,
    bad_version,
    unknown_kind,
    unknown_source,  // Session datagram from an address without a connection.
    bad_cookie,
    bad_handshake,  // A handshake datagram that does not parse.
    protocol_version,
    capabilities,
    pending_full,
    authorising_full,
    server_full,
    not_authorised,
    bad_join_proof,
    bad_accept_proof,
    bad_public_key,  // Low order.
    unexpected,      // Well-formed, but not in this state.
    bad_tag,
    packet_replayed,
    packet_too_old,
    record_bad,
    record_replayed,
    record_too_old,
    malformed,  // Authentic, but its fields do not parse.
    violation_lane,
    violation_count,
    violation_count_changed,
    violation_index,
    violation_size,
    reassembly_window,
    reassembly_budget,
    not_newer,    // Sequenced mode: older than the lane's last.
    ack_unknown,  // Acknowledges what was never sent.
    inbox_full,   // The application did not drain its events.
};
inline constexpr unsigned refusal_count = 35;
[[nodiscard]] const char* name_of(Refusal refusal);

struct Counters {
    std::uint64_t datagrams_sent = 0;
    std::uint64_t datagrams_received = 0;  // Authentic or well-formed; refused ones are below.
    std::uint64_t bytes_sent = 0;          // UDP payload bytes.
    std::uint64_t bytes_received = 0;
    std::uint64_t messages_accepted = 0;   // By Send.
    std::uint64_t messages_replaced = 0;   // Latest-value payloads that were overwritten unsent.
    std::uint64_t unreliable_dropped = 0;  // Oldest of a full unreliable queue.
    std::uint64_t fragments_sent = 0;      // Reliable transmissions, first ones and repeats.
    std::uint64_t retransmits = 0;
    std::uint64_t fast_retransmits = 0;  // Of those, before their timeout.
    std::uint64_t acked = 0;             // Fragments released by an acknowledgement.
    std::uint64_t reassembled = 0;       // Records complete at this end.
    std::uint64_t decrypted = 0;         // Records opened at this end.
    std::uint64_t delivered = 0;         // Messages handed to the application.
    std::uint64_t duplicates = 0;        // Fragments held or delivered already; acknowledged.
    std::uint64_t acks_sent = 0;
    std::uint64_t keepalives_sent = 0;
    std::uint64_t sequence_stalls = 0;  // Waits for the oldest outstanding transmission.
    std::uint64_t sealed = 0;           // AEAD calls: records and packets sealed.
    std::uint64_t opened = 0;           // AEAD calls: records and packets that opened.
    std::uint64_t violations = 0;
    std::uint64_t ack_steps = 0;      // Transmissions that acknowledgements made us look at.
    std::uint64_t path_searches = 0;  // Looks for a session that an unknown address may belong to.
    std::uint64_t path_trials = 0;    // Tags tried in them.
    std::uint64_t path_challenges = 0;  // Sent.
    std::uint64_t path_moves = 0;       // Sessions that live at a new address.
    std::array<std::uint64_t, refusal_count> refused{};

    // Adds every counter of another endpoint or connection to these.
    void add(const Counters& other);
    void count(Refusal refusal) { ++refused[static_cast<unsigned>(refusal)]; }
    [[nodiscard]] std::uint64_t of(Refusal refusal) const {
        return refused[static_cast<unsigned>(refusal)];
    }
};

// Levels of one connection at `now`. Ages are 0 where nothing waits.
struct ConnectionLevels {
    bool has_rtt_sample = false;
    Duration srtt{};
    Duration rto{};  // Of the oldest unacknowledged fragment with backoff, else the base timeout.
    Duration unacked_age{};
    std::array<Duration, lane_count> queue_age{};  // Accepted, and no byte handed over yet.
    std::uint64_t backlog_bytes = 0;     // Reliable: not acknowledged. Unreliable: not handed over.
    std::uint64_t reassembly_bytes = 0;  // In incomplete messages at this end.
    Instant last_authentic{};            // When something authentic last came in.
    Duration silence_max{};              // Longest finished gap between authentic datagrams.
};

// One observation of the sender, drained like events. Kept only while observation is on.
struct Sample {
    enum class What : std::uint8_t { rtt, transmissions };
    What what = What::rtt;
    Lane lane = Lane::control;
    ConnectionId connection{};
    std::int64_t value = 0;     // rtt: ns. transmissions: how often the fragment was sent.
    std::uint16_t message = 0;  // Whose acknowledgement it was: message id and fragment.
    std::uint8_t fragment = 0;
};

// What a transport can do, exactly (seed 001's adapter contract).
struct Capabilities {
    bool datagrams = false;
    std::uint8_t reliable_lanes = 0;
    std::array<std::uint32_t, lane_count> largest_reliable{};  // bytes; 0 = none on that lane
    std::uint32_t largest_unreliable = 0;
    std::uint32_t connections_max = 0;
    bool encryption_ready = false;
    bool authentication_ready = false;
};

}  // namespace wt::transport
