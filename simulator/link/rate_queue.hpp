// SPDX-License-Identifier: MIT
//
// A bottleneck: datagrams leave one after another at a rate, and wait in a queue with a stated
// limit. Busy-until arithmetic in integers: the remainder of each division is carried, so a
// million datagrams take exactly as long as their bits do. Rates may change while datagrams wait,
// because every change is known in advance (the timeline, and weather that runs on the clock).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// The rate that holds from the instant asked for until `until`; 0 = no limit.
struct RateSpan {
    std::uint64_t bits_per_second = 0;
    Instant until = Instant::never();
};

class RateQueue {
public:
    // Whether a datagram of `bytes` (headers included) that comes at `now` fits. Count it as
    // dropped otherwise.
    [[nodiscard]] bool has_room(Instant now, std::uint32_t bytes, const QueueConfig& limit);

    // Serialises the datagram and says when its last bit has left. `rates(at)` gives the span at
    // an instant; it is asked for instants that never go back.
    template <class Rates>
    Instant serve(Instant now, std::uint32_t bytes, const Rates& rates) {
        if (busy_until_ < now) {
            busy_until_ = now;
            carry_ = 0;
        }
        started_ = busy_until_;
        // Work in bit-nanoseconds per second: one second at rate r does r * 10^9 of it.
        std::uint64_t work = std::uint64_t{bytes} * 8 * 1'000'000'000;
        while (true) {
            const RateSpan span = rates(busy_until_);
            if (spend(work, span)) break;
        }
        remember(bytes);
        return busy_until_;
    }

    // Takes up room until the turn of whatever comes next, and no time: dropped when its turn
    // comes.
    void stand(std::uint32_t bytes) { remember(bytes); }
    // Leaves at an instant that somebody else has found; not before busy_until().
    void occupy(Instant left, std::uint32_t bytes) {
        busy_until_ = left;
        carry_ = 0;
        remember(bytes);
    }

    // Forgets what has left by `now`; has_room() does so too.
    void settle(Instant now) { forget_until(now); }
    // Of what has not left, as of the last has_room() or settle().
    [[nodiscard]] std::uint64_t waiting_bytes() const { return waiting_bytes_; }
    [[nodiscard]] std::uint64_t waiting_count() const { return count_; }
    // When the datagram last served began to leave.
    [[nodiscard]] Instant started() const { return started_; }
    [[nodiscard]] Instant busy_until() const { return busy_until_; }
    // How often the list of waiting datagrams had to grow.
    [[nodiscard]] std::uint64_t growth() const { return growth_; }

private:
    struct Waiting {
        Instant leaves{};
        std::uint32_t bytes = 0;
    };

    // Works inside one span; true once all is done.
    bool spend(std::uint64_t& work, const RateSpan& span);
    void remember(std::uint32_t bytes);
    void forget_until(Instant now);

    Instant busy_until_{};
    Instant started_{};
    std::uint64_t carry_ = 0;  // Work beyond busy_until_ that is done but not a whole ns.
    // A ring of what has not left yet: the queue, and the datagram that is leaving.
    std::vector<Waiting> waiting_{};
    std::size_t head_ = 0;
    std::size_t count_ = 0;
    std::uint64_t waiting_bytes_ = 0;
    std::uint64_t growth_ = 0;
};

}  // namespace wt::sim
