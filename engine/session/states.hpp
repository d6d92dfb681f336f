// SPDX-License-Identifier: MIT
//
// The words of a session: where it is, why it ended, at which check a message failed, what a kind
// of message may do.  Spec: 001, lifecycle and security; tick ownership.
#pragma once

#include <cstdint>

namespace wt::session {

enum class State : std::uint8_t {
    idle,
    connecting,     // The transport is at it.
    negotiating,    // Hello and welcome.
    synchronizing,  // Agreed; the client takes in the world.
    active,
    closing,  // What was accepted still goes out, then the goodbye.
    closed,
};
inline constexpr unsigned state_count = 7;

// Why a session ended. Values go over the wire in refuse and bye: append only.
enum class EndReason : std::uint8_t {
    none,
    asked,           // This side's application.
    remote,          // The other side's application.
    transport_lost,  // The transport ended it; its own reason stands beside.
    no_answer,       // No transport connection within its deadline.
    negotiation_timeout,
    synchronizing_timeout,
    refused_protocol,
    refused_schema,
    refused_features,
    refused_content,
    refused_rates,
    refused_capabilities,
    refused_ticket,
    refused_full,
    refused_malformed,  // A hello or welcome that does not parse.
    control_overload,   // Control waited longer than its deadline.
    violations,         // Too many messages that no honest peer sends.
    rate_exceeded,      // More reliable messages than the budget: none may be dropped.
    superseded,         // The same player joined anew.
    server_shutdown,
};
inline constexpr unsigned end_reason_count = 21;

// The checks before anything changes, in their order. One counter each.
enum class Stage : std::uint8_t {
    generation,  // A connection or epoch that is not (or no longer) this session's.
    frame,       // Not an envelope, or on a lane that its channel does not use.
    schema,      // No such kind.
    authority,   // This sender may not send it, or not yet.
    tick_range,  // Too old, or too far ahead.
    rate,        // Over a budget.
    payload,     // The content is wrong.
};
inline constexpr unsigned stage_count = 7;

[[nodiscard]] const char* name_of(State state);
[[nodiscard]] const char* name_of(EndReason reason);
[[nodiscard]] const char* name_of(Stage stage);

}  // namespace wt::session
