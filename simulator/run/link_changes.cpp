// SPDX-License-Identifier: MIT
#include "simulator/run/link_changes.hpp"

#include <algorithm>
#include <map>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "simulator/run/link_ramp.hpp"

namespace wt::sim {

namespace {

const LinkConfig& link_named(const Scenario& scenario, const std::string& name) {
    for (const LinkConfig& link : scenario.links) {
        if (link.name == name) return link;
    }
    WT_CHECK(name.empty());  // The reader has checked every name.
    return scenario.links.front();
}

// The changes of one link, in the order in which later ones win.
struct LinkTimeline {
    std::vector<const Firing*> changes{};
    std::vector<Instant> cuts{};
};

// In steps: at its start a ramp has not begun.
RampPlace ramp_place(const Firing& firing, Instant at) {
    if (firing.act->ramp == Duration{} || mutated<"ramp">()) return {};
    return {(at - firing.start).ns / change_ramp_step.ns,
            firing.act->ramp.ns / change_ramp_step.ns};
}

void add_piece(const Scenario& scenario, const std::string& link, const LinkTimeline& timeline,
               Instant start, Instant end, std::vector<ActPlan>& plans) {
    // Hosts under the same set of changes share one piece. No host named: every instance.
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> hosts_by_set;
    std::vector<std::uint32_t> of_all;
    std::vector<std::uint32_t> named;
    for (std::uint32_t i = 0; i < timeline.changes.size(); ++i) {
        const Firing& firing = *timeline.changes[i];
        if (firing.start > start || firing.end <= start) continue;
        if (firing.act->who.empty()) of_all.push_back(i);
        for (const std::uint32_t host : firing.hosts)
            named.push_back(host);
    }
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    for (const std::uint32_t host : named) {
        std::vector<std::uint32_t> set;
        for (std::uint32_t i = 0; i < timeline.changes.size(); ++i) {
            const Firing& firing = *timeline.changes[i];
            if (firing.start > start || firing.end <= start) continue;
            const bool meant = firing.act->who.empty() ||
                               std::binary_search(firing.hosts.begin(), firing.hosts.end(), host);
            if (meant) set.push_back(i);
        }
        hosts_by_set[set].push_back(host);
    }
    const auto emit = [&](const std::vector<std::uint32_t>& set,
                          const std::vector<std::uint32_t>& hosts) {
        if (set.empty()) return;
        ActPlan& plan = plans.emplace_back();
        plan.name = timeline.changes[set.back()]->act->name;
        plan.what = ActPlan::Do::change;
        plan.start = start;
        plan.end = end;
        plan.hosts = hosts;
        plan.link = link;
        plan.becomes = link_named(scenario, link);
        for (const std::uint32_t i : set) {
            const Act& act = *timeline.changes[i]->act;
            const RampPlace place = ramp_place(*timeline.changes[i], start);
            ramp_link_keys(act.up_keys, act.becomes->up, place, plan.becomes->up);
            ramp_link_keys(act.down_keys, act.becomes->down, place, plan.becomes->down);
        }
    };
    // Everybody first: where hosts are named too, their piece starts later in the list and wins.
    emit(of_all, {});
    for (const auto& [set, hosts] : hosts_by_set)
        emit(set, hosts);
}

}  // namespace

std::vector<ActPlan> link_changes(const Scenario& scenario, const std::vector<Firing>& firings) {
    std::map<std::string, LinkTimeline> by_link;
    for (const Firing& firing : firings) {
        if (firing.act->what != Act::Do::change) continue;
        LinkTimeline& timeline = by_link[firing.act->link];
        timeline.changes.push_back(&firing);
        timeline.cuts.push_back(firing.start);
        timeline.cuts.push_back(firing.end);
        for (Instant step = firing.start + change_ramp_step;
             step <= firing.start + firing.act->ramp && step < firing.end; step += change_ramp_step)
            timeline.cuts.push_back(step);
    }
    std::vector<ActPlan> plans;
    for (auto& [link, timeline] : by_link) {
        // The later start wins; of equal ones the later in the file.
        std::stable_sort(timeline.changes.begin(), timeline.changes.end(),
                         [](const Firing* a, const Firing* b) { return a->start < b->start; });
        std::sort(timeline.cuts.begin(), timeline.cuts.end());
        timeline.cuts.erase(std::unique(timeline.cuts.begin(), timeline.cuts.end()),
                            timeline.cuts.end());
        for (std::size_t i = 0; i < timeline.cuts.size(); ++i) {
            const Instant start = timeline.cuts[i];
            const Instant end =
                i + 1 < timeline.cuts.size() ? timeline.cuts[i + 1] : Instant::never();
            if (start == Instant::never()) break;
            add_piece(scenario, link, timeline, start, end, plans);
        }
    }
    return plans;
}

}  // namespace wt::sim
