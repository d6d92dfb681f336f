// SPDX-License-Identifier: MIT
#include "simulator/core/topology.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

constexpr std::uint64_t name_salt = 0x11e8'a3e5;
constexpr std::uint32_t unknown = 0xffff'ffff;
constexpr std::size_t chain_max = 4;

// A stretch during which a direction is something else.
struct Override {
    Instant start{};
    Instant end{};
    std::shared_ptr<const CompiledDirection> config{};
};

class Builder {
public:
    explicit Builder(const WorldPlan& plan) : plan_(plan) {}

    Topology build() {
        name_hosts();
        compile_links();
        count_sharers();
        for (std::uint32_t bot = 0; bot < made_.bots.size(); ++bot)
            lay_paths(bot);
        split_first_hops();
        level_nodes();
        apply_changes();
        apply_cuts();
        return std::move(made_);
    }

private:
    void name_hosts();
    void compile_links();
    void count_sharers();
    [[nodiscard]] std::vector<std::uint32_t> chain_of(const std::string& first) const;
    [[nodiscard]] std::uint32_t link_index(const std::string& name) const;
    std::uint32_t instance(std::uint32_t link, std::uint32_t number, const HostName& host,
                           std::size_t depth, bool is_server_side);
    void lay_paths(std::uint32_t bot);
    void split_first_hops();
    void level_nodes();
    void apply_changes();
    [[nodiscard]] std::vector<PathSpan> spans_of(const PathPlan& path, ActPlan::Do what) const;
    void apply_cuts();
    [[nodiscard]] std::vector<std::uint32_t> directions_of(const ActPlan& act) const;

    const WorldPlan& plan_;
    Topology made_{};
    std::vector<CompiledLink> compiled_{};
    std::map<std::uint64_t, std::uint32_t> instances_{};  // By name: the direction that goes up.
    // For each bot and place in its chain: how many bots of smaller names come through that link.
    std::vector<std::vector<std::uint32_t>> before_{};
    // Per path: all directions in order, before it is known which are nodes.
    std::vector<std::vector<std::uint32_t>> hops_{};
};

void Builder::name_hosts() {
    made_.server = unknown;
    for (std::uint32_t host = 0; host < plan_.hosts.size(); ++host) {
        if (plan_.hosts[host].is_server) {
            WT_CHECK(made_.server == unknown);
            made_.server = host;
        } else {
            made_.bots.push_back(host);
        }
    }
    WT_CHECK(made_.server != unknown);
}

void Builder::compile_links() {
    for (const LinkConfig& link : plan_.links)
        compiled_.push_back(compile(link));
}

void Builder::count_sharers() {
    std::vector<std::uint32_t> by_name(made_.bots.size());
    std::iota(by_name.begin(), by_name.end(), 0u);
    std::sort(by_name.begin(), by_name.end(), [this](std::uint32_t a, std::uint32_t b) {
        return plan_.hosts[made_.bots[a]].name < plan_.hosts[made_.bots[b]].name;
    });
    std::vector<std::uint32_t> passed(plan_.links.size(), 0);
    before_.resize(made_.bots.size());
    for (const std::uint32_t bot : by_name) {
        for (const std::uint32_t link : chain_of(plan_.hosts[made_.bots[bot]].link)) {
            before_[bot].push_back(passed[link]++);
        }
    }
}

std::uint32_t Builder::link_index(const std::string& name) const {
    for (std::uint32_t i = 0; i < plan_.links.size(); ++i) {
        if (plan_.links[i].name == name) return i;
    }
    WT_CHECK(false);  // A link that the plan does not have: the reader refuses it by name.
    return 0;
}

std::vector<std::uint32_t> Builder::chain_of(const std::string& first) const {
    std::vector<std::uint32_t> chain;
    for (const std::string* name = &first; !name->empty();) {
        WT_CHECK(chain.size() < chain_max);
        chain.push_back(link_index(*name));
        name = &plan_.links[chain.back()].via;
    }
    return chain;
}

// Finds or makes both directions of an instance; returns the one that goes up, down follows it.
std::uint32_t Builder::instance(std::uint32_t link, std::uint32_t number, const HostName& host,
                                std::size_t depth, bool is_server_side) {
    const LinkConfig& config = plan_.links[link];
    const bool is_own = config.share.kind == ShareConfig::Kind::each && !is_server_side;
    // A link of one's own is named after its host, so that another profile meets the same luck; a
    // shared one after its place.
    const LuckKey salt{name_salt};
    const LuckKey key = is_own ? salt.with("own").with(host.group).with(host.number).with(depth)
                        : is_server_side
                            ? salt.with("server side").with(depth)
                            : salt.with("place").with(config.name).with(std::uint64_t{number});
    const std::string place = is_own           ? text_of(host)
                              : is_server_side ? std::string("server")
                                               : std::to_string(number);
    const std::uint32_t fresh = static_cast<std::uint32_t>(made_.directions.size());
    const std::uint32_t at = instances_.try_emplace(key.value, fresh).first->second;
    if (at != fresh) return at;
    for (const Way way : {Way::up, Way::down}) {
        const bool is_up = way == Way::up;
        DirectionPlan direction;
        direction.link = config.name;
        direction.text = config.name + "/" + place + (is_up ? "/up" : "/down");
        direction.name = key.with(is_up ? "up" : "down").value;
        direction.way = way;
        direction.timeline = {{{}, is_up ? compiled_[link].up : compiled_[link].down}};
        made_.directions.push_back(std::move(direction));
    }
    return at;
}

void Builder::lay_paths(std::uint32_t bot) {
    const std::uint32_t host = made_.bots[bot];
    const HostPlan& plan = plan_.hosts[host];
    std::vector<std::uint32_t> up;
    const std::vector<std::uint32_t> chain = chain_of(plan.link);
    for (std::size_t depth = 0; depth < chain.size(); ++depth) {
        const std::uint32_t link = chain[depth];
        const ShareConfig& share = plan_.links[link].share;
        const bool is_counted = share.kind == ShareConfig::Kind::count;
        const std::uint32_t number =
            is_counted ? before_[bot][depth] / std::max(share.count, 1u) : 0;
        up.push_back(instance(link, number, plan.name, depth, false));
    }
    const std::vector<std::uint32_t> uplink = chain_of(plan_.server_via);
    for (std::size_t depth = uplink.size(); depth-- > 0;) {
        up.push_back(instance(uplink[depth], 0, server_name(), depth, true));
    }
    for (const Way way : {Way::up, Way::down}) {
        const bool is_up = way == Way::up;
        PathPlan path;
        path.bot = bot;
        path.source = is_up ? host : made_.server;
        path.target = is_up ? made_.server : host;
        path.way = way;
        path.name = LuckKey{hash_of(plan.name)}.with(is_up ? "up" : "down").value;
        made_.paths.push_back(std::move(path));
        std::vector<std::uint32_t> hops = up;
        if (!is_up) {
            std::reverse(hops.begin(), hops.end());
            for (std::uint32_t& hop : hops)
                ++hop;
        }
        hops_.push_back(std::move(hops));
    }
}

// A direction into which one host sends everything first-hand is asked at hand-over; every other
// one is a node, because what comes through it has to be put in order first. So is one that has to
// be asked again at turns: it has a time line of its own.
void Builder::split_first_hops() {
    std::vector<std::uint32_t> sender(made_.directions.size(), unknown);
    for (std::size_t path = 0; path < hops_.size(); ++path) {
        for (std::size_t place = 0; place < hops_[path].size(); ++place) {
            DirectionPlan& direction = made_.directions[hops_[path][place]];
            std::uint32_t& known = sender[hops_[path][place]];
            const std::uint32_t source = made_.paths[path].source;
            if (place > 0 || (known != unknown && known != source)) direction.is_node = true;
            const Discipline discipline = direction.timeline.front().config->config.discipline;
            if (judges_at_turns(discipline)) direction.is_node = true;
            if (place == 0) known = direction.owner = source;
        }
    }
    for (std::size_t path = 0; path < hops_.size(); ++path) {
        std::vector<std::uint32_t> nodes = hops_[path];
        if (!nodes.empty() && !made_.directions[nodes.front()].is_node) {
            made_.paths[path].first = nodes.front();
            nodes.erase(nodes.begin());
        }
        WT_CHECK(nodes.size() <= path_nodes_max);
        made_.paths[path].nodes = std::move(nodes);
    }
}

void Builder::level_nodes() {
    // Chains are short and without circles, so this settles after as many rounds as they are long.
    for (std::size_t round = 0; round <= path_nodes_max; ++round) {
        for (const PathPlan& path : made_.paths) {
            std::uint32_t level = 0;
            for (const std::uint32_t node : path.nodes) {
                DirectionPlan& direction = made_.directions[node];
                direction.level = std::max(direction.level, level);
                level = direction.level + 1;
            }
        }
    }
}

// The directions that a change means.
std::vector<std::uint32_t> Builder::directions_of(const ActPlan& act) const {
    std::vector<std::uint32_t> found;
    for (std::size_t path = 0; path < hops_.size(); ++path) {
        const PathPlan& plan = made_.paths[path];
        if (act.way != Way::both && act.way != plan.way) continue;
        const bool is_meant =
            act.hosts.empty() ||
            std::any_of(act.hosts.begin(), act.hosts.end(), [&](std::uint32_t host) {
                return host == plan.source || host == plan.target;
            });
        if (!is_meant) continue;
        for (const std::uint32_t hop : hops_[path]) {
            if (made_.directions[hop].link == act.link) found.push_back(hop);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

DirectionTimeline with_overrides(const DirectionTimeline& base, std::vector<Override> overrides) {
    std::vector<Instant> edges = {Instant{}};
    for (const Override& each : overrides) {
        edges.push_back(each.start);
        if (each.end != Instant::never()) edges.push_back(each.end);
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    // The later start wins; of two at one instant the later one in the file.
    std::stable_sort(overrides.begin(), overrides.end(),
                     [](const Override& a, const Override& b) { return a.start < b.start; });
    DirectionTimeline timeline;
    std::vector<const Override*> holding;
    std::size_t next = 0;
    for (const Instant edge : edges) {
        while (next < overrides.size() && overrides[next].start <= edge)
            holding.push_back(&overrides[next++]);
        std::erase_if(holding, [edge](const Override* each) { return each->end <= edge; });
        const Override* active = holding.empty() ? nullptr : holding.back();
        std::shared_ptr<const CompiledDirection> config =
            active != nullptr ? active->config : base.front().config;
        if (!timeline.empty() && timeline.back().config == config) continue;
        timeline.push_back({edge, std::move(config)});
    }
    return timeline;
}

void Builder::apply_changes() {
    std::vector<std::vector<Override>> overrides(made_.directions.size());
    for (const ActPlan& act : plan_.acts) {
        if (act.what != ActPlan::Do::change || act.end <= act.start) continue;
        WT_CHECK(act.becomes.has_value());
        const CompiledLink becomes = compile(*act.becomes);
        for (const std::uint32_t direction : directions_of(act)) {
            const bool is_up = made_.directions[direction].way == Way::up;
            overrides[direction].push_back({act.start, act.end, is_up ? becomes.up : becomes.down});
        }
    }
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        if (overrides[i].empty()) continue;
        DirectionTimeline& timeline = made_.directions[i].timeline;
        timeline = with_overrides(timeline, std::move(overrides[i]));
    }
}

// The spans of all acts of one kind on a path, sorted and apart.
std::vector<PathSpan> Builder::spans_of(const PathPlan& path, ActPlan::Do what) const {
    std::vector<PathSpan> spans;
    for (const ActPlan& act : plan_.acts) {
        if (act.what != what || act.end <= act.start) continue;
        if (act.way != Way::both && act.way != path.way) continue;
        for (const std::uint32_t host : act.hosts) {
            if (host != path.source && host != path.target) continue;
            spans.push_back({act.start, act.end});
            break;
        }
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const PathSpan& a, const PathSpan& b) { return a.start < b.start; });
    std::vector<PathSpan> apart;
    for (const PathSpan& span : spans) {
        if (!apart.empty() && span.start <= apart.back().end) {
            apart.back().end = std::max(apart.back().end, span.end);
        } else {
            apart.push_back(span);
        }
    }
    return apart;
}

void Builder::apply_cuts() {
    for (PathPlan& path : made_.paths) {
        path.partitions = spans_of(path, ActPlan::Do::partition);
        path.suspensions = spans_of(path, ActPlan::Do::suspend);
    }
}

}  // namespace

Topology make_topology(const WorldPlan& plan) {
    return Builder(plan).build();
}

}  // namespace wt::sim
