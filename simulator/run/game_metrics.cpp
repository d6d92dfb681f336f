// SPDX-License-Identifier: MIT
#include "simulator/run/game_metrics.hpp"

#include <algorithm>

namespace wt::sim {

namespace {

using What = bots::Fact::What;

}  // namespace

GameMetrics::GameMetrics(const Scenario& scenario, Collector& collector)
    : collector_(collector), clock_{scenario.server.tick_rate, scenario.transport.initial_tick} {
    for (const BotGroup& group : scenario.groups) {
        const std::int64_t frame_ns = 1'000'000'000 / group.frame_rate.per_second;
        bots_.resize(bots_.size() + group.count, BotRecord{.frame_ns = frame_ns});
    }
}

void GameMetrics::add(const GameFact& what) {
    const bots::Fact& fact = what.fact;
    const Spot spot = Spot::of(what.flow.bot, Way::both);
    const auto count = [&](MetricId id) { collector_.add_count(id, spot, what.at, 1); };
    const auto value = [&](MetricId id) { collector_.add_value(id, spot, what.at, fact.value); };
    const auto share = [&](MetricId id) {
        collector_.add_share(id, spot, what.at, static_cast<std::uint64_t>(fact.value),
                             static_cast<std::uint64_t>(fact.extra));
    };
    switch (fact.what) {
        case What::session_active:
            break;  // MetricsObserver: it is about both ends.
        case What::input_used:
            collector_.add_share(MetricId::peers_input_loss, spot, what.at, fact.value == 0 ? 1 : 0,
                                 1);
            break;
        case What::input_margin:
            value(MetricId::peers_input_margin);
            break;
        case What::staleness:
            value(MetricId::peers_staleness);
            break;
        case What::snapshot_built:
            if (fact.value == 0) break;
            collector_.add_value(MetricId::peers_updates, spot, what.at, fact.value);
            collector_.add_value(MetricId::peers_update_bits, spot, what.at,
                                 fact.extra / fact.value);
            break;
        case What::changed_objects:
            share(MetricId::peers_coverage);
            break;
        case What::near_avatars:
            share(MetricId::peers_near_coverage);
            break;
        case What::ticket_refused:
            collector_.add_count(MetricId::server_refused_tickets,
                                 what.has_peer ? spot : Spot::of(no_bot, Way::both), what.at, 1);
            break;
        case What::objects_visited:
            collector_.add_value(MetricId::server_objects_visited, Spot::of(no_bot, Way::both),
                                 what.at, fact.value);
            break;
        case What::response:
            value(MetricId::peers_response);
            break;
        case What::correction:
            // A teleport by the server is no fault of the prediction.
            if (fact.extra != 0) break;
            count(MetricId::peers_corrections);
            value(MetricId::peers_correction_size);
            break;
        case What::baseline_miss:
            count(MetricId::peers_baseline_misses);
            break;
        case What::keyframe_request:
            count(MetricId::peers_keyframe_requests);
            break;
        case What::desync:
            count(MetricId::peers_desyncs);
            break;
    }
}

void GameMetrics::add(const FrameShown& what) {
    const bots::Frame& frame = what.frame;
    const Spot spot = Spot::of(what.bot, Way::both);
    const Instant newest = clock_.instant_of_tick(frame.newest_tick);
    const Instant now_tick = clock_.newest_tick(what.at);
    const auto value = [&](MetricId id, Duration duration) {
        collector_.add_value(id, spot, what.at, duration.ns);
    };
    value(MetricId::peers_snapshot_age, what.at - newest);
    if (frame.is_timed) {
        const Duration error = clock_.instant_of(frame.server_time) - what.at;
        value(MetricId::peers_clock_error, std::max(error, Duration{} - error));
        value(MetricId::peers_lead, clock_.instant_of(frame.predicted) - now_tick);
    }
    if (!frame.is_shown) return;
    const Instant shown = clock_.instant_of(frame.shown);
    value(MetricId::peers_view_age, what.at - shown);
    value(MetricId::peers_jitter_buffer, std::max(newest - shown, Duration{}));
    collector_.add_share(MetricId::peers_starvation, spot, what.at, frame.is_starved ? 1 : 0, 1);
    BotRecord& bot = bots_[what.bot];
    if (frame.shown == bot.shown) {
        ++bot.frozen_frames;
    } else {
        end_freeze(what.bot, what.at);
        bot.frozen_frames = 1;
    }
    bot.shown = frame.shown;
}

void GameMetrics::end_freeze(std::uint32_t index, Instant at) {
    const BotRecord& bot = bots_[index];
    if (bot.frozen_frames < 2) return;
    collector_.add_value(MetricId::peers_freeze, Spot::of(index, Way::both), at,
                         bot.frozen_frames * bot.frame_ns);
}

void GameMetrics::finish(Instant last) {
    for (std::uint32_t bot = 0; bot < bots_.size(); ++bot)
        end_freeze(bot, last);
}

}  // namespace wt::sim
