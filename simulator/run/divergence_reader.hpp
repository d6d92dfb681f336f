// SPDX-License-Identifier: MIT
//
// The figure peers.divergence: every 250 ms and in each phase's last instant both ends of every
// Active bot are laid beside each other. Costs a look at every object of every bot, so it is done
// only where a gate asks.
#pragma once

#include <vector>

#include "simulator/metrics/collector.hpp"
#include "simulator/run/world_builder.hpp"

namespace wt::sim {

class DivergenceReader {
public:
    // Everything must outlive the reader.
    DivergenceReader(const Scenario& scenario, const std::vector<Watch>& watches,
                     const BuiltWorld& built, Collector& collector);

    // Up to where the world is to run for the next reading; Instant::never() when none is left.
    [[nodiscard]] Instant next() const;
    // The world has run everything before next().
    void read();

private:
    struct Reading {
        Instant reached{};  // The world has run up to here.
        Instant at{};       // What the reading is filed under: a phase's last is 1 ns before.
    };
    void read_bot(std::uint32_t bot, Instant at);

    std::uint32_t bots_;
    const BuiltWorld& built_;
    Collector& collector_;
    std::vector<Reading> readings_{};
    std::size_t done_ = 0;
};

}  // namespace wt::sim
