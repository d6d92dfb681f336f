// SPDX-License-Identifier: MIT
//
// A queue of plain values whose room is fixed when it is made: pushing into a full one is refused,
// which its owner counts. Nothing is allocated afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/check.hpp"

namespace wt {

template <class T>
class FixedRing {
public:
    explicit FixedRing(std::uint32_t capacity) : slots_(capacity) {}

    // False, and nothing changes, when full.
    [[nodiscard]] bool push(const T& value) {
        if (is_full()) return false;
        slots_[place(count_)] = value;
        ++count_;
        return true;
    }
    void pop() {
        WT_CHECK(count_ > 0);
        first_ = place(1);
        --count_;
    }
    void clear() {
        first_ = 0;
        count_ = 0;
    }
    // Moves the first `count` values behind the others.
    void rotate(std::uint32_t count) {
        WT_CHECK(count <= count_);
        for (; count > 0; --count) {
            const T value = front();
            pop();
            WT_CHECK(push(value));
        }
    }

    [[nodiscard]] const T& front() const {
        WT_CHECK(count_ > 0);
        return slots_[first_];
    }
    // The value `offset` places behind the front.
    [[nodiscard]] const T& at(std::uint32_t offset) const {
        WT_CHECK(offset < count_);
        return slots_[place(offset)];
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool is_full() const { return count_ == slots_.size(); }
    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] std::uint32_t capacity() const {
        return static_cast<std::uint32_t>(slots_.size());
    }

private:
    [[nodiscard]] std::uint32_t place(std::uint32_t offset) const {
        const std::uint32_t at = first_ + offset;
        return at < capacity() ? at : at - capacity();
    }

    std::vector<T> slots_;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace wt
