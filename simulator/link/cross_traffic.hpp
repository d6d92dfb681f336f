// SPDX-License-Identifier: MIT
//
// Traffic that is not ours, on a bottleneck that ours shares. A flow says when its next packet
// comes and hears what became of it; it is worked on up to the instant of our own next datagram, so
// it needs no events of its own. Draws are the flow's own: one more of ours moves none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/rng.hpp"
#include "simulator/link/link_config.hpp"
#include "simulator/link/sojourn.hpp"

namespace wt::sim {

// What the bottleneck did with one packet.
struct CrossFate {
    bool is_lost = false;
    Instant left{};           // Lost: when its turn would have been.
    bool is_waiting = false;  // Not known yet: CrossFlow::learn() will be told.
};

class CrossFlow {
public:
    // Packets that a greedy flow has under way at most.
    static constexpr std::uint32_t window_max = 2'048;
    static constexpr Duration round_trip_least = Duration::millis(10);

    // `delay` is the one-way delay of the direction: a greedy flow hears of a packet a round trip
    // after it has left.
    CrossFlow(LuckKey key, const CrossConfig& config, Duration delay);

    // When it wants something next; never, once it is over.
    [[nodiscard]] Instant next_at() const { return next_at_; }
    // Works on the instant next_at(). `admit(at, bytes, luck)` gives the CrossFate of one packet.
    template <class Admit>
    void run(const Admit& admit) {
        const Instant now = next_at_;
        if (config_.kind != CrossKind::greedy) {
            if (is_on(now)) (void)admit(now, whole_bytes(), key_.draw(draws_++));
            plan_next(now);
            return;
        }
        hear(now);
        while (unheard() < window_q8_ >> 8) {
            keep({Instant::never(), false});
            const CrossFate fate = admit(now, whole_bytes(), key_.draw(draws_++));
            if (!fate.is_waiting) learn(fate);
        }
        plan_hearing();
    }
    // What became of the oldest packet of which that was not known.
    void learn(const CrossFate& fate);

private:
    struct Sent {
        Instant at{};  // When it is heard of; never: not known yet.
        bool is_lost = false;
    };

    [[nodiscard]] std::uint32_t whole_bytes() const;
    [[nodiscard]] std::uint64_t unheard() const { return sent_ - heard_; }
    [[nodiscard]] bool is_on(Instant now);
    void plan_next(Instant now);
    void hear(Instant now);
    void plan_hearing();
    void keep(const Sent& sent);

    LuckKey key_;
    CrossConfig config_;
    std::uint64_t draws_ = 0;
    Instant next_at_{};
    // constant, poisson, onoff
    std::uint64_t carry_ = 0;  // Of the last division, in bit-nanoseconds per second.
    std::optional<SojournClock> clock_{};
    // greedy
    Duration round_trip_{};
    std::uint64_t window_q8_ = 0;  // Packets, in 2^-8.
    std::uint64_t threshold_q8_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t known_ = 0;  // Packets whose fate is known.
    std::uint64_t heard_ = 0;
    std::uint64_t recovers_at_ = 0;  // Losses of packets before this one count as one.
    std::vector<Sent> under_way_{};  // A ring of window_max.
    std::size_t head_ = 0;
};

}  // namespace wt::sim
