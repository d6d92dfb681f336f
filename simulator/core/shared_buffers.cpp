// SPDX-License-Identifier: MIT
#include "simulator/core/shared_buffers.hpp"

namespace wt::sim {

SharedBuffers::SharedBuffers(std::uint32_t clients) {
    pool_.reserve(BufferPool::class_bytes[BufferPool::first_shared_class], clients);
    pool_.reserve(BufferPool::class_bytes[BufferPool::first_shared_class + 1], clients);
}

PoolBuffer SharedBuffers::take(std::uint32_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return pool_.take(bytes);
}

void SharedBuffers::give_back(PoolBuffer& buffer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pool_.give_back(buffer);
}

}  // namespace wt::sim
