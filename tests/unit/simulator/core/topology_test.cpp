// SPDX-License-Identifier: MIT
//
// Which directions lie on whose path: chains, sharing, the server's uplink, changes over time; and
// what windows make of their floors.
#include "simulator/core/topology.hpp"

#include <doctest/doctest.h>

#include "simulator/core/windows.hpp"
#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim::topology_test {
namespace {

LinkConfig link_of(const std::string& name, ShareConfig share = {}, const std::string& via = {}) {
    LinkConfig link;
    link.name = name;
    link.share = share;
    link.via = via;
    return link;
}

std::vector<std::string> hops(const Topology& topology, std::uint32_t bot, Way way) {
    const PathPlan& path = topology.paths[path_of(bot, way)];
    std::vector<std::string> names;
    if (path.first != no_direction) names.push_back(topology.directions[path.first].text);
    for (const std::uint32_t node : path.nodes)
        names.push_back("node " + topology.directions[node].text);
    return names;
}

using Names = std::vector<std::string>;

Instant ms(std::int64_t n) {
    return Instant{} + Duration::millis(n);
}

// The windows of a plan without nodes.
Windows windows_of(const WorldPlan& plan) {
    const Topology topology = make_topology(plan);
    return Windows(plan, topology, std::vector<std::uint32_t>(topology.directions.size(), 0),
                   static_cast<std::uint32_t>(plan.hosts.size()));
}

}  // namespace

TEST_CASE("a link of one's own is asked at hand-over, in both directions") {
    Party party(2);
    const Topology topology = make_topology(party.plan);
    CHECK(hops(topology, 1, Way::up) == Names{"test/player-1/up"});
    CHECK(hops(topology, 1, Way::down) == Names{"test/player-1/down"});
    CHECK(topology.directions.size() == 4);
}

TEST_CASE("without a link nothing lies between") {
    Party party(1);
    party.plan.hosts[party.host_of_bot(0)].link.clear();
    const Topology topology = make_topology(party.plan);
    CHECK(hops(topology, 0, Way::up).empty());
    CHECK(topology.directions.empty());
}

TEST_CASE("chains go up through via and the server's side, and come down in reverse") {
    Party party(5, {5, 0, 3, 1, 2, 4});
    party.plan.links = {link_of("test", {}, "home"),
                        link_of("home", {ShareConfig::Kind::count, 2}, "cell"),
                        link_of("cell", {ShareConfig::Kind::all, 1}), link_of("uplink")};
    party.plan.server_via = "uplink";
    const Topology topology = make_topology(party.plan);
    std::vector<Names> ups(5);
    for (std::uint32_t bot = 0; bot < 5; ++bot) {
        const std::uint32_t number = party.plan.hosts[topology.bots[bot]].name.number;
        const std::string home = "home/" + std::to_string(number / 2);
        const std::string own = "test/player-" + std::to_string(number);
        CHECK(hops(topology, bot, Way::up) == Names{own + "/up", "node " + home + "/up",
                                                    "node cell/0/up", "node uplink/server/up"});
        CHECK(hops(topology, bot, Way::down) == Names{"uplink/server/down", "node cell/0/down",
                                                      "node " + home + "/down",
                                                      "node " + own + "/down"});
        const PathPlan& up = topology.paths[path_of(bot, Way::up)];
        for (std::size_t i = 1; i < up.nodes.size(); ++i) {
            CHECK(topology.directions[up.nodes[i - 1]].level <
                  topology.directions[up.nodes[i]].level);
        }
    }
}

TEST_CASE("a first link that several bots share is a node going up, and the server's going down") {
    Party party(2);
    party.plan.links = {link_of("test", {ShareConfig::Kind::all, 1})};
    const Topology topology = make_topology(party.plan);
    CHECK(hops(topology, 0, Way::up) == Names{"node test/0/up"});
    CHECK(hops(topology, 1, Way::down) == Names{"test/0/down"});
}

TEST_CASE("names of links do not depend on their profile's name, shared ones are places") {
    Party one(2);
    Party other(2);
    other.plan.links[0].name = "fibre";
    for (HostPlan& host : other.plan.hosts) {
        if (!host.is_server) host.link = "fibre";
    }
    const Topology a = make_topology(one.plan);
    const Topology b = make_topology(other.plan);
    REQUIRE(a.directions.size() == b.directions.size());
    for (std::size_t i = 0; i < a.directions.size(); ++i)
        CHECK(a.directions[i].name == b.directions[i].name);
}

TEST_CASE("changes become segments of those whom they mean, partitions merge") {
    Party party(2);
    ActPlan& change = party.act(ActPlan::Do::change, 100, 200, {party.host_of_bot(1)});
    change.link = "test";
    change.way = Way::down;
    change.becomes = party.plan.links[0];
    party.act(ActPlan::Do::partition, 100, 300, {party.host_of_bot(0)});
    party.act(ActPlan::Do::partition, 300, 400, {party.at[0]}).way = Way::up;
    party.act(ActPlan::Do::partition, 600, 700, {party.host_of_bot(0)});
    const Topology topology = make_topology(party.plan);
    const auto segments = [&](std::uint32_t bot, Way way) {
        return topology.directions[topology.paths[path_of(bot, way)].first].timeline.size();
    };
    CHECK(segments(0, Way::up) == 1);
    CHECK(segments(0, Way::down) == 1);
    CHECK(segments(1, Way::up) == 1);
    CHECK(segments(1, Way::down) == 3);
    const std::vector<PathSpan>& up = topology.paths[path_of(0, Way::up)].partitions;
    REQUIRE(up.size() == 2);
    CHECK(up[0].start == ms(100));
    CHECK(up[0].end == ms(400));
    CHECK(topology.paths[path_of(0, Way::down)].partitions.size() == 2);
    REQUIRE(topology.paths[path_of(1, Way::up)].partitions.size() == 1);
    CHECK(topology.paths[path_of(1, Way::down)].partitions.empty());
}

TEST_CASE("a window ends at the first wake-up that could see what was sent inside it") {
    Party party(2);
    party.up().delay = Duration::millis(20);
    party.down().delay = Duration::millis(30);
    const Windows windows = windows_of(party.plan);
    CHECK(windows.group_count() == 3);
    // Sent at 0, arrives at 20 ms; the poll of 20 ms does not see it, that of 25 ms does.
    CHECK(windows.end_of(ms(0)) == ms(25));
    // 16.67 ms + 20 ms: before the poll at 40 ms there is no tick.
    CHECK(windows.end_of({16'666'666}) == ms(40));
    // 10 ms + 20 ms = 30 ms: the tick at 33.3 ms comes before the poll at 35 ms.
    CHECK(windows.end_of(ms(10)) == Instant{33'333'333});
}

TEST_CASE("windows are cut where a change may lower a floor, and use the floor of their time") {
    Party party(2);
    party.up().delay = Duration::millis(20);
    party.down().delay = Duration::millis(20);
    ActPlan& change = party.act(ActPlan::Do::change, 102, 200, {});
    change.link = "test";
    change.becomes = party.plan.links[0];
    change.becomes->up.delay = Duration::millis(2);
    const Windows windows = windows_of(party.plan);
    CHECK(windows.end_of(ms(95)) == ms(102));
    CHECK(windows.end_of(ms(105)) == ms(110));
    CHECK(windows.end_of(ms(200)) == ms(225));
}

TEST_CASE("short floors need the grid or a common group") {
    Party coarse(2);
    CHECK(windows_of(coarse.plan).group_count() == 3);
    CHECK(windows_of(coarse.plan).end_of(ms(10)) == ms(15));
    Party fine(2);
    fine.plan.grid.poll = {};
    CHECK(windows_of(fine.plan).group_count() == 1);
    CHECK(windows_of(fine.plan).end_of(ms(10)) == Instant::never());
    fine.up().delay = Duration::millis(1);
    fine.down().delay = Duration::millis(1);
    CHECK(windows_of(fine.plan).group_count() == 3);
    CHECK(windows_of(fine.plan).end_of(ms(10)) == ms(11) + Duration::nanos(1));
    fine.down().delay = Duration::nanos(999'999);
    CHECK(windows_of(fine.plan).group_count() == 1);
}

}  // namespace wt::sim::topology_test
