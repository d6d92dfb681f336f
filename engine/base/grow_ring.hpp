// SPDX-License-Identifier: MIT
//
// A queue of plain values on a power-of-two ring that doubles when it is full and never shrinks:
// sparse for the many peers that need little, allocation-free once it has seen its peak. Its
// owner names the bound; the ring itself has none.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/check.hpp"

namespace wt {

template <class T>
class GrowRing {
public:
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] std::uint32_t capacity() const {
        return static_cast<std::uint32_t>(slots_.size());
    }

    // Room for `places` (a power of two) before anything is in it.
    void reserve(std::size_t places) {
        if (slots_.empty()) slots_.resize(places);
    }

    // A new last value, default-made; the reference holds until the next push.
    T& push() {
        if (count_ == slots_.size()) grow();
        T& slot = slots_[(first_ + count_) & mask()];
        slot = T{};
        ++count_;
        return slot;
    }
    void pop() {
        WT_CHECK(count_ > 0);
        first_ = (first_ + 1) & mask();
        --count_;
    }
    void clear() {
        first_ = 0;
        count_ = 0;
    }

    [[nodiscard]] T& front() { return at(0); }
    [[nodiscard]] const T& front() const { return at(0); }
    // The value `offset` places behind the front.
    [[nodiscard]] T& at(std::uint32_t offset) {
        WT_CHECK(offset < count_);
        return slots_[(first_ + offset) & mask()];
    }
    [[nodiscard]] const T& at(std::uint32_t offset) const {
        WT_CHECK(offset < count_);
        return slots_[(first_ + offset) & mask()];
    }

private:
    [[nodiscard]] std::uint32_t mask() const {
        return static_cast<std::uint32_t>(slots_.size()) - 1;
    }
    // Four places for the many that stay nearly empty. Whoever needs more is in steady use, and
    // gets what two seconds at 60 a second need, so that it does not grow on in rare bad moments.
    [[nodiscard]] static std::size_t grown_room(std::size_t room) {
        constexpr std::size_t idle_room = 4;
        constexpr std::size_t busy_room = 128;
        if (room == 0) return idle_room;
        return room < busy_room ? busy_room : room * 2;
    }
    void grow() {
        std::vector<T> larger(grown_room(slots_.size()));
        for (std::uint32_t i = 0; i < count_; ++i)
            larger[i] = std::move(at(i));
        slots_ = std::move(larger);
        first_ = 0;
    }

    std::vector<T> slots_;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace wt
