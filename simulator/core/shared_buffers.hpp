// SPDX-License-Identifier: MIT
//
// Large buffers of all endpoints of a run: one pool with a lock. Which buffer somebody gets depends
// on the workers' timing, and nothing depends on which one it is.
#pragma once

#include <cstdint>
#include <mutex>

#include "engine/base/buffer_pool.hpp"

namespace wt::sim {

class SharedBuffers : public BufferSource {
public:
    // One of each of the two smallest classes a client, from the beginning: what a bad moment of
    // somebody takes is there. More comes as it is needed.
    explicit SharedBuffers(std::uint32_t clients);

    [[nodiscard]] PoolBuffer take(std::uint32_t bytes) override;
    void give_back(PoolBuffer& buffer) override;

    [[nodiscard]] std::uint64_t owned_bytes() const { return pool_.owned_bytes(); }

private:
    // Held for a push or a pop of a list: less than what the buffer is wanted for.
    std::mutex mutex_;
    BufferPool pool_;
};

}  // namespace wt::sim
