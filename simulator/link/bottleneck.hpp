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

#include "engine/base/grow_ring.hpp"
#include "simulator/link/aqm.hpp"
#include "simulator/link/compiled_direction.hpp"
#include "simulator/link/cross_traffic.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/link/opportunities.hpp"
#include "simulator/link/rate_queue.hpp"
#include "simulator/link/turn_queue.hpp"

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

    // --- Where the discipline judges at turns, instead of pass() (bottleneck_turns.cpp) ---
    [[nodiscard]] bool has_turns() const { return turns_.has_value(); }
    // A datagram comes at `entry`, not before those that came earlier; `number` comes back with
    // what becomes of it. advance() has been at the instant of this call.
    void join(Instant entry, std::uint32_t whole_bytes, std::uint64_t flow, std::uint32_t number);
    // When take_turns() is wanted next; never, as long as nothing of ours waits.
    [[nodiscard]] Instant next_turn();
    // Does what is due at `now`; everything that comes at that instant has come. To be called at
    // each next_turn().
    void take_turns(Instant now);

    struct Settled {
        std::uint32_t number = 0;
        Instant decided{};
        Passage passage{};
    };
    // What has been decided and not been asked for; false: nothing.
    bool next_settled(Settled& out);

    [[nodiscard]] std::uint64_t growth() const {
        return queue_.growth() + (turns_.has_value() ? turns_->growth() : 0);
    }

private:
    // A datagram that is held in front of the queue until `entry`.
    struct Coming {
        Instant entry{};
        std::uint32_t bucket = 0;
        std::uint32_t bytes = 0;
        std::uint32_t number = 0;
    };
    static constexpr std::uint32_t ours = 0xffff'ffff;  // Else the number of a flow.

    [[nodiscard]] std::uint32_t bucket_of(LuckKey flow) const;
    [[nodiscard]] CrossFlow* first_flow(Instant now);
    void work(Instant now, bool with_turns);
    void admit(Instant entry, std::uint32_t bucket, const WaitingPacket& packet);
    [[nodiscard]] bool is_over(Instant entry, std::uint32_t newest_bytes);
    [[nodiscard]] Instant turn_at();
    void take_turn(Instant at);
    void tell(const WaitingPacket& packet, Instant at, const Passage& passage);
    [[nodiscard]] std::uint64_t rate_at(Instant at);
    [[nodiscard]] Passage serve(Instant entry, std::uint32_t whole_bytes);
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
    std::optional<TurnQueue> turns_{};
    std::vector<std::uint32_t> flow_buckets_{};
    Instant turn_from_{};          // When the queue was empty last and somebody came.
    GrowRing<Coming> coming_{};    // By entry.
    std::uint64_t our_count_ = 0;  // In front of the queue and in it.
    GrowRing<Settled> settled_{};
};

}  // namespace wt::sim
