// SPDX-License-Identifier: MIT
//
// The words for enumerators. They appear in reports and scenario files: change none lightly.
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
    switch (refusal) {
        case Refusal::too_short:
            return "too_short";
        case Refusal::too_long:
            return "too_long";
        case Refusal::bad_magic:
            return "bad_magic";
        case Refusal::bad_version:
            return "bad_version";
        case Refusal::unknown_kind:
            return "unknown_kind";
        case Refusal::unknown_source:
            return "unknown_source";
        case Refusal::bad_cookie:
            return "bad_cookie";
        case Refusal::bad_handshake:
            return "bad_handshake";
        case Refusal::protocol_version:
            return "protocol_version";
        case Refusal::capabilities:
            return "capabilities";
        case Refusal::pending_full:
            return "pending_full";
        case Refusal::authorising_full:
            return "authorising_full";
        case Refusal::server_full:
            return "server_full";
        case Refusal::not_authorised:
            return "not_authorised";
        case Refusal::bad_join_proof:
            return "bad_join_proof";
        case Refusal::bad_accept_proof:
            return "bad_accept_proof";
        case Refusal::bad_public_key:
            return "bad_public_key";
        case Refusal::unexpected:
            return "unexpected";
        case Refusal::bad_tag:
            return "bad_tag";
        case Refusal::packet_replayed:
            return "packet_replayed";
        case Refusal::packet_too_old:
            return "packet_too_old";
        case Refusal::record_bad:
            return "record_bad";
        case Refusal::record_replayed:
            return "record_replayed";
        case Refusal::record_too_old:
            return "record_too_old";
        case Refusal::malformed:
            return "malformed";
        case Refusal::violation_lane:
            return "violation_lane";
        case Refusal::violation_count:
            return "violation_count";
        case Refusal::violation_count_changed:
            return "violation_count_changed";
        case Refusal::violation_index:
            return "violation_index";
        case Refusal::violation_size:
            return "violation_size";
        case Refusal::reassembly_window:
            return "reassembly_window";
        case Refusal::reassembly_budget:
            return "reassembly_budget";
        case Refusal::not_newer:
            return "not_newer";
        case Refusal::ack_unknown:
            return "ack_unknown";
        case Refusal::inbox_full:
            return "inbox_full";
    }
    return "?";
}

}  // namespace wt::transport
