// SPDX-License-Identifier: MIT
//
// The loopback transport: sessions inside one process, through the same delivery interface as the
// real one and through whatever path its driver offers. It encrypts nothing, authenticates nobody
// and repeats no data: on a path that loses or reorders, reliable messages end the connection
// (`record_lost`) instead of arriving wrong.
// Spec: 000, transport and packet delivery (in-process sessions).
#pragma once

#include <memory>

#include "engine/transport/endpoint.hpp"

namespace wt::transport {

struct LoopbackConfig {
    std::uint32_t peers_max = 64;  // Server: connections and attempts at once.
    std::uint32_t tick_rate = 60;  // Server: Hz, said in the accept.
    Duration request_interval = Duration::millis(250);
    Duration attempt_timeout = Duration::seconds(5);
    Duration keepalive = Duration::seconds(1);
    Duration timeout = Duration::seconds(10);
};

[[nodiscard]] std::unique_ptr<Endpoint> make_loopback_server(const LoopbackConfig& config);
[[nodiscard]] std::unique_ptr<Endpoint> make_loopback_client(const LoopbackConfig& config);

}  // namespace wt::transport
