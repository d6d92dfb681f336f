// SPDX-License-Identifier: MIT
//
// Deadlines in a binary heap, earliest first, ties by number: a total order, so that the order of
// expiry never depends on the order of insertion. Entries are never removed early; the owner asks
// whether an expired one still means something.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/pool_room.hpp"
#include "engine/base/time.hpp"

namespace wt::secure {

class TimerHeap {
public:
    struct Entry {
        Instant deadline{};
        std::uint64_t number = 0;
    };

    explicit TimerHeap(BufferPool& pool) : heap_(pool) {}

    // Empty, and all room is the pool's again.
    void release() {
        count_ = 0;
        heap_.release();
    }
    void add(const Entry& entry) {
        if (count_ == heap_.size()) heap_.widen(count_ == 0 ? first_room : count_ * 2);
        heap_[count_++] = entry;
        std::push_heap(heap_.begin(), heap_.begin() + count_, later);
    }
    void pop() {
        std::pop_heap(heap_.begin(), heap_.begin() + count_, later);
        if (--count_ == 0 && heap_.size() > first_room) release();
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] const Entry& top() const { return heap_[0]; }

private:
    // One timer a transmission, kept until its deadline: 200 ms of 160 a second.
    static constexpr std::uint32_t first_room = 32;

    static bool later(const Entry& a, const Entry& b) {
        return a.deadline != b.deadline ? a.deadline > b.deadline : a.number > b.number;
    }

    PoolRoom<Entry> heap_;
    std::uint32_t count_ = 0;
};

}  // namespace wt::secure
