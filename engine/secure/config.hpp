// SPDX-License-Identifier: MIT
//
// Every setting of the encrypted transport, with the seed's values as defaults where it has some.
// The three profiles are data: `profile_defaults`, `profile_literal`, `profile_tuned` below.
// Spec: 000, whole; DESIGN section 5 of the decisions recorded in engine/secure/README.md.
#pragma once

#include <cstdint>

#include "engine/base/buffer_source.hpp"
#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt::secure {

// Which transmission of a fragment an acknowledgement may name.
enum class AckMatching : std::uint8_t { latest, any };

// Whether a backed-off timeout carries over to fragments sent later, until a valid sample.
enum class RtoBackoff : std::uint8_t { carry, per_fragment };

// How transmissions are spread inside a round trip.
enum class Pacing : std::uint8_t {
    none,
    window_over_srtt,  // send_window fragments a smoothed RTT
    rate,              // pacing_rate
};

struct Reliability {
    AckMatching ack_matching = AckMatching::latest;
    RtoBackoff rto_backoff = RtoBackoff::carry;
    std::uint32_t fast_retransmit = 0;  // Newer transmissions acknowledged; 0 = off.
    std::uint32_t send_window = 0;      // Fragments in flight; 0 = no limit.
    Pacing pacing = Pacing::none;
    BitRate pacing_rate{};  // Only with Pacing::rate; UDP payload bits.

    static constexpr Reliability profile_default() { return {}; }
    static constexpr Reliability profile_literal() {
        return {.rto_backoff = RtoBackoff::per_fragment};
    }
    static constexpr Reliability profile_tuned() {
        return {.ack_matching = AckMatching::any,
                .fast_retransmit = 3,
                .send_window = 64,
                .pacing = Pacing::window_over_srtt};
    }
};

// Where counters start: 0 means the protocol's own first value. Wrap-around in five seconds.
struct InitialCounters {
    std::uint16_t transmission_sequence = 0;
    std::uint16_t message_id = 0;
    std::uint64_t packet_number = 0;  // The first number sent is this plus one.
    std::uint64_t record_counter = 0;
};

// What one established connection needs to know.
struct ConnectionConfig {
    Reliability reliability{};
    InitialCounters initial{};
    Duration keepalive = Duration::seconds(1);
    Duration timeout = Duration::seconds(10);
    // The client's bounded outbound channel: messages accepted and not yet taken over by a lane.
    std::uint32_t channel_messages_max = 1'024;
};

// Required and offered features, as bits of a negotiated set.
struct FeatureBits {
    std::uint32_t offered = 0;
    std::uint32_t required = 0;
};

// What a server does about a session that is heard from a new address.
enum class Rebind : std::uint8_t {
    challenge,  // It moves there once a challenge under its keys was answered from there.
    refuse,     // Nothing: the client finds its way by a new join.
};

struct ServerConfig {
    ConnectionConfig connection{};
    std::uint32_t peers_max = 64;
    std::uint32_t pending_max = 64;      // Attempts past their cookie, not established yet.
    std::uint32_t authorising_max = 64;  // Of those, authorisations asked and not answered.
    // Strangers who ask between two drains; the next ones are counted and not answered.
    std::uint32_t replies_max = 4'096;
    Duration attempt_timeout = Duration::seconds(5);
    std::uint32_t tick_rate = 60;  // Hz, said in the accept.
    FeatureBits features{};
    bool allow_unbound = false;  // Admit joins without session proof keys (LAN).
    std::uint32_t protocol_version = 1;
    Rebind rebind = Rebind::challenge;
    // Large buffers from here, shared with other endpoints; lives longer than the endpoint.
    BufferSource* buffers = nullptr;
};

struct ClientConfig {
    ConnectionConfig connection{};
    FeatureBits features{};
    std::uint32_t tick_rate_min = 1;  // Simulation rates this client can follow, Hz.
    std::uint32_t tick_rate_max = 1'000;
    Duration request_interval = Duration::millis(250);  // Between repeats of a request.
    Duration attempt_timeout = Duration::seconds(5);    // Then Closed{no_answer}.
    std::uint32_t protocol_version = 1;
    bool allow_unbound = false;
    // Large buffers from here, shared with other endpoints; lives longer than the endpoint.
    BufferSource* buffers = nullptr;
};

}  // namespace wt::secure
