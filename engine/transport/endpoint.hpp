// SPDX-License-Identifier: MIT
//
// The seam: a protocol endpoint that does no I/O. The simulator, a real socket and a user's own
// program drive the same object.
//
// The contract:
//   - Time goes in and never back. Every input takes `now`; it must not be smaller than before.
//   - The order of a driver's step is: receive..., advance(now), then drain next_datagram,
//     next_event (and next_sample) until each says false. Afterwards next_deadline() > now.
//   - A refusal changes nothing but its counter.
//   - Once a connection is up, nothing is allocated per packet; pools grow by chunks and say so.
//   - Labels measure; no decision may come from one.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/transport/event.hpp"
#include "engine/transport/stats.hpp"

namespace wt::transport {

// The largest datagram any of our protocols emits.
inline constexpr std::size_t datagram_bytes_max = 1'232;

// One datagram on its way out. The driver supplies `room`; the endpoint writes into it and says
// how much it used, so that a datagram is sealed where it will travel.
struct Datagram {
    MutableBytes room{};        // In: at least datagram_bytes_max bytes.
    std::size_t size = 0;       // Out.
    Address to{};               // Out.
    ConnectionId connection{};  // Out: invalid for handshake datagrams without a connection.
    Label label{};              // Out.
};

struct ConnectRequest {
    Address server{};
    std::array<std::uint8_t, 16> session{};
    ConstBytes token{};  // At most token_bytes_max; copied.
    // Keys of a session-bound join; absent = unbound, where the configuration allows it.
    std::optional<SessionProofKeys> keys{};
};
inline constexpr std::size_t token_bytes_max = 256;

enum class ConnectStatus : std::uint8_t {
    ok,
    busy,         // A client has one connection at a time; close it first.
    bad_token,    // Longer than token_bytes_max.
    unsupported,  // A server does not connect.
};

class Endpoint {
public:
    virtual ~Endpoint() = default;

    // Inputs.

    // One datagram, every byte of it hostile. `label` is the sender's side label, or empty.
    virtual void receive(Instant now, const Address& from, ConstBytes datagram,
                         const Label& label) = 0;
    // Timers up to `now`: retransmissions, keepalives, timeouts, pacing.
    virtual void advance(Instant now) = 0;
    virtual ConnectStatus connect(Instant now, const ConnectRequest& request) = 0;
    virtual SendStatus send(Instant now, ConnectionId to, const Message& message) = 0;
    // Says goodbye, more than once so that loss does not hide it. Ok on a stale id: false.
    virtual bool close(Instant now, ConnectionId connection, CloseReason reason) = 0;
    virtual AnswerStatus answer_authorisation(Instant now, const AuthorisationAnswer& answer) = 0;
    // Forgets everything as a killed process does, but keeps its memory pools. Counters go on.
    virtual void restart(Instant now) = 0;

    // Outputs, drained until they say false.

    [[nodiscard]] virtual bool next_datagram(Instant now, Datagram& out) = 0;
    [[nodiscard]] virtual bool next_event(Event& out) = 0;
    [[nodiscard]] virtual bool next_sample(Sample& out) = 0;
    // When advance must be called at the latest; Instant::never() if nothing waits.
    [[nodiscard]] virtual Instant next_deadline() const = 0;

    // Queries.

    [[nodiscard]] virtual const Capabilities& capabilities() const = 0;
    // All that this endpoint ever did.
    [[nodiscard]] virtual const Counters& counters() const = 0;
    // Of one connection since it was established; nullptr if the id is stale.
    [[nodiscard]] virtual const Counters* counters_of(ConnectionId connection) const = 0;
    // False if the id is stale.
    [[nodiscard]] virtual bool levels_of(Instant now, ConnectionId connection,
                                         ConnectionLevels& out) const = 0;
    [[nodiscard]] virtual std::uint32_t connection_count() const = 0;
    [[nodiscard]] virtual std::uint32_t pending_count() const = 0;
    // Samples are collected only after observe(true).
    virtual void observe(bool on) = 0;
    // Labels beyond Datagram::label of the datagram just drained, for protocols that put several
    // commands into one. Valid until the next call.
    [[nodiscard]] virtual std::span<const Label> more_labels() const { return {}; }
};

}  // namespace wt::transport
