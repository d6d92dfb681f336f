// SPDX-License-Identifier: MIT
//
// The client's side of one session at a time, on top of an endpoint that is handed in at each
// call: connect, on_event for each event of the endpoint, begin_tick, send, pump, next_event.
// After `closed` it may connect again: everything begins afresh under a new epoch.
// Spec: 001, lifecycle and security.
#pragma once

#include <vector>

#include "engine/session/session_link.hpp"

namespace wt::session {

struct ClientConfig {
    Limits limits = client_limits();
    LaneWeights weights{};
    KindTable kinds = KindTable::standard();
    Terms terms{};
    bool allow_unauthenticated = false;
    // `ready` is said by the application, when its world is in place, instead of at once.
    bool ready_by_application = false;
};

enum class ConnectStatus : std::uint8_t {
    ok,
    busy,         // A session, or the transport's end of the last one, is still there.
    bad_token,    // Longer than a token or ticket may be.
    refused,      // The transport lacks what the session needs.
    unsupported,  // Not a client's endpoint.
};

class ClientSession {
public:
    explicit ClientSession(const ClientConfig& config);
    ClientSession(const ClientSession&) = delete;
    ClientSession& operator=(const ClientSession&) = delete;

    // `request.token` is the ticket, wherever the transport or the hello carries it.
    ConnectStatus connect(Instant now, transport::Endpoint& endpoint,
                          const transport::ConnectRequest& request);
    // False where the event is not the session's: lanes other than control, gameplay and bulk.
    bool on_event(Instant now, transport::Endpoint& endpoint, const transport::Event& event);
    void begin_tick(Instant now, transport::Endpoint& endpoint, std::uint64_t tick);
    SendStatus send(Instant now, Kind kind, std::uint32_t tick, ConstBytes payload);
    void pump(Instant now, transport::Endpoint& endpoint);
    bool ready(Instant now);
    // Says goodbye after what was accepted before. False if there is nothing to close.
    bool close(Instant now, transport::Endpoint& endpoint, EndReason reason = EndReason::asked);
    // As a killed process: no goodbye, no event.
    void forget();

    // The verdict on the message that next_event gave last; undecided ones count as accepted.
    bool accept();
    bool refuse(Stage stage = Stage::payload);

    BulkStatus start_bulk(std::uint32_t transfer, ConstBytes source);
    bool cancel_bulk(Instant now, std::uint32_t transfer);

    [[nodiscard]] bool next_event(SessionEvent& out);

    [[nodiscard]] State state() const { return link_.state; }
    // Why the last session ended.
    [[nodiscard]] EndReason reason() const { return link_.reason; }
    [[nodiscard]] const Welcome& welcome() const { return welcome_; }
    [[nodiscard]] const SessionLink& link() const { return link_; }
    [[nodiscard]] std::uint32_t attempts() const { return attempts_; }
    [[nodiscard]] std::uint32_t stale_connections() const { return stale_connections_; }
    [[nodiscard]] Duration queue_age(Instant now, Channel channel) const {
        return link_.queue_age(store_, now, channel);
    }
    [[nodiscard]] std::uint64_t owned_bytes() const { return store_.owned_bytes(); }

private:
    [[nodiscard]] LinkShared shared();
    void on_connected(Instant now, transport::Endpoint& endpoint,
                      const transport::Connected& connected);
    bool on_received(Instant now, transport::Endpoint& endpoint,
                     const transport::Received& received);
    void on_accepted(Instant now, transport::Endpoint& endpoint, const SessionLink::Staged& staged);
    void on_welcome(Instant now, const SessionLink::Staged& staged);
    void begin_closing(Instant now, EndReason reason);
    void finish(Instant now, transport::Endpoint* endpoint, EndReason reason,
                transport::CloseReason transport_reason = transport::CloseReason::none);
    [[nodiscard]] Readiness readiness_of(const transport::Endpoint& endpoint) const;
    SessionEvent& push(SessionEvent::Type type);

    ClientConfig config_;
    QueueStore store_;
    std::vector<std::uint8_t> scratch_;
    std::vector<std::uint8_t> ticket_{};
    GrowRing<SessionEvent> events_;
    SessionLink link_{};
    SessionLink::Staged undecided_{};
    bool is_undecided_ = false;
    Welcome welcome_{};
    std::uint64_t tick_ = 0;
    std::uint32_t attempts_ = 0;
    std::uint32_t stale_connections_ = 0;
};

}  // namespace wt::session
