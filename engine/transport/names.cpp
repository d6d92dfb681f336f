// SPDX-License-Identifier: MIT
//
// The words for enumerators. They appear in reports and scenario files: change none lightly.
#include <array>

#include "engine/transport/message.hpp"
#include "engine/transport/stats.hpp"

namespace wt::transport {

const char* name_of(CloseReason reason) {
    switch (reason) {
        case CloseReason::none:
            return "none";
        case CloseReason::application:
            return "application";
        case CloseReason::remote:
            return "remote";
        case CloseReason::timed_out:
            return "timed_out";
        case CloseReason::backlogged:
            return "backlogged";
        case CloseReason::violations:
            return "violations";
        case CloseReason::counters_exhausted:
            return "counters_exhausted";
        case CloseReason::record_lost:
            return "record_lost";
        case CloseReason::superseded:
            return "superseded";
        case CloseReason::refused_version:
            return "refused_version";
        case CloseReason::refused_capabilities:
            return "refused_capabilities";
        case CloseReason::refused_authorisation:
            return "refused_authorisation";
        case CloseReason::refused_full:
            return "refused_full";
        case CloseReason::missing_capability:
            return "missing_capability";
        case CloseReason::unsupported_tick_rate:
            return "unsupported_tick_rate";
        case CloseReason::bad_accept_proof:
            return "bad_accept_proof";
        case CloseReason::no_answer:
            return "no_answer";
        case CloseReason::server_shutdown:
            return "server_shutdown";
    }
    return "?";
}

const char* name_of(SendStatus status) {
    switch (status) {
        case SendStatus::ok:
            return "ok";
        case SendStatus::replaced:
            return "replaced";
        case SendStatus::backlogged:
            return "backlogged";
        case SendStatus::too_large:
            return "too_large";
        case SendStatus::not_connected:
            return "not_connected";
        case SendStatus::unsupported:
            return "unsupported";
    }
    return "?";
}

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::handshake:
            return "handshake";
        case Kind::challenge:
            return "challenge";
        case Kind::join:
            return "join";
        case Kind::accept:
            return "accept";
        case Kind::reject:
            return "reject";
        case Kind::close:
            return "close";
        case Kind::ack:
            return "ack";
        case Kind::keepalive:
            return "keepalive";
        case Kind::path_challenge:
            return "path_challenge";
        case Kind::path_response:
            return "path_response";
        case Kind::data:
            return "data";
        case Kind::input:
            return "input";
        case Kind::report:
            return "report";
        case Kind::snapshot:
            return "snapshot";
        case Kind::chat:
            return "chat";
        case Kind::bulk:
            return "bulk";
        case Kind::content:
            return "content";
        case Kind::spawn:
            return "spawn";
        case Kind::despawn:
            return "despawn";
        case Kind::keyframe_request:
            return "keyframe_request";
    }
    return "?";
}

const char* name_of(Lane lane) {
    switch (lane) {
        case Lane::control:
            return "control";
        case Lane::gameplay:
            return "gameplay";
        case Lane::state:
            return "state";
        case Lane::chat:
            return "chat";
        case Lane::bulk:
            return "bulk";
        case Lane::free_5:
            return "free_5";
        case Lane::free_6:
            return "free_6";
        case Lane::free_7:
            return "free_7";
    }
    return "?";
}

const char* name_of(Refusal refusal) {
    // In the order of the enumeration; names_test.cpp has some of both ends by name.
    static constexpr std::array<const char*, refusal_count> names = {
        "too_short",        "too_long",       "bad_magic",         "bad_version",
        "unknown_kind",     "unknown_source", "bad_cookie",        "bad_handshake",
        "protocol_version", "capabilities",   "pending_full",      "authorising_full",
        "server_full",      "not_authorised", "bad_join_proof",    "bad_accept_proof",
        "bad_public_key",   "unexpected",     "bad_tag",           "packet_replayed",
        "packet_too_old",   "record_bad",     "record_replayed",   "record_too_old",
        "malformed",        "violation_lane", "violation_count",   "violation_count_changed",
        "violation_index",  "violation_size", "reassembly_window", "reassembly_budget",
        "not_newer",        "ack_unknown",    "inbox_full",
    };
    const auto index = static_cast<unsigned>(refusal);
    return index < names.size() ? names[index] : "?";
}

}  // namespace wt::transport
