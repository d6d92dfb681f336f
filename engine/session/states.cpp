// SPDX-License-Identifier: MIT
#include "engine/session/states.hpp"

#include <array>

namespace wt::session {

const char* name_of(State state) {
    static constexpr std::array<const char*, state_count> names = {
        "idle", "connecting", "negotiating", "synchronizing", "active", "closing", "closed"};
    return names[static_cast<unsigned>(state)];
}

const char* name_of(EndReason reason) {
    static constexpr std::array<const char*, end_reason_count> names = {"none",
                                                                        "asked",
                                                                        "remote",
                                                                        "transport_lost",
                                                                        "no_answer",
                                                                        "negotiation_timeout",
                                                                        "synchronizing_timeout",
                                                                        "refused_protocol",
                                                                        "refused_schema",
                                                                        "refused_features",
                                                                        "refused_content",
                                                                        "refused_rates",
                                                                        "refused_capabilities",
                                                                        "refused_ticket",
                                                                        "refused_full",
                                                                        "refused_malformed",
                                                                        "control_overload",
                                                                        "violations",
                                                                        "rate_exceeded",
                                                                        "superseded",
                                                                        "server_shutdown"};
    return names[static_cast<unsigned>(reason)];
}

const char* name_of(Stage stage) {
    static constexpr std::array<const char*, stage_count> names = {
        "generation", "frame", "schema", "authority", "tick_range", "rate", "payload"};
    return names[static_cast<unsigned>(stage)];
}

}  // namespace wt::session
