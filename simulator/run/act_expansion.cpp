// SPDX-License-Identifier: MIT
#include "simulator/run/act_expansion.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "simulator/run/link_changes.hpp"

namespace wt::sim {

HostIndex::HostIndex(const Scenario& scenario) : scenario_(scenario) {
    for (const BotGroup& group : scenario.groups) {
        first_.push_back(count_);
        count_ += group.count;
    }
}

std::vector<std::uint32_t> HostIndex::resolve(const std::vector<Target>& who, std::uint64_t seed,
                                              const std::string& act, std::uint64_t firing) const {
    std::vector<std::uint8_t> chosen(count_, 0);
    for (const Target& target : who) {
        const LuckKey luck =
            LuckKey::root(seed).with("act").with(act).with(target.group).with(firing);
        add(target, luck, chosen);
    }
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t host = 0; host < count_; ++host) {
        if (chosen[host] != 0) hosts.push_back(host);
    }
    return hosts;
}

void HostIndex::add(const Target& target, LuckKey luck, std::vector<std::uint8_t>& chosen) const {
    if (target.kind == Target::Kind::server) {
        chosen[server] = 1;
        return;
    }
    if (target.kind == Target::Kind::all) {
        std::fill(chosen.begin() + 1, chosen.end(), std::uint8_t{1});
        return;
    }
    for (std::size_t g = 0; g < scenario_.groups.size(); ++g) {
        if (scenario_.groups[g].name != target.group) continue;
        const std::uint32_t first = first_[g];
        const std::uint32_t count = scenario_.groups[g].count;
        if (target.kind == Target::Kind::group) {
            std::fill_n(chosen.begin() + first, count, std::uint8_t{1});
        } else if (target.kind == Target::Kind::range) {
            for (std::uint32_t n = target.first; n <= target.last && n < count; ++n) {
                chosen[first + n] = 1;
            }
        } else {
            // K different ones: the front of a shuffle, drawn place by place.
            std::vector<std::uint32_t> order(count);
            for (std::uint32_t n = 0; n < count; ++n)
                order[n] = n;
            for (std::uint32_t k = 0; k < std::min(target.any, count); ++k) {
                const std::uint64_t pick = k + uniform_below(luck.draw(k), count - k);
                std::swap(order[k], order[pick]);
                chosen[first + order[k]] = 1;
            }
        }
    }
}

std::vector<Firing> firings_of(const Scenario& scenario, const HostIndex& index,
                               std::uint64_t seed) {
    std::vector<Firing> firings;
    for (const Act& act : scenario.acts) {
        if (act.what == Act::Do::nothing) continue;
        const bool repeats = act.every > Duration{};
        // A repeated act keeps its own length; the last one is cut by the run's end like any.
        const Duration length = act.end == Instant::never() ? Duration::max() : act.end - act.start;
        Instant start = act.start;
        for (std::uint64_t number = 0;; ++number) {
            firings.push_back({.act = &act,
                               .number = number,
                               .start = start,
                               .end = length == Duration::max() ? Instant::never() : start + length,
                               .hosts = index.resolve(act.who, seed, act.name, number)});
            if (!repeats || start + act.every >= act.every_until) break;
            start += act.every;
        }
    }
    return firings;
}

const char* name_of(Act::Do what) {
    switch (what) {
        case Act::Do::change:
            return "change";
        case Act::Do::partition:
            return "partition";
        case Act::Do::suspend:
            return "suspend";
        case Act::Do::rebind:
            return "rebind";
        case Act::Do::pause:
            return "pause";
        case Act::Do::kill:
            return "kill";
        case Act::Do::leave:
            return "leave";
        case Act::Do::restart:
            return "restart";
        case Act::Do::behave:
            return "behave";
        case Act::Do::drop:
            return "drop";
        case Act::Do::delay:
            return "delay";
        case Act::Do::duplicate:
            return "duplicate";
        case Act::Do::corrupt:
            return "corrupt";
        case Act::Do::replay:
            return "replay";
        case Act::Do::nothing:
            return "nothing";
    }
    return "?";
}

namespace {

ActPlan::Do plan_of(Act::Do what) {
    switch (what) {
        case Act::Do::change:
            return ActPlan::Do::change;
        case Act::Do::partition:
            return ActPlan::Do::partition;
        case Act::Do::suspend:
            return ActPlan::Do::suspend;
        case Act::Do::rebind:
            return ActPlan::Do::rebind;
        case Act::Do::pause:
            return ActPlan::Do::pause;
        case Act::Do::kill:
            return ActPlan::Do::kill;
        case Act::Do::leave:
            return ActPlan::Do::leave;
        case Act::Do::restart:
            return ActPlan::Do::restart;
        case Act::Do::behave:
            return ActPlan::Do::behave;
        case Act::Do::drop:
        case Act::Do::delay:
        case Act::Do::duplicate:
        case Act::Do::corrupt:
        case Act::Do::replay:
            return ActPlan::Do::fault;
        case Act::Do::nothing:
            break;
    }
    WT_CHECK(what != Act::Do::nothing);
    return ActPlan::Do::pause;
}

}  // namespace

std::vector<ActPlan> expand_acts(const Scenario& scenario, const std::vector<Firing>& firings) {
    std::vector<ActPlan> plans;
    for (const Firing& firing : firings) {
        if (firing.act->what == Act::Do::change) continue;
        ActPlan& plan = plans.emplace_back();
        plan.name = firing.act->name;
        plan.what = plan_of(firing.act->what);
        plan.start = firing.start;
        plan.end = firing.end;
        plan.hosts = firing.hosts;
        plan.way = firing.act->direction;
        plan.as = firing.act->as;
        plan.gives = firing.act->gives;
        plan.fault = firing.act->fault;
    }
    for (ActPlan& change : link_changes(scenario, firings))
        plans.push_back(std::move(change));
    return plans;
}

}  // namespace wt::sim
