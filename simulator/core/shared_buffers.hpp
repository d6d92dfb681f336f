// SPDX-License-Identifier: MIT
//
// Large buffers of all endpoints of a run. Which buffer somebody gets depends on the workers'
// timing, and nothing depends on which one it is.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/buffer_pool.hpp"

namespace wt::sim {

class SharedBuffers : public BufferSource {
public:
    // One of each of the two smallest classes a client, from the beginning: what a bad moment of
    // somebody takes is there. More comes as it is needed.
    explicit SharedBuffers(std::uint32_t clients);

    [[nodiscard]] std::uint8_t* take(std::size_t size_class) override;
    void give_back(std::size_t size_class, std::uint8_t* data) override;

    [[nodiscard]] std::uint64_t owned_bytes() const { return owned_bytes_; }

private:
    void add_slab(std::size_t size_class, std::size_t count);

    // Held for a push or a pop of a list: less than what the buffer is wanted for.
    std::mutex mutex_;
    std::array<std::vector<std::uint8_t*>, BufferPool::class_bytes.size()> free_;
    std::array<std::size_t, BufferPool::class_bytes.size()> owned_{};
    std::vector<std::unique_ptr<std::uint8_t[]>> slabs_;
    std::uint64_t owned_bytes_ = 0;
};

}  // namespace wt::sim
