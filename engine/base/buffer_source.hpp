// SPDX-License-Identifier: MIT
//
// Where the pools of many endpoints in one process get their large buffers from. A client needs
// room for a record of 200 KiB once, when it joins; what thousands of clients need at their worst
// moments is far less together than the sum of their worst moments.
#pragma once

#include <cstdint>

namespace wt {

// A taken buffer. Plain on purpose: its owner gives it back exactly once, to the pool it is from.
struct PoolBuffer {
    std::uint8_t* data = nullptr;
    std::uint32_t capacity = 0;
    std::uint8_t size_class = 0;

    explicit operator bool() const { return data != nullptr; }
};

class BufferSource {
public:
    virtual ~BufferSource() = default;

    // A buffer of BufferPool's class for so many bytes, its content undefined. Pools that are used
    // by several threads call at the same time: it is the source's business to keep them apart.
    [[nodiscard]] virtual PoolBuffer take(std::uint32_t bytes) = 0;
    // Back from the pool that took it; clears the handle.
    virtual void give_back(PoolBuffer& buffer) = 0;
};

}  // namespace wt
