// SPDX-License-Identifier: MIT
#include "simulator/core/world.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/check.hpp"
#include "simulator/core/host_acts.hpp"

namespace wt::sim {

namespace {

std::uint32_t count_nodes(const Topology& topology) {
    std::uint32_t count = 0;
    for (const DirectionPlan& direction : topology.directions) {
        if (direction.is_node) ++count;
    }
    return count;
}

}  // namespace

World::World(WorldPlan plan, Observer* observer) : plan_(std::move(plan)), observer_(observer) {
    check_context() = {.seed = plan_.seed, .virtual_ns = 0, .event = 0};
    Topology topology = make_topology(plan_);
    const std::uint32_t host_count = static_cast<std::uint32_t>(plan_.hosts.size());
    const std::uint32_t node_count = count_nodes(topology);
    std::vector<std::uint32_t> entity_of(topology.directions.size(), 0);
    for (std::uint32_t i = 0, node = 0; i < topology.directions.size(); ++i) {
        if (topology.directions[i].is_node) entity_of[i] = host_count + node++;
    }
    schedule_ = std::make_unique<Schedule>(plan_.grid, host_count, node_count);
    windows_ = std::make_unique<Windows>(plan_, topology, entity_of, host_count + node_count);
    network_ =
        std::make_unique<Network>(plan_, std::move(topology), *schedule_, plan_.windows.workers);
    make_hosts(observer != nullptr);
    make_workers(observer);
}

void World::make_hosts(bool is_observed) {
    std::vector<HostName> names;
    for (const HostPlan& host : plan_.hosts)
        names.push_back(host.name);
    const std::vector<std::uint32_t> ranks = ranks_of(names);
    std::vector<std::uint32_t> bot_of(plan_.hosts.size(), 0);
    const std::vector<std::uint32_t>& bots = network_->topology().bots;
    for (std::uint32_t bot = 0; bot < bots.size(); ++bot)
        bot_of[bots[bot]] = bot;
    const HostServices services{.grid = plan_.grid,
                                .seed = plan_.seed,
                                .end = plan_.end,
                                .level_rate = plan_.level_rate,
                                .network = network_.get(),
                                .schedule = schedule_.get(),
                                .is_observed = is_observed};
    std::vector<std::vector<HostAct>> acts = make_host_acts(plan_);
    std::vector<std::uint32_t> by_rank(plan_.hosts.size());
    for (std::uint32_t i = 0; i < plan_.hosts.size(); ++i) {
        hosts_.push_back(std::make_unique<Host>(
            plan_.hosts[i], Host::Place{.index = i, .rank = ranks[i], .bot = bot_of[i]}, services,
            std::move(acts[i])));
        by_rank[ranks[i]] = i;
    }
    for (const std::uint32_t host : by_rank) {
        places_.push_back({text_of(plan_.hosts[host].name), &hosts_[host]->chronicle()});
    }
    const std::size_t host_places = places_.size();
    for (std::uint32_t node = 0; node < network_->node_count(); ++node) {
        const std::uint32_t direction = network_->node_direction(node);
        places_.push_back(
            {network_->topology().directions[direction].text, &network_->node_chronicle(node)});
    }
    std::sort(places_.begin() + static_cast<std::ptrdiff_t>(host_places), places_.end(),
              [](const Named& a, const Named& b) { return a.text < b.text; });
}

std::vector<Group> World::make_groups() const {
    std::vector<Group> groups(windows_->group_count());
    const std::vector<std::uint32_t>& group_of = windows_->groups();
    for (std::uint32_t entity = 0; entity < group_of.size(); ++entity) {
        Group& group = groups[group_of[entity]];
        (schedule_->is_node(entity) ? group.nodes : group.hosts).push_back(entity);
    }
    const auto level_of = [this](std::uint32_t entity) {
        const std::uint32_t node = entity - schedule_->host_count();
        return network_->topology().directions[network_->node_direction(node)].level;
    };
    for (Group& group : groups) {
        std::stable_sort(
            group.nodes.begin(), group.nodes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return level_of(a) < level_of(b); });
    }
    return groups;
}

// The server's group is the longest work of a window, so it is taken first; the others go in
// handfuls that keep neighbours together and still leave something for everybody.
std::vector<Chunk> World::make_chunks(std::vector<Group> groups) const {
    constexpr std::size_t chunk_groups_max = 32;
    const std::size_t share = groups.size() / (std::size_t{4} * plan_.windows.workers) + 1;
    const std::size_t size = std::min(chunk_groups_max, share);
    const std::uint32_t servers = windows_->groups()[network_->topology().server];
    std::vector<Chunk> chunks(1);
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        if (group == servers) continue;
        if (chunks.size() == 1 || chunks.back().groups.size() >= size) chunks.emplace_back();
        chunks.back().groups.push_back(std::move(groups[group]));
    }
    chunks.front().groups.push_back(std::move(groups[servers]));
    return chunks;
}

void World::make_workers(Observer* observer) {
    std::vector<Chunk> chunks = make_chunks(make_groups());
    std::vector<std::uint32_t> chunk_of(schedule_->entity_count(), 0);
    for (std::uint32_t chunk = 0; chunk < chunks.size(); ++chunk) {
        for (const Group& group : chunks[chunk].groups) {
            for (const std::uint32_t host : group.hosts)
                chunk_of[host] = chunk;
            for (const std::uint32_t node : group.nodes)
                chunk_of[node] = chunk;
        }
    }
    schedule_->set_groups(windows_->groups(), std::move(chunk_of), plan_.windows.workers);
    workers_ = std::make_unique<Workers>(hosts_, *network_, *schedule_, std::move(chunks),
                                         plan_.windows.workers, observer);
}

void World::run_until(Instant until) {
    WT_CHECK(!is_finished_);
    const Instant target = std::min(until, plan_.end);
    check_context().seed = plan_.seed;
    while (true) {
        const Instant start = workers_->earliest();
        if (start >= target) break;
        const Instant end = std::min(windows_->end_of(start), target);
        workers_->run_window(end);
        ++windows_run_;
        if (observer_ != nullptr) observer_->on_window_end(end);
    }
    reached_ = std::max(reached_, target);
}

void World::finish() {
    WT_CHECK(!is_finished_);
    is_finished_ = true;
    schedule_->deliver_all();
    for (const Named& place : places_)
        place.chronicle->finish(reached_);
    count_in_flight();
    for (std::uint32_t path = 0; path < in_flight_.size(); ++path) {
        const PathCounters sum = network_->counters_of(path);
        WT_CHECK(sum.sent + sum.duplicated ==
                 sum.delivered + sum.dropped.total() + in_flight_[path]);
    }
}

void World::count_in_flight() {
    in_flight_.assign(network_->topology().paths.size(), 0);
    std::uint64_t all = 0;
    for (std::uint32_t entity = 0; entity < schedule_->entity_count(); ++entity) {
        for (const Arrival& arrival : schedule_->inbox(entity).entries()) {
            ++in_flight_[network_->parcels().head(arrival.parcel).path];
            ++all;
        }
    }
    for (const ParcelId waiting : network_->waiting_at_nodes()) {
        ++in_flight_[network_->parcels().head(waiting).path];
        ++all;
    }
    // Every parcel is somewhere: under way, or waiting to be sealed into.
    WT_CHECK(network_->parcels().in_use() == all + workers_->spares());
}

Chronicle* World::find_place(const std::string& place) const {
    for (const Named& each : places_) {
        if (each.text == place) return each.chronicle;
    }
    return nullptr;
}

bool World::watch(const std::string& place, std::uint64_t second) {
    Chronicle* chronicle = find_place(place);
    if (chronicle == nullptr) return false;
    chronicle->watch(second);
    return true;
}

bool World::tamper(const std::string& place, Tampering tampering) {
    Chronicle* chronicle = find_place(place);
    if (chronicle == nullptr) return false;
    chronicle->tamper(tampering);
    return true;
}

const std::vector<std::string>& World::watched_lines(const std::string& place) const {
    const Chronicle* chronicle = find_place(place);
    WT_CHECK(chronicle != nullptr);
    return chronicle->lines();
}

DigestValue World::digest() const {
    Digest digest;
    for (const Named& place : places_) {
        const DigestValue value = place.chronicle->value();
        digest.add(value.high, value.low, LuckKey{}.with(place.text).value, 0);
    }
    return digest.value();
}

std::vector<PlaceDigest> World::place_digests() const {
    std::vector<PlaceDigest> digests;
    for (const Named& place : places_) {
        digests.push_back({place.text, place.chronicle->value(), place.chronicle->seconds()});
    }
    return digests;
}

WorldTotals World::totals() const {
    WorldTotals totals;
    for (const std::unique_ptr<Host>& host : hosts_) {
        totals.events += host->events();
        totals.datagrams += host->datagrams_sent();
    }
    for (std::uint32_t node = 0; node < network_->node_count(); ++node)
        totals.events += network_->node_events(node);
    totals.parcel_chunks = network_->parcels().chunks_grown();
    const LuckKey root = LuckKey::root(plan_.seed).with("last draw");
    totals.last_draw = root.draw(totals.events ^ totals.datagrams << 24);
    return totals;
}

PathCounters World::path_counters(std::uint32_t bot, Way way) const {
    const std::uint32_t path = path_of(bot, way);
    PathCounters counters = network_->counters_of(path);
    if (is_finished_) counters.in_flight = in_flight_[path];
    return counters;
}

std::optional<Duration> World::bad_for(std::uint32_t bot, Way way, Instant at) const {
    const PathPlan& path = network_->topology().paths[path_of(bot, way)];
    std::vector<std::uint32_t> hops = path.nodes;
    if (path.first != no_direction) hops.push_back(path.first);
    std::optional<Duration> longest;
    for (const std::uint32_t hop : hops) {
        const std::optional<Duration> found = network_->direction(hop).bad_for(at);
        if (found.has_value() && (!longest.has_value() || *found > *longest)) longest = found;
    }
    return longest;
}

std::vector<LinkReport> World::link_reports() const {
    std::vector<LinkReport> reports;
    const std::vector<DirectionPlan>& directions = network_->topology().directions;
    for (std::uint32_t i = 0; i < directions.size(); ++i) {
        reports.push_back({directions[i].text, directions[i].link, directions[i].way,
                           network_->direction(i).counters()});
    }
    std::stable_sort(reports.begin(), reports.end(),
                     [](const LinkReport& a, const LinkReport& b) { return a.name < b.name; });
    return reports;
}

}  // namespace wt::sim
