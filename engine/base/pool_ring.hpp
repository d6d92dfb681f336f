// SPDX-License-Identifier: MIT
//
// A queue of plain values in room of a pool: four places for the many that stay nearly empty, then
// sixteen, doubled from there. A long one that runs empty gives its room back. Its owner names the
// bound; the ring itself has none.
#pragma once

#include <cstdint>

#include "engine/base/check.hpp"
#include "engine/base/pool_room.hpp"

namespace wt {

template <class T>
class PoolRing {
public:
    explicit PoolRing(BufferPool& pool) : room_(pool) {}

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] std::uint32_t capacity() const { return room_.size(); }

    // A new last value, default-made; the reference holds until the next push.
    T& push() {
        if (count_ == room_.size()) widen();
        T& slot = room_.begin()[place_of(count_)];
        slot = T{};
        ++count_;
        return slot;
    }
    void pop() {
        WT_CHECK(count_ > 0);
        if (--count_ == 0) {
            clear();
        } else {
            first_ = (first_ + 1) & (room_.size() - 1);
        }
    }
    void clear() {
        first_ = 0;
        count_ = 0;
        if (room_.size() > kept_places) room_.release();
    }
    // Empty, and all room is the pool's again.
    void release() {
        clear();
        room_.release();
    }

    [[nodiscard]] T& front() { return at(0); }
    [[nodiscard]] const T& front() const { return at(0); }
    // The value `offset` places behind the front.
    [[nodiscard]] T& at(std::uint32_t offset) {
        WT_CHECK(offset < count_);
        return room_.begin()[place_of(offset)];
    }
    [[nodiscard]] const T& at(std::uint32_t offset) const {
        WT_CHECK(offset < count_);
        return room_.begin()[place_of(offset)];
    }

private:
    static constexpr std::uint32_t places_min = 4;
    // What an empty ring keeps: a queue that is in steady use does not come and go.
    static constexpr std::uint32_t kept_places = 16;

    [[nodiscard]] std::uint32_t place_of(std::uint32_t offset) const {
        return (first_ + offset) & (room_.size() - 1);
    }
    void widen() {
        const std::uint32_t before = room_.size();
        if (before < kept_places) {
            room_.widen(before == 0 ? places_min : kept_places);
        } else {
            room_.widen(before * 2);
        }
        // What had come round the end of the old lap follows it in the new one.
        for (std::uint32_t i = 0; i < first_; ++i)
            room_[before + i] = room_[i];
    }

    PoolRoom<T> room_;  // A power of two of places.
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace wt
