// SPDX-License-Identifier: MIT
//
// The exact faults of a run: counts each path's datagrams in the order of hand-over and says which
// fault one of them suffers. Each path is counted by its own sender, so two workers never meet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/rng.hpp"
#include "simulator/core/topology.hpp"
#include "simulator/link/exact_fault.hpp"

namespace wt::sim {

// What one act did, all its targets together.
struct FaultReport {
    std::uint64_t hits = 0;
    // What the datagrams carried that were hit.
    std::array<std::uint64_t, transport::kind_count> carried{};
};

class ExactFaults {
public:
    ExactFaults(const WorldPlan& plan, const Topology& topology);

    // The fault that a datagram suffers, as its place in the path's list + 1; 0 = none. Counts the
    // datagram, so it must be called once for each. One datagram suffers one fault, the first in
    // the file; the others count it all the same.
    [[nodiscard]] std::uint16_t judge(std::uint32_t path, Instant now,
                                      const transport::Label& label) {
        return by_path_[path].empty() ? std::uint16_t{0} : judge_each(path, now, label);
    }
    // It really came to that: nothing else took the datagram before.
    void count_hit(std::uint32_t path, std::uint16_t fault, const transport::Label& label);
    // nullptr for 0. May be asked by anybody at any time: plans never change.
    [[nodiscard]] const FaultPlan* plan_of(std::uint32_t path, std::uint16_t fault) const {
        return fault == 0 ? nullptr : &plans_[by_path_[path][fault - 1].plan];
    }
    // Alters the bytes of a datagram if that is what the fault does. `sequence` is the sender's.
    void corrupt(std::uint32_t path, std::uint16_t fault, std::uint64_t sequence,
                 MutableBytes bytes) const;

    // `act` is an index into the plan's acts.
    [[nodiscard]] FaultReport report_of(std::uint32_t act) const;

private:
    struct PathFault {
        std::uint32_t plan = 0;
        std::uint32_t act = 0;
        Instant start{};
        Instant end{};
        std::uint64_t matched = 0;
        LuckKey luck{};
        FaultReport report{};
    };
    [[nodiscard]] std::uint16_t judge_each(std::uint32_t path, Instant now,
                                           const transport::Label& label);

    std::vector<FaultPlan> plans_{};
    std::vector<std::vector<PathFault>> by_path_{};
};

}  // namespace wt::sim
