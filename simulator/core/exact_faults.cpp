// SPDX-License-Identifier: MIT
#include "simulator/core/exact_faults.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "simulator/link/corruption.hpp"

namespace wt::sim {

namespace {
constexpr std::size_t faults_per_path_max = 65'535;
}  // namespace

ExactFaults::ExactFaults(const WorldPlan& plan, const Topology& topology) {
    by_path_.resize(topology.paths.size());
    const LuckKey root = LuckKey::root(plan.seed).with("exact");
    for (std::uint32_t index = 0; index < plan.acts.size(); ++index) {
        const ActPlan& act = plan.acts[index];
        if (act.what != ActPlan::Do::fault) continue;
        WT_CHECK(act.fault.has_value());
        const std::uint32_t number = static_cast<std::uint32_t>(plans_.size());
        plans_.push_back(*act.fault);
        for (std::uint32_t at = 0; at < topology.paths.size(); ++at) {
            const PathPlan& path = topology.paths[at];
            const bool is_meant =
                act.fault->what.way == path.way &&
                std::any_of(act.hosts.begin(), act.hosts.end(), [&](std::uint32_t host) {
                    return host == path.source || host == path.target;
                });
            if (!is_meant) continue;
            WT_CHECK(by_path_[at].size() < faults_per_path_max);
            by_path_[at].push_back({.plan = number,
                                    .act = index,
                                    .start = act.start,
                                    .end = act.end,
                                    .luck = root.with(act.name).with(path.name)});
        }
    }
}

std::uint16_t ExactFaults::judge_each(std::uint32_t path, Instant now,
                                      const transport::Label& label) {
    std::uint16_t found = 0;
    std::vector<PathFault>& faults = by_path_[path];
    for (std::size_t i = 0; i < faults.size(); ++i) {
        PathFault& fault = faults[i];
        if (now < fault.start || now >= fault.end) continue;
        const FaultSelector& what = plans_[fault.plan].what;
        if (!what.matches(label)) continue;
        ++fault.matched;
        if (found == 0 && what.takes(fault.matched)) found = static_cast<std::uint16_t>(i + 1);
    }
    return found;
}

void ExactFaults::count_hit(std::uint32_t path, std::uint16_t fault,
                            const transport::Label& label) {
    if (fault == 0) return;
    FaultReport& report = by_path_[path][fault - 1].report;
    ++report.hits;
    for (unsigned kind = 0; kind < transport::kind_count; ++kind) {
        if (label.has(static_cast<transport::Kind>(kind))) ++report.carried[kind];
    }
}

void ExactFaults::corrupt(std::uint32_t path, std::uint16_t fault, std::uint64_t sequence,
                          MutableBytes bytes) const {
    const FaultPlan* const plan = plan_of(path, fault);
    if (plan == nullptr || plan->action != FaultAction::corrupt || bytes.empty()) return;
    if (plan->bit.has_value()) {
        const std::size_t bit = *plan->bit % (bytes.size() * 8);
        bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1u << (bit % 8));
        return;
    }
    const LuckKey luck = by_path_[path][fault - 1].luck;
    const Corruption corruption{true, CorruptConfig::Kind::flip, luck.draw(sequence)};
    (void)apply(corruption, bytes, bytes.size());
}

FaultReport ExactFaults::report_of(std::uint32_t act) const {
    FaultReport sum;
    for (const std::vector<PathFault>& faults : by_path_) {
        for (const PathFault& fault : faults) {
            if (fault.act != act) continue;
            sum.hits += fault.report.hits;
            for (unsigned kind = 0; kind < transport::kind_count; ++kind)
                sum.carried[kind] += fault.report.carried[kind];
        }
    }
    return sum;
}

}  // namespace wt::sim
