// SPDX-License-Identifier: MIT
//
// From a finished collector to the plain figures of a result.
#include "simulator/report/run_result.hpp"

namespace wt::sim {

void fill_figures(RunResult& result, const Scenario& scenario, const std::vector<Gate>& gates,
                  const Collector& collector, bool count_cost) {
    result.gates = evaluate(scenario, gates, collector, {.count_cost = count_cost});
    std::vector<std::string> groups;
    for (const BotGroup& group : scenario.groups)
        groups.push_back(group.name);
    for (MetricSummary& summary : summarise(collector, groups)) {
        const bool cost = metric(summary.id).is_cost();
        (cost ? result.cost.metrics : result.metrics).push_back(std::move(summary));
    }
    result.figures.clear();
    for (BotIndex bot = 0; bot < collector.bot_count(); ++bot) {
        RunResult::PeerFigures figures;
        figures.queue_age_max = collector.bot_largest(MetricId::peers_queue_age, bot);
        figures.rtt_max = collector.bot_largest(MetricId::peers_rtt, bot);
        figures.latency_max = collector.bot_largest(MetricId::peers_latency, bot);
        figures.snapshot_age_max = collector.bot_largest(MetricId::peers_snapshot_age, bot);
        figures.silence_max = collector.bot_largest(MetricId::peers_silence, bot);
        figures.retransmits = collector.bot_count_of(MetricId::peers_retransmits, bot, Way::both);
        figures.datagrams_up = collector.bot_count_of(MetricId::peers_datagrams, bot, Way::up);
        figures.datagrams_down = collector.bot_count_of(MetricId::peers_datagrams, bot, Way::down);
        figures.bytes_up = collector.bot_count_of(MetricId::peers_bytes, bot, Way::up);
        figures.bytes_down = collector.bot_count_of(MetricId::peers_bytes, bot, Way::down);
        figures.disconnects = collector.bot_count_of(MetricId::peers_disconnects, bot, Way::both);
        figures.drops = collector.bot_count_of(MetricId::links_drops, bot, Way::both);
        result.figures.push_back(figures);
    }
    result.pool_growth += collector.pool_growth();
}

}  // namespace wt::sim
