// SPDX-License-Identifier: MIT
//
// One established connection: packets, records, lanes, acknowledgements, timers. Handshakes are
// the endpoints' business (server_endpoint, client_endpoint); a Connection begins with keys and
// ends with a reason.  Spec: 000, encrypted records and authenticated datagrams, and after.
#pragma once

#include <cstdint>

#include "engine/secure/config.hpp"
#include "engine/secure/suite.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::secure {

template <Suite S>
class Connection {
public:
    // Begins (again): all histories are fresh, pools are kept.
    void open(Instant now, const SessionKeys& keys, const ConnectionConfig& config,
              transport::ConnectionId id, const transport::Address& peer, bool is_client);

    // A whole datagram whose kind is_session_kind(). Moves nothing unless it is authentic.
    // True if it was (which is what refreshes timeouts and confirms a handshake).
    bool receive(Instant now, ConstBytes datagram, const transport::Label& label);
    void advance(Instant now);
    transport::SendStatus send(Instant now, const transport::Message& message);
    // Starts the goodbye: a few repeated close datagrams, then is_closed().
    void close(Instant now, transport::CloseReason reason);

    // Outputs, drained until false.
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out);
    [[nodiscard]] bool next_message(transport::Received& out);
    [[nodiscard]] bool next_sample(transport::Sample& out);
    [[nodiscard]] Instant next_deadline() const;

    // The application may send; false once closing or closed.
    [[nodiscard]] bool is_open() const;
    // Nothing more will be sent or received: the endpoint reports Closed{close_reason()}.
    [[nodiscard]] bool is_closed() const;
    [[nodiscard]] transport::CloseReason close_reason() const;
    // When something authentic last came in.
    [[nodiscard]] Instant last_authentic() const;
    [[nodiscard]] const transport::Counters& counters() const;
    void levels(Instant now, transport::ConnectionLevels& out) const;
};

}  // namespace wt::secure
