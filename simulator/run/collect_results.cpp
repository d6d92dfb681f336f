// SPDX-License-Identifier: MIT
#include "simulator/run/collect_results.hpp"

#include <algorithm>
#include <map>

#include "simulator/report/format.hpp"
#include "simulator/run/act_expansion.hpp"

namespace wt::sim {

namespace {

void add_to(Conservation& sum, const PathCounters& path) {
    sum.sent += path.sent;
    sum.duplicated += path.duplicated;
    sum.delivered += path.delivered;
    sum.dropped += path.dropped.total();
    sum.in_flight += path.in_flight;
}

void add_drops(LinkDirectionResult& result, const DropCounters& dropped) {
    for (unsigned cause = 1; cause < drop_cause_count; ++cause) {
        const std::uint64_t count = dropped.of(static_cast<DropCause>(cause));
        if (count == 0) continue;
        const char* const name = name_of(static_cast<DropCause>(cause));
        const auto found = std::find_if(result.drops.begin(), result.drops.end(),
                                        [&](const NamedCount& drop) { return drop.name == name; });
        if (found != result.drops.end()) {
            found->count += count;
        } else {
            result.drops.push_back({name, count});
        }
    }
}

// One-way delays over all bots whose group uses the link.
Stats delay_of(const Scenario& scenario, const Collector& collector, const std::string& link,
               Way way) {
    ChunkPool pool(64);
    Histogram values;
    for (const Bin& bin : collector.bins()) {
        if (bin.metric != MetricId::links_delay || bin.way != way) continue;
        if (bin.group >= scenario.groups.size()) continue;
        if (scenario.groups[bin.group].link != link) continue;
        values.merge(pool, bin.values, collector.pool());
    }
    return stats_of(values, pool);
}

}  // namespace

void collect_run(const World& world, const RunOptions& options, RunResult& result) {
    result.digest = world.digest();
    const WorldTotals totals = world.totals();
    result.events = totals.events;
    result.last_draw = totals.last_draw;
    result.pool_growth = totals.parcel_chunks;
    for (std::uint32_t bot = 0; bot < world.bot_count(); ++bot) {
        add_to(result.up, world.path_counters(bot, Way::up));
        add_to(result.down, world.path_counters(bot, Way::down));
    }
    if (options.keep_blocks) {
        for (const PlaceDigest& place : world.place_digests()) {
            for (std::size_t second = 0; second < place.seconds.size(); ++second) {
                result.blocks.push_back({.second = static_cast<std::int64_t>(second),
                                         .host = place.name,
                                         .value = place.seconds[second]});
            }
        }
        // By time first: the first block that differs is the first thing that went apart.
        std::stable_sort(
            result.blocks.begin(), result.blocks.end(),
            [](const DigestBlock& a, const DigestBlock& b) { return a.second < b.second; });
    }
    if (options.dump.has_value()) result.records = world.watched_lines(options.dump->host);
}

void collect_links(const Scenario& scenario, const World& world, const Collector& collector,
                   RunResult& result) {
    std::map<std::string, LinkResult> by_name;
    for (const LinkReport& report : world.link_reports()) {
        LinkResult& link = by_name[report.link];
        link.name = report.link;
        if (report.way == Way::up) ++link.instances;
        LinkDirectionResult& direction = report.way == Way::up ? link.up : link.down;
        direction.sent += report.counters.sent;
        direction.duplicated += report.counters.duplicated;
        add_drops(direction, report.counters.dropped);
    }
    // What happens behind the first link (partitions, sockets, buffers) is known by path.
    std::uint32_t bot = 0;
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t i = 0; i < group.count; ++i, ++bot) {
            LinkResult& link = by_name[group.link];
            link.name = group.link;
            for (const Way way : {Way::up, Way::down}) {
                LinkDirectionResult& direction = way == Way::up ? link.up : link.down;
                const PathCounters path = world.path_counters(bot, way);
                direction.delivered += path.delivered;
                direction.reordered += path.reordered;
                direction.in_flight += path.in_flight;
                DropCounters later{};
                for (const DropCause cause : {DropCause::partition, DropCause::receive_buffer,
                                              DropCause::no_socket, DropCause::nat}) {
                    later.by_cause[static_cast<unsigned>(cause)] = path.dropped.of(cause);
                }
                add_drops(direction, later);
            }
        }
    }
    for (auto& [name, link] : by_name) {
        for (const LinkConfig& config : scenario.links) {
            if (config.name == name) link.shared = config.share.kind != ShareConfig::Kind::each;
        }
        link.up.delay = delay_of(scenario, collector, name, Way::up);
        link.down.delay = delay_of(scenario, collector, name, Way::down);
        result.links.push_back(std::move(link));
    }
}

void collect_peers(const Scenario& scenario, const MetricsObserver& observer, RunResult& result) {
    std::uint32_t bot = 0;
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t i = 0; i < group.count; ++i, ++bot) {
            const MetricsObserver::BotState& state = observer.state_of(bot);
            PeerResult& peer = result.peers.emplace_back();
            peer.name = bot_name(scenario, bot);
            peer.group = group.name;
            peer.index = bot;
            peer.state = state.is_active() ? "active" : state.wanted ? "waiting" : "away";
            if (state.last_reason != transport::CloseReason::none) {
                peer.close_reason = transport::name_of(state.last_reason);
            }
        }
    }
}

void collect_acts(const Scenario& scenario, const World& world, const BuiltWorld& built,
                  RunResult& result) {
    const HostIndex index(scenario);
    std::vector<std::uint64_t> hits_of(scenario.acts.size(), 0);
    std::uint32_t plan = 0;  // Of the world's acts; changes of links stand behind all others.
    for (const Firing& firing : firings_of(scenario, index, result.seed)) {
        const bool is_change = firing.act->what == Act::Do::change;
        const std::uint32_t place = is_change ? 0 : plan++;
        // Beyond where an interrupted run came to, nothing happened.
        if (firing.start >= result.ran_until) continue;
        ActResult& act = result.acts.emplace_back();
        act.name = firing.act->name;
        act.what = name_of(firing.act->what);
        act.start = firing.start;
        act.end = firing.end;
        for (const std::uint32_t host : firing.hosts) {
            act.targets.push_back(text_of(built.names[host]));
        }
        act.hits = firing.hosts.size();
        if (!firing.act->fault.has_value()) continue;
        const FaultReport report = world.fault_report(place);
        act.hits = report.hits;
        act.selector = firing.act->selector;
        hits_of[static_cast<std::size_t>(firing.act - scenario.acts.data())] += report.hits;
        for (unsigned kind = 0; kind < transport::kind_count; ++kind) {
            const auto carried = static_cast<transport::Kind>(kind);
            if (report.carried[kind] == 0 || carried == firing.act->fault->what.kind) continue;
            act.also_lost.push_back({transport::name_of(carried), report.carried[kind]});
        }
    }
    // A run that was stopped early proves nothing of what was still to come.
    if (result.stopped != Stopped::at_end) return;
    for (std::size_t i = 0; i < scenario.acts.size(); ++i) {
        const Act& act = scenario.acts[i];
        if (!act.fault.has_value() || !act.fault->what.is_finite()) continue;
        if (hits_of[i] == 0) result.idle_faults.push_back(act.name);
    }
}

void collect_weather(const World& world, const MetricsObserver& observer, RunResult& result) {
    for (GateResult& gate : result.gates) {
        const Taken& worst = gate.worst;
        const bool has_failed = gate.verdict == Verdict::fail;
        if (!has_failed || !worst.any || worst.bot == no_bot) continue;
        if (worst.at >= result.ran_until) continue;
        gate.weather = observer.links().weather_at(worst.bot, worst.way, worst.at);
        for (const Way way : {Way::up, Way::down}) {
            if (worst.way != Way::both && worst.way != way) continue;
            const std::string name = way == Way::up ? "up" : "down";
            const std::optional<Duration> bad = world.bad_for(worst.bot, way, worst.at);
            if (world.is_cut(worst.bot, way, worst.at)) {
                gate.weather += (gate.weather.empty() ? "" : "; ") + name + " cut by a partition";
            } else if (bad.has_value()) {
                gate.weather += (gate.weather.empty() ? "" : "; ") + name +
                                " in its bad state for " + format_time(bad->ns);
            }
        }
    }
}

}  // namespace wt::sim
