// SPDX-License-Identifier: MIT
//
// Figures of links that need more than one event: bursts, which whoever loses a datagram makes;
// utilisation, where a gate asks; and what the weather was like at a moment, for failing gates.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/base/grow_ring.hpp"
#include "simulator/core/observer.hpp"
#include "simulator/metrics/collector.hpp"
#include "simulator/scenario/scenario.hpp"

namespace wt::sim {

class LinkMetrics {
public:
    LinkMetrics(const Scenario& scenario, Collector& collector);

    void add(const DatagramHanded& what);
    void add(const DatagramDelivered& what);
    void add(const DatagramLost& what);
    // Everything before `at` is known: the utilisation of one Active bot's own link since then.
    void take_utilisation(std::uint32_t bot, Instant at);
    [[nodiscard]] bool wants_utilisation() const { return wants_utilisation_; }

    // "down: 14 of 36 datagrams lost (bad_state 12, loss 2)", in the second of `at` and the one
    // before; both directions where `way` is both; empty where nothing was sent.
    [[nodiscard]] std::string weather_at(std::uint32_t bot, Way way, Instant at) const;

private:
    enum class Outcome : std::uint8_t { open, survived, lost };
    // A datagram whose end is not known, or that waits for one before it.
    struct Passage {
        std::uint64_t sequence = 0;
        Instant decided{};
        Outcome outcome = Outcome::open;
    };
    // A stretch of serialisation.
    struct Service {
        Instant start{};
        Instant end{};
    };
    struct Flow {
        GrowRing<Passage> passages{};
        std::uint64_t loss_run = 0;
        GrowRing<Service> services{};
        Instant utilised_to{};
    };
    // What was sent and lost in one stretch of time; saturating.
    struct Tally {
        std::uint16_t sent = 0;
        std::array<std::uint16_t, drop_cause_count> lost{};

        void add(const Tally& other);
    };

    [[nodiscard]] static std::size_t place(const sim::Flow& flow) {
        return std::size_t{flow.bot} * 2 + (flow.way == Way::down ? 1 : 0);
    }
    void decide(const sim::Flow& flow, std::uint64_t sequence, Outcome outcome, Instant at);
    void settle(Flow& state, const sim::Flow& flow);
    [[nodiscard]] Tally& tally(const sim::Flow& flow, Instant at);
    [[nodiscard]] static std::string tally_text(const Tally& tally, Way way);

    Collector& collector_;
    std::vector<Flow> flows_;     // By bot, up then down.
    std::vector<Tally> tallies_;  // By flow, then by stretch.
    Duration stretch_{};
    std::size_t stretches_ = 0;
    bool wants_utilisation_ = false;
};

}  // namespace wt::sim
