// SPDX-License-Identifier: MIT
#include "simulator/core/host_acts.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

using Do = ActPlan::Do;
using What = HostAct::What;

// How an act begins and ends for one host.
struct Edges {
    What first = What::note;
    What last = What::note;
    bool is_restart = false;
};

Edges edges_of(Do what) {
    switch (what) {
        case Do::change:
        case Do::partition:
        case Do::suspend:
        case Do::fault:
            return {What::note, What::note, false};
        case Do::pause:
            return {What::pause, What::resume, false};
        case Do::kill:
            return {What::die, What::come_back, false};
        case Do::leave:
            return {What::leave, What::come_back, false};
        case Do::restart:
            return {What::die, What::come_back, true};
        case Do::rebind:
            return {What::rebind, What::note, false};
        case Do::behave:
            return {What::behave, What::behave_no_more, false};
    }
    return {};
}

// A stall is a pause that the host's plan repeats.
void add_stalls(const HostPlan& host, Instant end, std::vector<HostAct>& acts) {
    if (!host.stall.has_value()) return;
    const StallPlan& stall = *host.stall;
    WT_CHECK(stall.length > Duration{});
    WT_CHECK(stall.length < stall.every);
    const std::uint64_t name = LuckKey{}.with("stall").value;
    for (Instant resume = host.join_at + stall.every; resume - stall.length < end;
         resume += stall.every) {
        acts.push_back({.at = resume - stall.length, .what = What::pause, .name = name});
        acts.push_back({.at = resume, .what = What::resume, .name = name});
    }
}

// A translator that forgets everything each `every`, from an instant of the host's luck on.
void add_rebinds(const HostPlan& host, std::uint64_t seed, Instant end,
                 std::vector<HostAct>& acts) {
    const NatConfig& nat = host.nat;
    if (nat.every == Duration{}) return;
    const std::uint64_t span = static_cast<std::uint64_t>(nat.every.ns);
    const std::uint64_t draw = luck_of(seed, host.name).with("nat").draw(0);
    const Duration offset{static_cast<std::int64_t>(uniform_below(draw, span))};
    const std::uint64_t name = LuckKey{}.with("nat").value;
    for (Instant at = Instant{} + offset; at < end; at += nat.every)
        acts.push_back({.at = at, .what = What::rebind, .gives = nat.gives, .name = name});
}

}  // namespace

std::vector<std::vector<HostAct>> make_host_acts(const WorldPlan& plan) {
    std::vector<std::vector<HostAct>> acts(plan.hosts.size());
    for (std::uint32_t host = 0; host < plan.hosts.size(); ++host) {
        acts[host].push_back({.at = plan.hosts[host].join_at,
                              .what = What::come_up,
                              .name = LuckKey{}.with("join").value});
        add_stalls(plan.hosts[host], plan.end, acts[host]);
        add_rebinds(plan.hosts[host], plan.seed, plan.end, acts[host]);
    }
    for (std::uint32_t index = 0; index < plan.acts.size(); ++index) {
        const ActPlan& act = plan.acts[index];
        const Edges edges = edges_of(act.what);
        // Only these mean something in no time at all.
        if (act.end <= act.start && act.what != Do::restart && act.what != Do::kill &&
            act.what != Do::leave && act.what != Do::rebind) {
            continue;
        }
        for (const std::uint32_t host : act.hosts) {
            HostAct made{.at = act.start,
                         .what = edges.first,
                         .act = index,
                         .is_restart = edges.is_restart,
                         .as = act.as,
                         .gives = act.gives,
                         .name = LuckKey{}.with(act.name).value};
            std::vector<HostAct>& of_host = acts[host];
            of_host.push_back(made);
            // A kill or leave in no time is one without an end.
            const bool has_end =
                act.end != Instant::never() && (act.end > act.start || act.what == Do::restart);
            if (!has_end) continue;
            made.at = act.end;
            made.what = edges.last;
            of_host.push_back(made);
        }
    }
    for (std::vector<HostAct>& of_host : acts) {
        std::stable_sort(of_host.begin(), of_host.end(),
                         [](const HostAct& a, const HostAct& b) { return a.at < b.at; });
    }
    return acts;
}

}  // namespace wt::sim
