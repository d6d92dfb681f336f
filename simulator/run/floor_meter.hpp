// SPDX-License-Identifier: MIT
//
// What a run's datagrams cost if nothing but their cipher had to be done: for `cost.floor`, where a
// gate asks. Counts sizes while the run goes on; the cipher's time is taken afterwards, in this
// process, on this machine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/transport/endpoint.hpp"

namespace wt::sim {

class FloorMeter {
public:
    // One datagram was sealed by its sender; one was opened by who it was for.
    void add_sealed(std::uint32_t bytes) { ++counts_->sealed[bytes]; }
    void add_opened(std::uint32_t bytes) { ++counts_->opened[bytes]; }

    // CPU time of sealing and opening all of them: a record inside of a tagged packet, both by
    // ChaCha20-Poly1305, from and to memory. Measured on some of each size, the fastest of three
    // turns; takes a few hundred milliseconds at most. 0 = there were none.
    [[nodiscard]] std::int64_t cpu_ns() const;

private:
    using BySize = std::array<std::uint64_t, transport::datagram_bytes_max + 1>;
    struct Counts {
        BySize sealed{};
        BySize opened{};
    };
    std::unique_ptr<Counts> counts_ = std::make_unique<Counts>();
};

}  // namespace wt::sim
