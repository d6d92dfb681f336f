// SPDX-License-Identifier: MIT
//
// The figures of the game: what its parts say of themselves, in true time. A client speaks of
// server ticks; where a tick lies in virtual time only the simulator knows, so snapshot age, view
// age, lead and clock error are true and not the client's opinion of itself.
// Spec: scenarios/README.md, metrics.
#pragma once

#include <vector>

#include "simulator/core/observer.hpp"
#include "simulator/core/server_clock.hpp"
#include "simulator/metrics/collector.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

class GameMetrics {
public:
    GameMetrics(const Scenario& scenario, Collector& collector);

    void add(const GameFact& what);
    void add(const FrameShown& what);
    // The bot's connection ended: a freeze does not outlive it.
    void end_epoch(std::uint32_t bot) { bots_[bot].frozen_frames = 0; }
    // Freezes that are open at the run's end count with their length so far.
    void finish(Instant last);

private:
    struct BotRecord {
        std::int64_t frame_ns = 0;  // Of its group's frame rate.
        std::int64_t shown = INT64_MIN;
        std::int64_t frozen_frames = 0;  // In a row with the same time shown, this one included.
    };

    void end_freeze(std::uint32_t bot, Instant at);

    Collector& collector_;
    ServerClock clock_;
    std::vector<BotRecord> bots_;
};

}  // namespace wt::sim
