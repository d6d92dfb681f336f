// SPDX-License-Identifier: MIT
#include "simulator/run/metrics_observer.hpp"

#include <algorithm>
#include <tuple>

#include "engine/secure/wire.hpp"
#include "simulator/gates/allocations.hpp"
#include "simulator/link/compiled_direction.hpp"

namespace wt::sim {

namespace {

using transport::Kind;

// Messages of the run's end have had no time to arrive.
constexpr Duration undelivered_grace = Duration::seconds(10);

constexpr std::uint64_t parts_per_billion = 1'000'000'000;

Way opposite(Way way) {
    return way == Way::up ? Way::down : Way::up;
}

}  // namespace

MetricsObserver::MetricsObserver(const Scenario& scenario, Collector& collector,
                                 const Stopwatch* stopwatch, std::uint64_t seed)
    : scenario_(scenario),
      collector_(collector),
      stopwatch_(stopwatch),
      game_(scenario, collector),
      links_(scenario, collector),
      undelivered_until_(scenario.end() - undelivered_grace) {
    for (const Watch& watch : collector.plan().watches) {
        if (watch.metric == MetricId::cost_floor && !floor_.has_value())
            floor_.emplace(LuckKey::root(seed).with("floor"));
    }
    // Everybody may change at both ends in one window, and a window holds a few ticks.
    pending_.reserve(4 * std::size_t{scenario.bot_count()} + 64);
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t i = 0; i < group.count; ++i) {
            bots_.emplace_back();
        }
    }
}

void MetricsObserver::on_handed(const DatagramHanded& what) {
    const Spot spot = Spot::of(what.flow.bot, what.flow.way);
    const std::uint64_t bytes = what.bytes + header_bytes;
    collector_.add_count(MetricId::peers_bytes, spot, what.at, bytes);
    collector_.add_count(MetricId::peers_datagrams, spot, what.at, 1);
    collector_.add_count(MetricId::server_bytes, Spot::of(no_bot, what.flow.way), what.at, bytes);
    collector_.add_value(MetricId::links_datagram_bytes, spot, what.at, what.bytes);
    const std::uint64_t extra = what.copies > 1 ? what.copies - 1u : 0u;
    collector_.add_share(MetricId::links_duplicated, spot, what.at, extra, 1);
    links_.add(what);
    if (floor_.has_value()) floor_->add_sealed(what.bytes);
    if (what.copies == 0) {
        collector_.add_share(MetricId::links_loss, spot, what.at, 1, 1);
        collector_.add_count(MetricId::links_drops, spot, what.at, 1);
    } else {
        collector_.add_value(MetricId::links_queue_wait, spot, what.at, what.queue_wait.ns);
    }
    if (what.label.on_lane && what.label.transmission > 1) {
        collector_.add_count(MetricId::peers_retransmits,
                             Spot::of(what.flow.bot, what.flow.way, what.label.lane), what.at, 1);
    }
    BotRecord& bot = bots_[what.flow.bot];
    const bool asks = what.label.has(Kind::handshake) || what.label.has(Kind::join);
    if (what.flow.way == Way::up && asks) {
        if (bot.attempt_since == Instant::never()) bot.attempt_since = what.at;
    }
    if (what.flow.way == Way::down && what.label.has(Kind::challenge)) unproven_out_ += what.bytes;
}

void MetricsObserver::on_waited(const NodeWaited& what) {
    collector_.add_value(MetricId::links_queue_wait, Spot::of(what.flow.bot, what.flow.way),
                         what.at, what.wait.ns);
}

void MetricsObserver::on_moved(const PathMoved& what) {
    collector_.add_count(MetricId::peers_path_changes, Spot::of(what.bot, Way::both), what.at);
}

void MetricsObserver::on_delivered(const DatagramDelivered& what) {
    const Spot spot = Spot::of(what.flow.bot, what.flow.way);
    links_.add(what);
    if (floor_.has_value()) floor_->add_opened(what.bytes);
    collector_.add_value(MetricId::links_delay, spot, what.at, what.delay.ns);
    if (what.flow.way == Way::up && what.label.has(Kind::handshake)) unproven_in_ += what.bytes;
    if (what.is_duplicate) return;
    collector_.add_share(MetricId::links_loss, spot, what.at, 0, 1);
    collector_.add_share(MetricId::links_reordered, spot, what.at, what.is_reordered ? 1 : 0, 1);
}

void MetricsObserver::on_lost(const DatagramLost& what) {
    const Spot spot = Spot::of(what.flow.bot, what.flow.way);
    links_.add(what);
    collector_.add_count(MetricId::links_drops, spot, what.at, 1);
    if (!what.is_duplicate) collector_.add_share(MetricId::links_loss, spot, what.at, 1, 1);
}

void MetricsObserver::on_message_sent(const MessageSent& what) {
    // A replaced value takes the place of one that is counted already.
    if (what.status != transport::SendStatus::ok) return;
    const transport::Lane lane = what.message.lane;
    if (what.at < undelivered_until_) {
        // Undelivered until delivered: on_message takes it back.
        collector_.add_share(MetricId::peers_undelivered,
                             Spot::of(what.flow.bot, what.flow.way, lane), what.at, 1, 1);
    }
    if (what.message.delivery == transport::Delivery::reliable_ordered) {
        flow_of(what.flow).under_way[static_cast<unsigned>(lane)].push() = what.at;
    }
}

void MetricsObserver::on_message(const MessageDelivered& what) {
    const transport::Received& message = what.message;
    const Spot spot = Spot::of(what.flow.bot, what.flow.way, message.lane);
    collector_.add_value(MetricId::peers_latency, spot, what.at,
                         (what.at - message.accepted_at).ns);
    if (message.accepted_at < undelivered_until_) {
        // Sums are modulo 2^64, so this takes one off the numerator.
        collector_.add_share(MetricId::peers_undelivered, spot, message.accepted_at,
                             ~std::uint64_t{0}, 0);
    }
    if (message.delivery == transport::Delivery::reliable_ordered) {
        GrowRing<Instant>& under_way =
            flow_of(what.flow).under_way[static_cast<unsigned>(message.lane)];
        if (!under_way.empty()) under_way.pop();
    }
    if (message.kind == Kind::snapshot && what.flow.way == Way::down) {
        BotRecord& bot = bots_[what.flow.bot];
        // Modulo 2^32, as the number travels: a first tick near the wrap is a setting.
        const Instant tick = scenario_.server.tick_rate.tick(
            static_cast<std::uint32_t>(message.tick - scenario_.transport.initial_tick));
        if (bot.newest_snapshot == Instant::never() || tick > bot.newest_snapshot) {
            bot.newest_snapshot = tick;
        }
    }
}

void MetricsObserver::on_connection(const ConnectionChange& what) {
    if (what.what == ConnectionChange::What::attempt) return;
    BotRecord& bot = bots_[what.bot];
    Pending& pending = pending_.emplace_back();
    pending.at = what.at;
    pending.change = what;
    const bool is_up = what.what == ConnectionChange::What::up;
    const bool is_down = what.what == ConnectionChange::What::down;
    pending.is_transport_up = is_up && scenario_.world.game != GameKind::none;
    if (!is_up && !is_down) return;
    // What this end alone keeps changes at once.
    FlowState& sending = bot.flows[what.is_server_side ? 1 : 0];
    FlowState& receiving = bot.flows[what.is_server_side ? 0 : 1];
    if (what.is_server_side && is_up && !pending.is_transport_up) count_join(what.bot, what.at);
    if (what.is_server_side && is_up != sending.sender_is_up) {
        server_peers_ += is_up ? 1u : ~0u;
    }
    sending.sender_is_up = is_up;
    receiving.last_authentic = {};
    // What was under way on an older connection never arrives.
    for (GrowRing<Instant>& lane : sending.under_way)
        lane.clear();
    if (what.is_server_side) return;
    game_.end_epoch(what.bot);
    bot.newest_snapshot = Instant::never();
    if (is_up) {
        pending.attempt_since = bot.attempt_since;
        bot.connected_since = bot.attempt_since;
    }
    bot.attempt_since = Instant::never();
}

// With a game a peer is in when its session is, not its connection.
void MetricsObserver::on_fact(const GameFact& what) {
    if (what.fact.what != bots::Fact::What::session_active) return game_.add(what);
    BotRecord& bot = bots_[what.flow.bot];
    Pending& pending = pending_.emplace_back();
    pending.at = what.at;
    pending.change = {.what = ConnectionChange::What::up,
                      .bot = what.flow.bot,
                      .is_server_side = what.flow.way == Way::down,
                      .at = what.at};
    if (what.flow.way == Way::up) pending.attempt_since = bot.connected_since;
    if (what.flow.way == Way::down) count_join(what.flow.bot, what.at);
}

void MetricsObserver::count_join(std::uint32_t bot, Instant at) {
    collector_.add_count(MetricId::server_joins, Spot::of(bot, Way::both), at, 1);
}

void MetricsObserver::on_window_end(Instant end) {
    // By time; of one instant changes before ticks, bots before the server, in bots' order. Few and
    // nearly in order, and std::stable_sort would allocate.
    const auto key = [](const Pending& each) {
        return std::tuple(each.at.ns, each.is_tick, each.change.bot, each.change.is_server_side);
    };
    for (std::size_t i = 1; i < pending_.size(); ++i) {
        const Pending moving = pending_[i];
        std::size_t place = i;
        for (; place > 0 && key(moving) < key(pending_[place - 1]); --place)
            pending_[place] = pending_[place - 1];
        pending_[place] = moving;
    }
    std::size_t done = 0;
    while (done < pending_.size() && pending_[done].at < end) {
        apply(pending_[done]);
        ++done;
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
}

void MetricsObserver::apply(const Pending& pending) {
    if (pending.is_tick) {
        take_utilisation(pending.at);
        return collector_.end_tick(pending.at);
    }
    const ConnectionChange& what = pending.change;
    BotRecord& bot = bots_[what.bot];
    bool planned = what.is_planned;
    switch (what.what) {
        case ConnectionChange::What::wanted:
            bot.state.wanted = true;
            break;
        case ConnectionChange::What::not_wanted:
            bot.state.wanted = false;
            break;
        case ConnectionChange::What::attempt:
            return;
        case ConnectionChange::What::up:
            if (pending.is_transport_up) return;
            (what.is_server_side ? bot.state.server_up : bot.state.bot_up) = true;
            if (!what.is_server_side) bot.joining_since = pending.attempt_since;
            break;
        case ConnectionChange::What::down:
            (what.is_server_side ? bot.state.server_up : bot.state.bot_up) = false;
            bot.state.last_reason = what.reason;
            // The other end said goodbye of its own will, or a newer session of the same bot took
            // its place: nobody was thrown out.
            planned = planned || what.reason == transport::CloseReason::remote ||
                      what.reason == transport::CloseReason::application ||
                      what.reason == transport::CloseReason::superseded;
            break;
    }
    update(what.bot, what.at, planned);
}

void MetricsObserver::take_utilisation(Instant at) {
    if (!links_.wants_utilisation()) return;
    for (std::uint32_t bot = 0; bot < bots_.size(); ++bot) {
        if (bots_[bot].state.is_active()) links_.take_utilisation(bot, at);
    }
}

// After a change: tells the collector, and notices joins and unplanned ends.
void MetricsObserver::update(std::uint32_t index, Instant at, bool was_planned) {
    BotRecord& bot = bots_[index];
    const bool active = bot.state.is_active();
    if (active && !bot.state.was_active && bot.joining_since != Instant::never()) {
        collector_.add_value(MetricId::peers_join_time, Spot::of(index, Way::both), at,
                             (at - bot.joining_since).ns);
    }
    if (!active && bot.state.was_active && !was_planned) {
        collector_.add_count(MetricId::peers_disconnects, Spot::of(index, Way::both), at, 1);
    }
    bot.state.was_active = active;
    collector_.set_bot(index, at, {.wanted = bot.state.wanted, .active = active});
}

void MetricsObserver::on_levels(const LevelsTaken& what) {
    const BotRecord& bot = bots_[what.flow.bot];
    if (!flow_of(what.flow).sender_is_up) return;
    const transport::ConnectionLevels& levels = what.levels;
    const Spot spot = Spot::of(what.flow.bot, what.flow.way);
    Duration oldest{};
    for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
        oldest = std::max(oldest, levels.queue_age[lane]);
        if (!collector_.wants_lanes(MetricId::peers_queue_age)) continue;
        collector_.add_value(
            MetricId::peers_queue_age,
            Spot::of(what.flow.bot, what.flow.way, static_cast<transport::Lane>(lane)), what.at,
            levels.queue_age[lane].ns);
    }
    collector_.add_value(MetricId::peers_queue_age, spot, what.at, oldest.ns);
    collector_.add_value(MetricId::peers_unacked_age, spot, what.at, levels.unacked_age.ns);
    collector_.add_value(MetricId::peers_backlog, spot, what.at,
                         static_cast<std::int64_t>(levels.backlog_bytes));
    // What is being put together here travels the other way.
    const Spot incoming = Spot::of(what.flow.bot, opposite(what.flow.way));
    collector_.add_value(MetricId::peers_reassembly, incoming, what.at,
                         static_cast<std::int64_t>(levels.reassembly_bytes));
    if (levels.has_rtt_sample) {
        collector_.add_value(MetricId::peers_srtt, spot, what.at, levels.srtt.ns);
        collector_.add_value(MetricId::peers_rto, spot, what.at, levels.rto.ns);
    }
    // With a game its frames say it, as it applies them.
    const bool is_ours = scenario_.world.game == GameKind::none;
    if (is_ours && what.flow.way == Way::up && bot.newest_snapshot != Instant::never()) {
        collector_.add_value(MetricId::peers_snapshot_age, Spot::of(what.flow.bot, Way::both),
                             what.at, (what.at - bot.newest_snapshot).ns);
    }
    take_silence(what);
}

// The gap between two authentic datagrams, once it is over. Levels are read once a tick, so of
// several that came since the last reading the newest counts: under a tick too long at most.
void MetricsObserver::take_silence(const LevelsTaken& what) {
    const Flow incoming{what.flow.bot, opposite(what.flow.way)};
    FlowState& flow = flow_of(incoming);
    const Instant last = what.levels.last_authentic;
    if (flow.last_authentic != Instant{}) {
        const Duration gap = last - flow.last_authentic;
        if (gap > scenario_.transport.keepalive) {
            collector_.add_value(MetricId::peers_silence, Spot::of(incoming.bot, incoming.way),
                                 what.at, gap.ns);
        }
    }
    flow.last_authentic = last;
}

void MetricsObserver::on_sample(const SampleTaken& what) {
    const Spot spot = Spot::of(what.flow.bot, what.flow.way);
    switch (what.sample.what) {
        case transport::Sample::What::rtt:
            collector_.add_value(MetricId::peers_rtt, spot, what.at, what.sample.value);
            break;
        case transport::Sample::What::transmissions:
            collector_.add_value(MetricId::peers_transmissions,
                                 Spot::of(what.flow.bot, what.flow.way, what.sample.lane), what.at,
                                 what.sample.value);
            break;
    }
}

void MetricsObserver::on_level_point(const LevelPoint& point) {
    if (!point.is_server) return;
    take_server_levels(point);
    Pending& tick = pending_.emplace_back();
    tick.at = point.at;
    tick.is_tick = true;
}

void MetricsObserver::on_server_work(bool begins, std::int64_t wall_ns) {
    if (begins) {
        work_began_ = wall_ns;
    } else {
        worked_ns_ += wall_ns - work_began_;
    }
}

std::int64_t MetricsObserver::wall_ns() const {
    return stopwatch_ == nullptr ? 0 : stopwatch_->wall_ns();
}

void MetricsObserver::take_server_levels(const LevelPoint& point) {
    const Instant at = point.at;
    const Spot server = Spot::of(no_bot, Way::both);
    if (stopwatch_ != nullptr) {
        // Everything since the tick before, arrivals and flushes between ticks included.
        collector_.add_value(MetricId::cost_tick, server, at, worked_ns_);
        const std::int64_t active = collector_.active_now();
        if (active > 0)
            collector_.add_value(MetricId::cost_per_peer, server, at, worked_ns_ / active);
        worked_ns_ = 0;
        take_allocations(at);
    }
    collector_.add_value(MetricId::server_peers, server, at, server_peers_);
    collector_.add_value(MetricId::server_pending_joins, server, at, point.pending);
    // A join whose cookie did not verify is answered like a request without one.
    const std::uint64_t asked = unproven_in_ + point.bad_cookies * secure::request_bytes;
    if (asked != 0) {
        collector_.add_value(MetricId::server_amplification, server, at,
                             static_cast<std::int64_t>(unproven_out_ * parts_per_billion / asked));
    }
    // Refusals of all reasons so far; what is new since the last tick is counted now.
    if (point.refused > refused_seen_) {
        collector_.add_count(MetricId::server_refusals, server, at, point.refused - refused_seen_);
        refused_seen_ = point.refused;
    }
}

// A phase's first second is setup: joins, pools that grow into what the phase asks of them.
void MetricsObserver::take_allocations(Instant at) {
    const std::uint64_t total = allocation_count();
    const std::uint64_t since = total - allocations_seen_;
    allocations_seen_ = total;
    if (total == 0) return;  // Nobody counts.
    for (const Phase& phase : scenario_.phases) {
        if (at < phase.start + Duration::seconds(1) || at >= phase.end) continue;
        collector_.add_value(MetricId::cost_allocations, Spot::of(no_bot, Way::both), at,
                             static_cast<std::int64_t>(since));
    }
}

void MetricsObserver::finish(Instant end) {
    on_window_end(end);
    const Instant last = end - Duration::nanos(1);
    game_.finish(last);
    for (std::uint32_t i = 0; i < bots_.size(); ++i) {
        for (unsigned way = 0; way < 2; ++way) {
            FlowState& flow = bots_[i].flows[way];
            const Way direction = way == 0 ? Way::up : Way::down;
            for (unsigned lane = 0; lane < transport::lane_count; ++lane) {
                for (std::uint32_t n = 0; n < flow.under_way[lane].size(); ++n) {
                    collector_.add_censored(
                        MetricId::peers_latency,
                        Spot::of(i, direction, static_cast<transport::Lane>(lane)), last,
                        (last - flow.under_way[lane].at(n)).ns);
                }
            }
            const bool open = bots_[i].state.is_active() && flow.last_authentic != Instant{};
            if (open && last - flow.last_authentic > scenario_.transport.keepalive) {
                collector_.add_value(MetricId::peers_silence, Spot::of(i, direction), last,
                                     (last - flow.last_authentic).ns);
            }
        }
    }
    if (stopwatch_ != nullptr) take_costs(end);
    collector_.finish(end);
}

void MetricsObserver::take_costs(Instant end) {
    const Instant last = end - Duration::nanos(1);
    const Spot whole = Spot::of(no_bot, Way::both);
    // Ratios are in parts of 10^9, which nanoseconds times that overflow after 9 s; thousandths are
    // fine enough here.
    const auto ratio = [](std::int64_t of_ns, std::int64_t to_ns) {
        return of_ns / 1'000 * 1'000'000 / std::max<std::int64_t>(to_ns, 1) * 1'000'000;
    };
    collector_.add_value(MetricId::cost_realtime, whole, last,
                         ratio(end.ns, stopwatch_->wall_ns()));
    collector_.add_value(MetricId::cost_memory, whole, last,
                         static_cast<std::int64_t>(peak_memory_bytes()));
    if (!floor_.has_value()) return;
    const std::int64_t spent = stopwatch_->cpu_ns();
    const std::int64_t floor = floor_->cpu_ns();
    if (floor > 0) collector_.add_value(MetricId::cost_floor, whole, last, ratio(spent, floor));
}

}  // namespace wt::sim
