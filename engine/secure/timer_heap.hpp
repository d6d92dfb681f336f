// SPDX-License-Identifier: MIT
//
// Deadlines in a binary heap, earliest first, ties by number: a total order, so that the order of
// expiry never depends on the order of insertion. Entries are never removed early; the owner asks
// whether an expired one still means something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"

namespace wt::secure {

class TimerHeap {
public:
    struct Entry {
        Instant deadline{};
        std::uint64_t number = 0;
    };

    void clear() { heap_.clear(); }
    void add(const Entry& entry) {
        if (heap_.capacity() == 0) heap_.reserve(first_room);
        heap_.push_back(entry);
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    void pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        heap_.pop_back();
    }
    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] const Entry& top() const { return heap_.front(); }

private:
    // One timer a transmission, kept until its deadline: a record of 200 KiB and what goes beside.
    static constexpr std::size_t first_room = 256;

    static bool later(const Entry& a, const Entry& b) {
        return a.deadline != b.deadline ? a.deadline > b.deadline : a.number > b.number;
    }

    std::vector<Entry> heap_;
};

}  // namespace wt::secure
