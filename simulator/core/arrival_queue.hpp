// SPDX-License-Identifier: MIT
//
// What is on its way to one host or node, in the one total order there is: arrival time, then the
// rank of the source's name, then the source's sequence (DESIGN R2). The order in which entries
// were pushed never matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/base/time.hpp"
#include "simulator/core/parcel_pool.hpp"

namespace wt::sim {

struct Arrival {
    Instant at{};
    std::uint64_t order = 0;
    ParcelId parcel{};
};

class ArrivalQueue {
public:
    // An estimate of what may be under way at once; more is a growth of the vector.
    void reserve(std::size_t arrivals) { heap_.reserve(arrivals); }

    void push(const Arrival& arrival) {
        heap_.push_back(arrival);
        rise(heap_.size() - 1, arrival);
    }
    // A bug when empty.
    Arrival pop() {
        WT_CHECK(!heap_.empty());
        const Arrival first = heap_.front();
        const Arrival last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) rise(sink_hole(), last);
        return first;
    }

    [[nodiscard]] bool is_empty() const { return heap_.empty(); }
    [[nodiscard]] const Arrival& first() const { return heap_.front(); }
    [[nodiscard]] Instant next_at() const {
        return heap_.empty() ? Instant::never() : heap_.front().at;
    }
    // In no particular order; for counting what is in flight.
    [[nodiscard]] const std::vector<Arrival>& entries() const { return heap_; }

private:
    // Arithmetic instead of branches: which of two arrivals comes first is a coin toss that no
    // branch predictor wins, and a server's queue asks ten times a datagram.
    static bool is_before(const Arrival& a, const Arrival& b) {
        const bool is_first = mutated<"arrival-order">() ? a.order > b.order : a.order < b.order;
        return static_cast<bool>(static_cast<int>(a.at < b.at) |
                                 (static_cast<int>(a.at == b.at) & static_cast<int>(is_first)));
    }
    // Moves the first place's hole to a leaf, always up the earlier child; where it ends.
    std::size_t sink_hole() {
        const std::size_t count = heap_.size();
        std::size_t hole = 0;
        for (std::size_t child = 1; child < count; child = 2 * hole + 1) {
            if (child + 1 < count) {
                child += static_cast<std::size_t>(is_before(heap_[child + 1], heap_[child]));
            }
            heap_[hole] = heap_[child];
            hole = child;
        }
        return hole;
    }
    // Puts `arrival` into the hole or above it.
    void rise(std::size_t hole, const Arrival& arrival) {
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / 2;
            if (!is_before(arrival, heap_[parent])) break;
            heap_[hole] = heap_[parent];
            hole = parent;
        }
        heap_[hole] = arrival;
    }

    std::vector<Arrival> heap_{};
};

}  // namespace wt::sim
