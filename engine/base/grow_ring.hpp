// SPDX-License-Identifier: MIT
//
// A queue of plain values on a power-of-two ring that doubles when it is full and never shrinks:
// sparse for the many peers that need little, allocation-free once it has seen its peak. Its
// owner names the bound; the ring itself has none.
#pragma once

#include <algorithm>
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
        // Less than the shortest lap would be a lap without room.
        if (slots_.empty() && places > 0) slots_.resize(std::max<std::size_t>(places, lap_min));
    }

    // A new last value, default-made; the reference holds until the next push.
    T& push() {
        if (count_ == lap_) widen();
        T& slot = slots_[(first_ + count_) & (lap_ - 1)];
        slot = T{};
        ++count_;
        return slot;
    }
    void pop() {
        WT_CHECK(count_ > 0);
        first_ = (first_ + 1) & (lap_ - 1);
        --count_;
        if (count_ == 0) first_ = 0;
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
        return slots_[(first_ + offset) & (lap_ - 1)];
    }
    [[nodiscard]] const T& at(std::uint32_t offset) const {
        WT_CHECK(offset < count_);
        return slots_[(first_ + offset) & (lap_ - 1)];
    }

private:
    static constexpr std::uint32_t lap_min = 4;

    // Four places for the many that stay nearly empty. Whoever needs more is in steady use, and
    // gets what two seconds at 60 a second need, so that it does not grow on in rare bad moments.
    [[nodiscard]] static std::size_t grown_room(std::size_t room) {
        constexpr std::size_t busy_room = 128;
        if (room == 0) return lap_min;
        return room < busy_room ? busy_room : room * 2;
    }
    // The lap is full: twice as long, inside the room if it fits. Turning in a short lap keeps a
    // queue of five in the same few cache lines, however much room it once needed.
    void widen() {
        if (lap_ == slots_.size()) slots_.resize(grown_room(slots_.size()));
        const std::uint32_t wider = lap_ == 0 ? lap_min : lap_ * 2;
        // What had come round the end of the old lap follows it in the new one.
        for (std::uint32_t i = 0; i < first_; ++i)
            slots_[lap_ + i] = std::move(slots_[i]);
        lap_ = wider;
    }

    std::vector<T> slots_;
    std::uint32_t lap_ = 0;  // Places in use, a power of two; no more than there are.
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace wt
