// SPDX-License-Identifier: MIT
//
// The narrow place of one direction: what is in front of a datagram, whether it gets in, and when
// it leaves. A rate or opportunities, a queue with a stated limit, a discipline, and the traffic of
// others. It lives later than the hand-over and so walks timeline and bad state by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "simulator/link/aqm.hpp"
#include "simulator/link/compiled_direction.hpp"
#include "simulator/link/cross_traffic.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/link/opportunities.hpp"
#include "simulator/link/rate_queue.hpp"

namespace wt::sim {

class Bottleneck {
public:
    // The timeline's segments must outlive it; `bad` is the clock of the bad state, if there is
    // one.
    Bottleneck(LuckKey key, std::span<const DirectionSegment> timeline,
               std::optional<SojournClock> bad);

    struct Passage {
        DropCause cause = DropCause::none;
        Instant started{};  // Lost to a discipline: its turn.
        Instant left{};
    };
    // A datagram comes at `entry`. Instants never go back; advance() has been there.
    [[nodiscard]] Passage pass(Instant entry, std::uint32_t whole_bytes, std::uint64_t luck);

    // Works on the traffic of others up to `now`, itself included.
    void advance(Instant now);
    // The configuration that holds from now on, after advance().
    void enter(const CompiledDirection& config);

    [[nodiscard]] std::uint64_t growth() const { return queue_.growth(); }

private:
    [[nodiscard]] bool is_discarded(Instant entry, std::uint64_t luck);
    [[nodiscard]] QueueView view_of(Instant entry);
    // The rate at an instant; asked for instants that never go back.
    [[nodiscard]] RateSpan span_at(Instant at);

    LuckKey key_;
    std::span<const DirectionSegment> timeline_;
    const CompiledDirection* config_;
    RateQueue queue_{};
    Aqm aqm_{};
    std::size_t segment_ = 0;
    std::optional<SojournClock> bad_;
    std::shared_ptr<const OpportunityTrace> source_{};
    Opportunities opportunities_{};
    std::vector<CrossFlow> flows_{};
};

}  // namespace wt::sim
