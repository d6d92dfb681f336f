// SPDX-License-Identifier: MIT
//
// Which members of a numbered set want to be served, first come first served, each at most once.
// What is not in it is never looked at, so that a call costs what is ready and not what exists.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/fixed_ring.hpp"

namespace wt::secure {

class ReadyList {
public:
    // For members 0 .. capacity - 1.
    explicit ReadyList(std::uint32_t capacity) : order_(capacity), listed_(capacity, false) {}

    void add(std::uint32_t member) {
        if (listed_[member]) return;
        listed_[member] = true;
        WT_CHECK(order_.push(member));
    }
    void pop() {
        listed_[front()] = false;
        order_.pop();
    }
    void clear() {
        while (!empty())
            pop();
    }
    void rotate(std::uint32_t count) { order_.rotate(count); }

    [[nodiscard]] bool has(std::uint32_t member) const { return listed_[member]; }
    [[nodiscard]] std::uint32_t front() const { return order_.front(); }
    [[nodiscard]] std::uint32_t at(std::uint32_t offset) const { return order_.at(offset); }
    [[nodiscard]] bool empty() const { return order_.empty(); }
    [[nodiscard]] std::uint32_t size() const { return order_.size(); }

private:
    FixedRing<std::uint32_t> order_;
    std::vector<bool> listed_;
};

}  // namespace wt::secure
