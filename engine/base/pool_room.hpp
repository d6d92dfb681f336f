// SPDX-License-Identifier: MIT
//
// Room for plain values in a buffer of a pool: it gets longer by moving into a longer buffer, and
// can be given back whole. For queues that are long in bad moments only. What no buffer holds gets
// memory of its own.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "engine/base/buffer_pool.hpp"
#include "engine/base/check.hpp"

namespace wt {

template <class T>
class PoolRoom {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= 16, "buffers begin at multiples of 16");

public:
    explicit PoolRoom(BufferPool& pool) : pool_(pool) {}
    ~PoolRoom() { release(); }
    PoolRoom(const PoolRoom&) = delete;
    PoolRoom& operator=(const PoolRoom&) = delete;

    [[nodiscard]] std::uint32_t size() const { return places_; }
    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] T& operator[](std::uint32_t place) {
        WT_CHECK(place < places_);
        return data_[place];
    }
    [[nodiscard]] const T& operator[](std::uint32_t place) const {
        WT_CHECK(place < places_);
        return data_[place];
    }

    // At least that many places, those that were there first with their values, the further ones
    // default-made. References to values end.
    void widen(std::uint32_t places) {
        if (places <= places_) return;
        const std::size_t bytes = places * sizeof(T);
        PoolBuffer wider{};
        std::unique_ptr<std::uint8_t[]> own;
        if (bytes > BufferPool::class_bytes.back()) {
            own.reset(new std::uint8_t[bytes]);
        } else {
            wider = pool_.take(static_cast<std::uint32_t>(bytes));
        }
        std::uint8_t* const to = own != nullptr ? own.get() : wider.data;
        if (places_ != 0) std::memcpy(to, data_, places_ * sizeof(T));
        for (std::uint32_t i = places_; i < places; ++i)
            new (to + i * sizeof(T)) T{};
        pool_.give_back(buffer_);
        buffer_ = wider;
        own_ = std::move(own);
        data_ = std::launder(static_cast<T*>(static_cast<void*>(to)));
        places_ = places;
    }
    void release() {
        pool_.give_back(buffer_);
        own_.reset();
        data_ = nullptr;
        places_ = 0;
    }

private:
    BufferPool& pool_;
    PoolBuffer buffer_{};
    std::unique_ptr<std::uint8_t[]> own_{};
    T* data_ = nullptr;
    std::uint32_t places_ = 0;
};

}  // namespace wt
