// SPDX-License-Identifier: MIT
#include "engine/base/buffer_pool.hpp"

#include <algorithm>

#include "engine/base/check.hpp"

namespace wt {

namespace {

// A slab of small buffers is one page; larger buffers come one at a time at first.
constexpr std::uint32_t slab_bytes = 4'096;
// Later slabs double what a class owns, up to this, so that many growths stay few.
constexpr std::uint32_t slab_bytes_max = 262'144;

std::size_t class_for(std::uint32_t bytes) {
    for (std::size_t i = 0; i < BufferPool::class_bytes.size(); ++i) {
        if (bytes <= BufferPool::class_bytes[i]) return i;
    }
    return BufferPool::class_bytes.size();
}

}  // namespace

BufferPool::~BufferPool() {
    // A source would lose what was not given back to it.
    WT_CHECK(source_ == nullptr || taken_bytes_ == 0);
}

void BufferPool::reserve(std::uint32_t bytes, std::uint32_t count) {
    const std::size_t size_class = class_for(bytes);
    WT_CHECK(size_class < class_bytes.size() && !is_shared(size_class));
    if (count > owned_[size_class]) add_slab(size_class, count - owned_[size_class]);
}

PoolBuffer BufferPool::take(std::uint32_t bytes) {
    const std::size_t size_class = class_for(bytes);
    WT_CHECK(size_class < class_bytes.size());
    taken_bytes_ += class_bytes[size_class];
    if (is_shared(size_class)) {
        owned_bytes_ += class_bytes[size_class];
        return source_->take(bytes);
    }
    if (free_[size_class].empty()) grow(size_class);
    std::uint8_t* data = free_[size_class].back();
    free_[size_class].pop_back();
    return {data, class_bytes[size_class], static_cast<std::uint8_t>(size_class)};
}

void BufferPool::give_back(PoolBuffer& buffer) {
    if (!buffer) return;
    WT_CHECK(buffer.size_class < class_bytes.size());
    WT_CHECK(taken_bytes_ >= buffer.capacity);
    taken_bytes_ -= buffer.capacity;
    if (is_shared(buffer.size_class)) {
        owned_bytes_ -= buffer.capacity;
        source_->give_back(buffer);
    } else {
        // grow() reserved room for every buffer that the class owns, so this never allocates.
        free_[buffer.size_class].push_back(buffer.data);
    }
    buffer = {};
}

void BufferPool::grow(std::size_t size_class) {
    const std::uint32_t each = class_bytes[size_class];
    const std::uint32_t wanted = std::clamp(owned_[size_class] * each, slab_bytes, slab_bytes_max);
    add_slab(size_class, std::max(1u, wanted / each));
    ++growths_;
}

void BufferPool::add_slab(std::size_t size_class, std::uint32_t count) {
    const std::uint32_t each = class_bytes[size_class];
    // Not cleared: contents are undefined until written, and clearing would touch every page.
    slabs_.push_back(std::unique_ptr<std::uint8_t[]>(new std::uint8_t[std::size_t{count} * each]));
    owned_[size_class] += count;
    free_[size_class].reserve(owned_[size_class]);
    for (std::uint32_t i = count; i-- > 0;) {
        free_[size_class].push_back(slabs_.back().get() + std::size_t{i} * each);
    }
    owned_bytes_ += std::uint64_t{count} * each;
}

}  // namespace wt
