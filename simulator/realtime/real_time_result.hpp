// SPDX-License-Identifier: MIT
//
// What both processes of a run in real time share: how its ticks are numbered, and how its result
// is put together.
#pragma once

#include <vector>

#include "engine/udp/socket.hpp"
#include "simulator/metrics/collector.hpp"
#include "simulator/realtime/side.hpp"
#include "simulator/report/run_result.hpp"

namespace wt::sim {

// A step that ended so long after the instant it was for: the machine was late, not the network.
inline constexpr Duration late_step = Duration::millis(10);

// Number of the server's tick at a whole second since 1970, as the wire carries it: whoever knows
// the scenario and the time knows where each tick lies. [initial] tick moves it.
[[nodiscard]] std::uint32_t real_time_tick(Instant second, const Scenario& scenario);

[[nodiscard]] Collector make_collector(const Scenario& scenario, const std::vector<Watch>& watches);

// Figures of metrics that this side does not see are noise: out they go.
void keep_what_was_seen(Side side, GameKind game, RunResult& result);

void add_socket_counts(const udp::SocketCounters& counters, std::vector<NamedCount>& counts);

}  // namespace wt::sim
