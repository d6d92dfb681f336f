// SPDX-License-Identifier: MIT
//
// One direction of one instance of a link: says at hand-over what becomes of each datagram. Owned
// by whoever sends into it, and asked in the order of hand-over. It knows sizes, times and weather
// tags; it never sees the bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/link/bottleneck.hpp"
#include "simulator/link/compiled_direction.hpp"
#include "simulator/link/corruption.hpp"
#include "simulator/link/draw_log.hpp"
#include "simulator/link/drift.hpp"
#include "simulator/link/drop_cause.hpp"
#include "simulator/link/exact_fault.hpp"
#include "simulator/link/n1_model.hpp"
#include "simulator/link/periodic_hold.hpp"
#include "simulator/link/token_bucket.hpp"
#include "simulator/link/weather.hpp"

namespace wt::sim {

// What becomes of one datagram. Dropped: cause, and no copies.
struct Fate {
    // What an exact fault makes of it, its bytes apart.
    void suffer(const FaultPlan& fault);

    DropCause cause = DropCause::none;
    std::uint8_t copies = 0;     // 0, 1, or 2 where the link duplicates.
    bool is_waiting = false;     // Decided later: LinkDirection::settle() will say.
    bool was_held_back = false;  // Chosen by `reorder`.
    std::array<Instant, 2> arrival{};
    // Copies that an exact fault adds, the first of them `exact_gap` after the original.
    std::uint32_t exact_copies = 0;
    Duration exact_gap{};
    Duration queue_wait{};    // Start of serialisation - hand-over.
    Duration service{};       // Of serialisation itself.
    Corruption corruption{};  // Of every copy alike.
};

struct DirectionCounters {
    std::uint64_t sent = 0;  // Handed over.
    std::uint64_t duplicated = 0;
    std::uint64_t corrupted = 0;
    std::uint64_t bytes = 0;  // Handed over, UDP payload + 28 each.
    std::uint64_t jitter_clamps = 0;
    DropCounters dropped{};
};

// Whose a datagram is, where its fate may be told later.
struct Ticket {
    std::uint64_t flow = 0;    // Of a fair queue: stands for one sender's way.
    std::uint32_t number = 0;  // The caller's own.
};

// A fate that was told later.
struct Settled {
    std::uint32_t number = 0;  // Of its ticket.
    Instant came{};            // When it was handed over.
    Instant decided{};
    Fate fate{};
};

class LinkDirection {
public:
    // `key` names this direction: H(seed, host or place, way). The timeline has at least one
    // segment, the first at 0.
    LinkDirection(LuckKey key, DirectionTimeline timeline);
    // The bottleneck looks at the timeline's segments, which a move takes along and a copy does
    // not.
    LinkDirection(const LinkDirection&) = delete;
    LinkDirection& operator=(const LinkDirection&) = delete;
    LinkDirection(LinkDirection&&) = default;
    LinkDirection& operator=(LinkDirection&&) = default;
    ~LinkDirection() = default;

    // Times never go back. `bytes` is the UDP payload, 0 included: empty datagrams meet the same
    // weather as all others.
    // An exact fault works where the direction's own loss would; all draws are made as without it.
    // Where the discipline judges at turns, what is not lost at once waits, and `fault` must stay
    // valid until settle() has told its end.
    Fate send(Instant now, std::uint32_t bytes, transport::WeatherTag tag,
              const FaultPlan* fault = nullptr, Ticket ticket = {});

    // --- Directions whose discipline judges at turns ---
    [[nodiscard]] bool has_turns() const { return bottleneck_.has_turns(); }
    // When settle() is wanted next, whatever else is sent until then; never, with nobody waiting.
    [[nodiscard]] Instant next_turn() { return bottleneck_.next_turn(); }
    // One fate that is known at `now`, with everybody sent who is sent at that instant; false: no
    // more of them. To be called until then, at each next_turn() and after each instant of sends.
    bool settle(Instant now, Settled& out);
    // The tickets of those who wait, in no particular order.
    [[nodiscard]] std::vector<std::uint32_t> waiting() const;

    // From now on each send says in there what it drew, and why; nullptr: it says nothing. What
    // becomes of a datagram is the same. Of directions that judge at turns it is not told.
    void explain(DrawLog* log) { log_ = log; }
    // What somebody else puts in on the way: the floor and no weather. Counted as a duplicate.
    Fate pass(Instant now);

    // How long the bad state that holds at `at` has lasted then; none in good weather. Works the
    // clock out anew from time 0: for reports, not for every datagram.
    [[nodiscard]] std::optional<Duration> bad_for(Instant at) const;

    [[nodiscard]] const DirectionCounters& counters() const { return counters_; }
    [[nodiscard]] const DirectionTimeline& timeline() const { return timeline_; }
    [[nodiscard]] std::uint64_t queue_growth() const { return bottleneck_.growth(); }
    [[nodiscard]] const N1Counters& n1_counters() const { return n1_.counters(); }

private:
    void enter(Instant now);
    void explain_states();
    void start_segment(Instant start);
    [[nodiscard]] DropCause judge(Instant now, WeatherPlace place, std::uint32_t whole_bytes,
                                  bool is_meant);
    // The weather's answer, and a note of it.
    [[nodiscard]] bool holds(Purpose purpose, WeatherPlace place, Chance chance) const;
    [[nodiscard]] bool is_listed() const;
    // When a datagram comes to the bottleneck.
    [[nodiscard]] Instant entry_of(Instant now);
    [[nodiscard]] Duration later_by(Instant now, WeatherPlace place, std::uint64_t number);
    [[nodiscard]] bool steps_to_loss(WeatherPlace place);
    void deliver(Instant now, std::uint32_t whole_bytes, WeatherPlace place, Fate& fate);
    // Behind the bottleneck, which datagram `number` of the direction leaves at `left`.
    void travel(Instant now, Instant left, WeatherPlace place, std::uint64_t number, Fate& fate);
    void finish(const FaultPlan* fault, Fate& fate);
    Fate send_n1(Instant now);

    // One that waits for its turn.
    struct Waiting {
        Instant came{};
        WeatherPlace place{};
        std::uint64_t ordinal = 0;  // Among all that were handed over.
        const FaultPlan* fault = nullptr;
        std::uint32_t number = 0;
        bool is_taken = false;
    };
    void wait(Instant now, std::uint32_t whole_bytes, const Waiting& waiting, std::uint64_t flow);

    DirectionTimeline timeline_;
    std::size_t segment_ = 0;
    const CompiledDirection* config_ = nullptr;
    LuckKey key_;
    Weather weather_;
    std::optional<SojournClock> burst_{};
    std::optional<SojournClock> bad_{};
    std::optional<Drift> drift_{};
    Bottleneck bottleneck_;
    TokenBucket policer_{};
    PeriodicHold suspend_{};
    PeriodicHold handover_{};
    Instant last_entry_{};
    Instant last_arrival_{};
    bool chain_is_bad_ = false;
    bool chain_has_begun_ = false;
    N1Model n1_{};
    std::vector<Waiting> waiting_{};
    std::vector<std::uint32_t> free_waiting_{};
    DrawLog* log_ = nullptr;
    DirectionCounters counters_{};
};

}  // namespace wt::sim
