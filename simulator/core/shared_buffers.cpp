// SPDX-License-Identifier: MIT
#include "simulator/core/shared_buffers.hpp"

#include <algorithm>

namespace wt::sim {

namespace {

// A slab is three times what the class owns already, between these: four times the worst moment so
// far is mostly more than a later one needs.
constexpr std::size_t slab_bytes_min = 16'384;
constexpr std::size_t slab_bytes_max = 8 * 1'048'576;

}  // namespace

SharedBuffers::SharedBuffers(std::uint32_t clients) {
    for (std::size_t i = 0; i < 2 && clients != 0; ++i)
        add_slab(BufferPool::first_shared_class + i, clients);
}

std::uint8_t* SharedBuffers::take(std::size_t size_class) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint8_t*>& free = free_[size_class];
    if (free.empty()) {
        const std::size_t each = BufferPool::class_bytes[size_class];
        const std::size_t wanted =
            std::clamp(3 * owned_[size_class] * each, slab_bytes_min, slab_bytes_max);
        add_slab(size_class, std::max<std::size_t>(1, wanted / each));
    }
    std::uint8_t* const data = free.back();
    free.pop_back();
    return data;
}

void SharedBuffers::give_back(std::size_t size_class, std::uint8_t* data) {
    const std::lock_guard<std::mutex> lock(mutex_);
    // add_slab() reserved room for every buffer of the class.
    free_[size_class].push_back(data);
}

void SharedBuffers::add_slab(std::size_t size_class, std::size_t count) {
    const std::size_t each = BufferPool::class_bytes[size_class];
    // Not cleared: contents are undefined until written.
    slabs_.push_back(std::unique_ptr<std::uint8_t[]>(new std::uint8_t[count * each]));
    owned_[size_class] += count;
    owned_bytes_ += count * each;
    free_[size_class].reserve(owned_[size_class]);
    for (std::size_t i = count; i-- > 0;)
        free_[size_class].push_back(slabs_.back().get() + i * each);
}

}  // namespace wt::sim
