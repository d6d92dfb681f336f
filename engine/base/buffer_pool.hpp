// SPDX-License-Identifier: MIT
//
// Byte buffers in eight size classes with free lists: message bodies and reassembly space of one
// endpoint. A buffer given back is taken again before anything is allocated, so a steady load
// allocates nothing; growth happens by slabs, is counted, and never changes behaviour. The classes
// from 2,304 bytes on may come from a source that the pools of a process share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/buffer_source.hpp"

namespace wt {

class BufferPool {
public:
    // The fourth class holds two fragments of 1,100 bytes and their sizes (2,204), which a bulk
    // record of 2 KiB is; the last one 239 (262,900) and the sizes of each (478).
    static constexpr std::array<std::uint32_t, 8> class_bytes = {128,   512,    1'280,  2'304,
                                                                 5'120, 20'480, 81'920, 263'552};

    // The first class that comes from a source, if there is one.
    static constexpr std::size_t first_shared_class = 3;

    BufferPool() = default;
    // `source` (nullptr = none) must live longer than the pool.
    explicit BufferPool(BufferSource* source) : source_(source) {}
    ~BufferPool();
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    // Owns at least `count` buffers of the class that `bytes` fall into; no growth is counted. Not
    // for classes of a source.
    void reserve(std::uint32_t bytes, std::uint32_t count);
    // A buffer of at least `bytes`, its content undefined. `bytes` must not exceed the last class.
    [[nodiscard]] PoolBuffer take(std::uint32_t bytes);
    // Gives it back and clears the handle; an empty handle is ignored.
    void give_back(PoolBuffer& buffer);

    [[nodiscard]] std::uint64_t taken_bytes() const { return taken_bytes_; }
    [[nodiscard]] std::uint64_t owned_bytes() const { return owned_bytes_; }
    [[nodiscard]] std::uint64_t growths() const { return growths_; }

private:
    [[nodiscard]] bool is_shared(std::size_t size_class) const {
        return source_ != nullptr && size_class >= first_shared_class;
    }
    void grow(std::size_t size_class);
    void add_slab(std::size_t size_class, std::uint32_t count);

    BufferSource* source_ = nullptr;
    std::array<std::vector<std::uint8_t*>, class_bytes.size()> free_;
    std::array<std::uint32_t, class_bytes.size()> owned_{};
    std::vector<std::unique_ptr<std::uint8_t[]>> slabs_;
    std::uint64_t taken_bytes_ = 0;
    std::uint64_t owned_bytes_ = 0;
    std::uint64_t growths_ = 0;
};

}  // namespace wt
