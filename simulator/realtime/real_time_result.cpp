// SPDX-License-Identifier: MIT
#include "simulator/realtime/real_time_result.hpp"

namespace wt::sim {

std::uint32_t real_time_tick(Instant second, const Scenario& scenario) {
    const std::uint64_t seconds = static_cast<std::uint64_t>(second.ns / 1'000'000'000);
    return static_cast<std::uint32_t>(seconds * scenario.server.tick_rate.per_second +
                                      scenario.transport.initial_tick);
}

Collector make_collector(const Scenario& scenario, const std::vector<Watch>& watches) {
    CollectorPlan plan = plan_of(scenario);
    plan.watches = watches;
    return Collector(std::move(plan));
}

void keep_what_was_seen(Side side, GameKind game, RunResult& result) {
    const auto is_unseen = [&](const MetricSummary& summary) {
        return !sees(side, summary.id, Way::both, game);
    };
    std::erase_if(result.metrics, is_unseen);
    std::erase_if(result.cost.metrics, is_unseen);
}

void add_socket_counts(const udp::SocketCounters& counters, std::vector<NamedCount>& counts) {
    counts.push_back({"datagrams_sent", counters.datagrams_sent});
    counts.push_back({"datagrams_received", counters.datagrams_received});
    counts.push_back({"kernel_drops", counters.kernel_drops});
    for (unsigned error = 0; error < udp::socket_error_count; ++error) {
        const std::string name = udp::name_of(static_cast<udp::SocketError>(error));
        if (counters.send_errors[error] != 0)
            counts.push_back({"send_" + name, counters.send_errors[error]});
        if (counters.receive_errors[error] != 0)
            counts.push_back({"receive_" + name, counters.receive_errors[error]});
    }
}

}  // namespace wt::sim
