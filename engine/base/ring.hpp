// SPDX-License-Identifier: MIT
//
// A queue of fixed capacity: oldest out first, refuses when full. Its memory is claimed once, so
// pushing and popping never allocate.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/base/check.hpp"

namespace wt {

template <class T>
class Ring {
public:
    Ring() = default;
    explicit Ring(std::size_t capacity) : entries_(capacity) {}

    // False when full: nothing changed.
    [[nodiscard]] bool push(T value) {
        if (is_full()) return false;
        entries_[slot(count_)] = std::move(value);
        ++count_;
        return true;
    }
    // The oldest leaves. A bug when empty.
    T pop() {
        WT_CHECK(count_ > 0);
        T oldest = std::move(entries_[head_]);
        head_ = slot(1);
        --count_;
        return oldest;
    }
    // Keeps the memory.
    void clear() {
        head_ = 0;
        count_ = 0;
    }

    // Entry 0 is the oldest. A bug beyond count().
    T& operator[](std::size_t index) {
        WT_CHECK(index < count_);
        return entries_[slot(index)];
    }
    const T& operator[](std::size_t index) const {
        WT_CHECK(index < count_);
        return entries_[slot(index)];
    }
    T& front() { return (*this)[0]; }
    const T& front() const { return (*this)[0]; }
    T& back() { return (*this)[count_ - 1]; }
    const T& back() const { return (*this)[count_ - 1]; }

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t capacity() const { return entries_.size(); }
    [[nodiscard]] bool is_empty() const { return count_ == 0; }
    [[nodiscard]] bool is_full() const { return count_ == entries_.size(); }

private:
    [[nodiscard]] std::size_t slot(std::size_t index) const {
        const std::size_t at = head_ + index;
        return at < entries_.size() ? at : at - entries_.size();
    }

    std::vector<T> entries_{};
    std::size_t head_ = 0;
    std::size_t count_ = 0;
};

}  // namespace wt
