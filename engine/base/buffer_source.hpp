// SPDX-License-Identifier: MIT
//
// Where the pools of many endpoints in one process get their large buffers from. A client needs
// room for a record of 200 KiB once, when it joins; what thousands of clients need at their worst
// moments is far less together than the sum of their worst moments.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wt {

class BufferSource {
public:
    virtual ~BufferSource() = default;

    // A buffer of that class of BufferPool, its content undefined. Pools that are used by several
    // threads call at the same time: it is the source's business to keep them apart.
    [[nodiscard]] virtual std::uint8_t* take(std::size_t size_class) = 0;
    // Back from the pool that took it.
    virtual void give_back(std::size_t size_class, std::uint8_t* data) = 0;
};

}  // namespace wt
