// SPDX-License-Identifier: MIT
//
// What this protocol can do, exactly. The null suite says the same, because it stands in for the
// real one and a run must not notice.
#pragma once

#include "engine/secure/wire.hpp"
#include "engine/transport/stats.hpp"

namespace wt::secure {

[[nodiscard]] inline transport::Capabilities secure_capabilities(std::uint32_t connections_max) {
    transport::Capabilities all{.datagrams = true,
                                .reliable_lanes = transport::lane_count,
                                .largest_reliable = {},
                                .largest_unreliable = unreliable_plaintext_max,
                                .connections_max = connections_max,
                                .encryption_ready = true,
                                .authentication_ready = true};
    all.largest_reliable.fill(record_plaintext_max);
    return all;
}

}  // namespace wt::secure
