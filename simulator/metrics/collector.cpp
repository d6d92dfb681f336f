// SPDX-License-Identifier: MIT
//
// A value goes into exactly one bin (metric, way, lane, phase, group) and into the watches of its
// metric that have it in scope: sums over bins are left to the end. What looks like a choice
// (the worst of several equal values) is settled by time, then bot, way and lane, never by the
// order of feeding.
#include "simulator/metrics/collector.hpp"

#include <algorithm>
#include <tuple>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

constexpr std::uint32_t way_count = 3;
constexpr std::uint32_t lane_slots = transport::lane_count + 1;  // The last one: no lane.
// A histogram of times between 1 us and 10 s fills 16 doublings; most fill fewer.
constexpr std::size_t chunks_per_bin = 12;
// Metrics that are fed in a run with values, not counts, times the ways they distinguish.
constexpr std::size_t histograms_expected = 40;
constexpr std::size_t chunks_reserved_max = 8'192;  // 16 MiB

// Metrics whose largest value is kept for each bot: the columns of the peers table.
constexpr auto tracked_values = std::to_array<MetricId>(
    {MetricId::peers_queue_age, MetricId::peers_rtt, MetricId::peers_latency,
     MetricId::peers_snapshot_age, MetricId::peers_silence, MetricId::peers_join_time});
constexpr auto tracked_counts = std::to_array<MetricId>(
    {MetricId::peers_retransmits, MetricId::peers_bytes, MetricId::peers_datagrams,
     MetricId::peers_disconnects, MetricId::links_drops});

std::size_t index_of(MetricId id) {
    return static_cast<std::size_t>(id);
}

std::uint32_t lane_slot(std::uint8_t lane) {
    return lane == Spot::no_lane ? transport::lane_count : lane;
}

// Which of two values with equal badness is kept: the earlier one, then by bot, way and lane.
bool comes_before(const Taken& a, const Taken& b) {
    return std::tuple(a.at.ns, a.bot, a.way, a.lane) < std::tuple(b.at.ns, b.bot, b.way, b.lane);
}

void keep_worst(const Bound& bound, const Taken& now, Taken& worst) {
    if (!worst.any || bound.worse(now.value, worst.value) ||
        (!bound.worse(worst.value, now.value) && comes_before(now, worst))) {
        worst = now;
    }
}

void keep_last(const Bound& bound, const Taken& now, Taken& last) {
    if (!last.any || now.at > last.at ||
        (now.at == last.at && bound.worse(now.value, last.value))) {
        last = now;
    }
}

std::size_t reserved_chunks(const CollectorPlan& plan) {
    const std::size_t groups = plan.group_counts.size() + 1;
    const std::size_t bins = histograms_expected * groups * plan.phases.size();
    return std::min((bins + plan.watches.size()) * chunks_per_bin, chunks_reserved_max);
}

std::size_t bots_of(const CollectorPlan& plan) {
    std::size_t bots = 0;
    for (const std::uint32_t count : plan.group_counts)
        bots += count;
    return bots;
}

}  // namespace

CollectorPlan plan_of(const Scenario& scenario) {
    CollectorPlan plan;
    plan.phases = scenario.phases;
    for (const BotGroup& group : scenario.groups) {
        plan.group_counts.push_back(group.count);
        plan.is_hostile_group.push_back(group.is_hostile() ? 1 : 0);
    }
    return plan;
}

WatchState::WatchState(std::size_t bots, bool each_peer)
    : broke(bots),
      seen(bots),
      counts(bots),
      numerators(bots),
      denominators(bots),
      active_ns(bots),
      values_of(each_peer ? bots : 0),
      worst_of(each_peer ? bots : 0),
      last_of(each_peer ? bots : 0) {}

Collector::Collector(CollectorPlan plan) : plan_(std::move(plan)), pool_(reserved_chunks(plan_)) {
    WT_CHECK(!plan_.phases.empty());
    for (std::uint32_t group = 0; group < plan_.group_counts.size(); ++group) {
        for (std::uint32_t i = 0; i < plan_.group_counts[group]; ++i)
            bots_.push_back({.group = group, .state = {}, .active_since = {}});
    }
    const std::size_t groups = plan_.group_counts.size() + 1;
    bin_index_.assign(metric_count * way_count * lane_slots * plan_.phases.size() * groups, -1);
    routes_.resize(metric_count * way_count * lane_slots * groups);
    for (const Phase& phase : plan_.phases)
        boundaries_.push_back(phase.start);
    bins_reserved_ = 4 * histograms_expected * plan_.phases.size() * groups;
    bins_.reserve(bins_reserved_);
    group_presence_.resize(groups);
    watch_presence_.resize(plan_.watches.size());
    for (std::size_t i = 0; i < plan_.watches.size(); ++i) {
        const Watch& watch = plan_.watches[i];
        states_.emplace_back(bots_of(plan_), watch.each_peer);
        watches_of_[index_of(watch.metric)].push_back(static_cast<std::uint32_t>(i));
        if (watch.lane) wants_lanes_[index_of(watch.metric)] = 1;
        boundaries_.push_back(watch.start);
        boundaries_.push_back(watch.end);
    }
    std::sort(boundaries_.begin(), boundaries_.end());
    boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
    for (const MetricId id : tracked_values)
        bot_largest_[index_of(id)].resize(bots_.size());
    for (const MetricId id : tracked_counts) {
        for (std::vector<std::uint64_t>& way : bot_counts_[index_of(id)])
            way.resize(bots_.size());
    }
}

std::uint32_t Collector::phase_of(Instant at) {
    const std::vector<Phase>& phases = plan_.phases;
    // What is taken at the very end of the run belongs to the last phase.
    std::uint32_t phase = 0;
    while (phase + 1 < phases.size() && at >= phases[phase].end)
        ++phase;
    return phase;
}

std::uint32_t Collector::epoch_of(Instant at) {
    if (at >= epoch_start_ && at < epoch_end_) return epoch_now_;
    const auto next = std::upper_bound(boundaries_.begin(), boundaries_.end(), at);
    epoch_now_ = static_cast<std::uint32_t>(next - boundaries_.begin());
    epoch_start_ = next == boundaries_.begin() ? Instant{INT64_MIN} : *(next - 1);
    epoch_end_ = next == boundaries_.end() ? Instant::never() : *next;
    return epoch_now_;
}

std::uint32_t Collector::group_of(BotIndex bot) const {
    if (bot == no_bot) return static_cast<std::uint32_t>(plan_.group_counts.size());
    WT_CHECK(bot < bots_.size());
    return bots_[bot].group;
}

std::size_t Collector::route_place(MetricId id, Spot spot) const {
    std::size_t place = index_of(id) * way_count + static_cast<std::size_t>(spot.way);
    place = place * lane_slots + lane_slot(spot.lane);
    return place * (plan_.group_counts.size() + 1) + group_of(spot.bot);
}

Collector::Route& Collector::route(MetricId id, Spot spot, Instant taken) {
    Route& route = routes_[route_place(id, spot)];
    if (route.epoch != epoch_of(taken)) [[unlikely]]
        find_route(route, id, spot, taken);
    return route;
}

void Collector::find_route(Route& route, MetricId id, Spot spot, Instant taken) {
    WT_CHECK(!finished_);
    WT_CHECK(id != MetricId::not_built);
    route.epoch = epoch_of(taken);
    const std::uint32_t phase = phase_of(taken);
    std::int32_t& index = bin_index_[route_place(id, spot) * plan_.phases.size() + phase];
    if (index < 0) {
        index = static_cast<std::int32_t>(bins_.size());
        Bin& fresh = bins_.emplace_back();
        fresh.metric = id;
        fresh.way = spot.way;
        fresh.lane = spot.lane;
        fresh.phase = phase;
        fresh.group = group_of(spot.bot);
    }
    route.bin = index;
    route.watches.clear();
    const LaneRule rule = metric(id).lanes;
    for (const std::uint32_t watch : watches_of_[index_of(id)]) {
        if (!in_scope(plan_.watches[watch], spot, taken, rule)) continue;
        route.watches.push_back(watch);
    }
}

// All but the bots, which a route does not know.
bool Collector::in_scope(const Watch& watch, Spot spot, Instant taken, LaneRule rule) {
    if (!watch.has_time(taken)) return false;
    if (watch.way != Way::both && spot.way != watch.way) return false;
    if (watch.lane) {
        if (spot.lane != static_cast<std::uint8_t>(*watch.lane)) return false;
    } else if (rule == LaneRule::summary && spot.lane != Spot::no_lane) {
        return false;
    }
    return true;
}

void Collector::feed_watch(std::size_t index, Spot spot, Instant taken, std::int64_t value) {
    const Bound& bound = plan_.watches[index].bound;
    WatchState& state = states_[index];
    state.values.add(pool_, value);
    const Taken now{true, value, spot.bot, taken, spot.way, spot.lane};
    keep_worst(bound, now, state.worst);
    keep_last(bound, now, state.last);
    if (spot.bot == no_bot) return;
    if (!state.values_of.empty()) {
        state.values_of[spot.bot].add(pool_, value);
        keep_worst(bound, now, state.worst_of[spot.bot]);
        keep_last(bound, now, state.last_of[spot.bot]);
    }
    state.seen[spot.bot] = 1;
    if (!bound.holds(value)) state.broke[spot.bot] = 1;
}

void Collector::add_value(MetricId id, Spot spot, Instant taken, std::int64_t value) {
    const Route& to = route(id, spot, taken);
    bin(to).values.add(pool_, value);
    Taken& largest = largest_[index_of(id)];
    if (!largest.any || value >= largest.value) {
        const bool is_left_out = spot.bot != no_bot && metric(id).is_of_peers() &&
                                 plan_.is_hostile(bots_[spot.bot].group);
        const Taken now{true, value, spot.bot, taken, spot.way, spot.lane};
        const bool is_larger = !largest.any || value > largest.value || comes_before(now, largest);
        if (!is_left_out && is_larger) largest = now;
    }
    std::vector<std::int64_t>& of_bot = bot_largest_[index_of(id)];
    if (!of_bot.empty() && spot.bot != no_bot) of_bot[spot.bot] = std::max(of_bot[spot.bot], value);
    for (const std::uint32_t index : to.watches) {
        if (plan_.watches[index].has_bot(spot.bot)) feed_watch(index, spot, taken, value);
    }
}

void Collector::add_censored(MetricId id, Spot spot, Instant taken, std::int64_t age) {
    ++bin(route(id, spot, taken)).censored;
    add_value(id, spot, taken, age);
}

void Collector::add_count(MetricId id, Spot spot, Instant taken, std::uint64_t amount) {
    const Route& to = route(id, spot, taken);
    bin(to).count += amount;
    std::vector<std::uint64_t>& of_bot =
        bot_counts_[index_of(id)][static_cast<std::size_t>(spot.way)];
    if (!of_bot.empty() && spot.bot != no_bot) of_bot[spot.bot] += amount;
    for (const std::uint32_t index : to.watches) {
        if (!plan_.watches[index].has_bot(spot.bot)) continue;
        WatchState& state = states_[index];
        if (spot.bot == no_bot)
            state.count_without_bot += amount;
        else
            state.counts[spot.bot] += amount;
        // A count has no worst value; the first occurrence is what one looks for.
        const Taken now{true,     static_cast<std::int64_t>(amount), spot.bot, taken, spot.way,
                        spot.lane};
        if (!state.worst.any || comes_before(now, state.worst)) state.worst = now;
    }
}

void Collector::add_share(MetricId id, Spot spot, Instant taken, std::uint64_t numerator,
                          std::uint64_t denominator) {
    const Route& to = route(id, spot, taken);
    Bin& target = bin(to);
    target.numerator += numerator;
    target.denominator += denominator;
    for (const std::uint32_t index : to.watches) {
        if (!plan_.watches[index].has_bot(spot.bot)) continue;
        WatchState& state = states_[index];
        state.numerator += numerator;
        state.denominator += denominator;
        if (spot.bot == no_bot) continue;
        state.numerators[spot.bot] += numerator;
        state.denominators[spot.bot] += denominator;
    }
}

void Collector::credit_active_time(BotIndex bot, Instant from, Instant to) {
    for (std::size_t i = 0; i < plan_.watches.size(); ++i) {
        const Watch& watch = plan_.watches[i];
        if (!watch.has_bot(bot)) continue;
        const Instant start = std::max(from, watch.start);
        const Instant end = std::min(to, watch.end);
        if (end > start) states_[i].active_ns[bot] += (end - start).ns;
    }
}

void Collector::set_bot(BotIndex bot, Instant at, BotState state) {
    WT_CHECK(!finished_);
    WT_CHECK(bot < bots_.size());
    Bot& entry = bots_[bot];
    if (entry.state.active && !state.active) credit_active_time(bot, entry.active_since, at);
    if (!entry.state.active && state.active) entry.active_since = at;
    // An Active bot that nobody wants in does not count: the share never passes 100 %.
    const bool was_in = entry.state.wanted && entry.state.active;
    const bool is_in = state.wanted && state.active;
    const auto move = [&](Presence& presence) {
        if (state.wanted && !entry.state.wanted) ++presence.wanted;
        if (!state.wanted && entry.state.wanted) --presence.wanted;
        if (is_in && !was_in) ++presence.active;
        if (!is_in && was_in) --presence.active;
    };
    move(group_presence_[entry.group]);
    if (!plan_.is_hostile(entry.group)) move(group_presence_.back());
    for (const std::uint32_t index : watches_of_[index_of(MetricId::peers_active)]) {
        if (plan_.watches[index].has_bot(bot)) move(watch_presence_[index]);
    }
    entry.state = state;
    wanted_now_ = group_presence_.back().wanted;
    active_now_ = group_presence_.back().active;
}

void Collector::take_presence(std::size_t slot, std::uint32_t group, Instant at) {
    const Presence& presence = group_presence_[slot];
    if (presence.wanted == 0) return;
    const std::int64_t share =
        static_cast<std::int64_t>(std::uint64_t{presence.active} * 1'000'000'000 / presence.wanted);
    // The bin's group is said by any bot of it; everybody together stands under "none".
    Spot spot;
    if (group < plan_.group_counts.size()) {
        BotIndex first = 0;
        for (std::uint32_t before = 0; before < group; ++before)
            first += plan_.group_counts[before];
        spot.bot = first;
    }
    bin(route(MetricId::peers_active, spot, at)).values.add(pool_, share);
}

void Collector::end_tick(Instant at) {
    for (std::uint32_t slot = 0; slot < group_presence_.size(); ++slot)
        take_presence(slot, slot, at);
    for (const std::uint32_t index : watches_of_[index_of(MetricId::peers_active)]) {
        const Watch& watch = plan_.watches[index];
        const Presence& presence = watch_presence_[index];
        if (!watch.has_time(at) || presence.wanted == 0) continue;
        const std::int64_t share = static_cast<std::int64_t>(std::uint64_t{presence.active} *
                                                             1'000'000'000 / presence.wanted);
        feed_watch(index, Spot{}, at, share);
    }
}

void Collector::finish(Instant end) {
    WT_CHECK(!finished_);
    for (BotIndex bot = 0; bot < bots_.size(); ++bot) {
        if (bots_[bot].state.active) credit_active_time(bot, bots_[bot].active_since, end);
    }
    finished_ = true;
}

std::int64_t Collector::bot_largest(MetricId id, BotIndex bot) const {
    const std::vector<std::int64_t>& values = bot_largest_[index_of(id)];
    return bot < values.size() ? values[bot] : 0;
}

std::uint64_t Collector::bot_count_of(MetricId id, BotIndex bot, Way way) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < way_count; ++i) {
        if (way != Way::both && i != static_cast<std::size_t>(way)) continue;
        const std::vector<std::uint64_t>& counts = bot_counts_[index_of(id)][i];
        if (bot < counts.size()) sum += counts[bot];
    }
    return sum;
}

std::uint64_t Collector::pool_growth() const {
    return pool_.growth() + (bins_.size() > bins_reserved_ ? 1 : 0);
}

}  // namespace wt::sim
