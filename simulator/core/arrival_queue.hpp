// SPDX-License-Identifier: MIT
//
// What is on its way to one host or node, in the one total order there is: arrival time, then the
// rank of the source's name, then the source's sequence (DESIGN R2). The order in which entries
// were pushed never matters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    // A bug when empty.
    Arrival pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Arrival first = heap_.back();
        heap_.pop_back();
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
    static bool later(const Arrival& a, const Arrival& b) {
        if (a.at == b.at && mutated<"arrival-order">()) return a.order < b.order;
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }

    std::vector<Arrival> heap_{};
};

}  // namespace wt::sim
