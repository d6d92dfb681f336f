// SPDX-License-Identifier: MIT
//
// From acts as a scenario says them to firings as a world does them: repetitions spelled out,
// targets resolved to hosts, overlapping changes of one link laid over one another key by key.
#pragma once

#include <string>
#include <vector>

#include "simulator/core/plan.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

// Host indexes in a world: the server is 0, bots follow in the scenario's order of groups.
class HostIndex {
public:
    explicit HostIndex(const Scenario& scenario);

    static constexpr std::uint32_t server = 0;

    [[nodiscard]] std::uint32_t count() const { return count_; }
    // First host of a group, by its place in the scenario.
    [[nodiscard]] std::uint32_t first_of(std::size_t group) const { return first_[group]; }
    // Everybody that a target means, ascending. `firing` and `act` key the draw of `any`.
    [[nodiscard]] std::vector<std::uint32_t> resolve(const std::vector<Target>& who,
                                                     std::uint64_t seed, const std::string& act,
                                                     std::uint64_t firing) const;

private:
    void add(const Target& target, LuckKey luck, std::vector<std::uint8_t>& chosen) const;

    const Scenario& scenario_;
    std::vector<std::uint32_t> first_;
    std::uint32_t count_ = 1;
};

// One firing of one act, before overlaps are looked at.
struct Firing {
    const Act* act = nullptr;
    std::uint64_t number = 0;  // 0 is the first.
    Instant start{};
    Instant end{};
    std::vector<std::uint32_t> hosts{};
};
[[nodiscard]] std::vector<Firing> firings_of(const Scenario& scenario, const HostIndex& index,
                                             std::uint64_t seed);

// The word of the language.
[[nodiscard]] const char* name_of(Act::Do what);

// The world's acts, in file order; changes of links come last, in order of time.
[[nodiscard]] std::vector<ActPlan> expand_acts(const Scenario& scenario,
                                               const std::vector<Firing>& firings);

}  // namespace wt::sim
