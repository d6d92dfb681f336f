// SPDX-License-Identifier: MIT
#include "simulator/run/divergence_reader.hpp"

#include <algorithm>

#include "engine/replication/divergence.hpp"

namespace wt::sim {

namespace {

constexpr Duration reading_grid = Duration::millis(250);

}  // namespace

DivergenceReader::DivergenceReader(const Scenario& scenario, const std::vector<Watch>& watches,
                                   const BuiltWorld& built, Collector& collector)
    : bots_(scenario.bot_count()), built_(built), collector_(collector) {
    if (built.game != GameKind::arena) return;
    const auto add = [&](Instant reached, Instant at) {
        const bool is_asked = std::any_of(watches.begin(), watches.end(), [&](const Watch& watch) {
            return watch.metric == MetricId::peers_divergence && watch.has_time(at);
        });
        if (is_asked) readings_.push_back({reached, at});
    };
    for (Instant at{}; at < scenario.end(); at += reading_grid)
        add(at, at);
    for (const Phase& phase : scenario.phases)
        add(phase.end, phase.end - Duration::nanos(1));
    std::sort(readings_.begin(), readings_.end(),
              [](const Reading& a, const Reading& b) { return a.at < b.at; });
}

Instant DivergenceReader::next() const {
    return done_ < readings_.size() ? readings_[done_].reached : Instant::never();
}

void DivergenceReader::read() {
    WT_CHECK(done_ < readings_.size());
    const Instant at = readings_[done_++].at;
    for (std::uint32_t bot = 0; bot < bots_; ++bot)
        read_bot(bot, at);
}

void DivergenceReader::read_bot(std::uint32_t bot, Instant at) {
    if (built_.is_hostile[bot] != 0) return;
    const bots::GameBot& player = built_.game_bot(bot);
    if (player.client().state() != session::State::active) return;
    const bots::GameServer& server = built_.game_server();
    const replication::PeerReplication* view = server.view_of(player.player());
    // The server is down, or this end has not heard yet that it was thrown out.
    if (view == nullptr || server.table() == nullptr) return;
    const replication::Divergence found =
        replication::compare(*server.table(), *view, player.client().replicas());
    collector_.add_value(MetricId::peers_divergence, Spot::of(bot, Way::both), at,
                         found.unexplained());
}

}  // namespace wt::sim
