// SPDX-License-Identifier: MIT
//
// The message-level adapter between a session and a transport: Open, Poll, Send, Close, GetStats,
// each with an explicit status. EndpointAdapter is it for every protocol behind the seam; another
// library needs one class that satisfies MessageAdapter. No exception crosses it, and nothing of a
// session changes outside of the session's own calls.  Spec: 001, adapter contract.
#pragma once

#include <concepts>

#include "engine/session/negotiation.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::session {

enum class AdapterStatus : std::uint8_t {
    ok,
    empty,        // Poll: nothing is there.
    would_block,  // A bounded queue is full: keep the message and come again.
    too_large,    // Above the lane's bound, or above the caller's ingress buffer.
    unsupported,  // No such lane, mode or role.
    closed,       // No such connection.
    invalid,      // Bad arguments: a token that is too long.
};

// What a transport offers, as far as a session cares.
struct Readiness {
    EndReason verdict = EndReason::none;  // refused_capabilities where it will not do.
    Profile profile = Profile::full;
    std::uint32_t message_bytes = 0;  // The largest that goes in one datagram (or record).
    bool authenticated = false;
};

struct AdapterNeeds {
    std::uint32_t message_bytes = 1'200;  // The most that the session would use.
    bool allow_unauthenticated = false;   // The explicit opt-in.
    bool allow_reliable_only = false;     // The declared reduced profile.
};

[[nodiscard]] Readiness judge_capabilities(const transport::Capabilities& capabilities,
                                           const AdapterNeeds& needs);

template <class A>
concept MessageAdapter = requires(A adapter, Instant now, const transport::ConnectRequest& request,
                                  MutableBytes ingress, transport::Event& event,
                                  transport::ConnectionId connection,
                                  const transport::Message& message,
                                  transport::ConnectionLevels& levels) {
    { adapter.open(now, request) } -> std::same_as<AdapterStatus>;
    { adapter.poll(now, ingress, event) } -> std::same_as<AdapterStatus>;
    { adapter.send(now, connection, message) } -> std::same_as<AdapterStatus>;
    { adapter.close(now, connection) } -> std::same_as<AdapterStatus>;
    { adapter.stats(now, connection, levels) } -> std::same_as<AdapterStatus>;
    { adapter.capabilities() } -> std::same_as<const transport::Capabilities&>;
};

class EndpointAdapter {
public:
    explicit EndpointAdapter(transport::Endpoint& endpoint) : endpoint_(endpoint) {}

    AdapterStatus open(Instant now, const transport::ConnectRequest& request);
    // The next event. A message's bytes are copied to `ingress`, where they stay the caller's; the
    // endpoint's own are free again. A message above `ingress` is lost and too_large is said: give
    // it the capabilities' largest.
    AdapterStatus poll(Instant now, MutableBytes ingress, transport::Event& out);
    AdapterStatus send(Instant now, transport::ConnectionId to, const transport::Message& message);
    AdapterStatus close(Instant now, transport::ConnectionId connection);
    AdapterStatus stats(Instant now, transport::ConnectionId connection,
                        transport::ConnectionLevels& out) const;
    [[nodiscard]] const transport::Capabilities& capabilities() const {
        return endpoint_.capabilities();
    }

private:
    transport::Endpoint& endpoint_;
};

static_assert(MessageAdapter<EndpointAdapter>);

}  // namespace wt::session
