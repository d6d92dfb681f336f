// SPDX-License-Identifier: MIT
//
// What a run's datagrams cost if nothing but their cipher had to be done: for `cost.floor`, where a
// gate asks. Counts sizes while the run goes on; the cipher's time is taken afterwards, in this
// process, on this machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "engine/base/rng.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::sim {

class FloorMeter {
public:
    // Keys of its own luck: no (key, counter) pair is ever sealed twice, here neither.
    explicit FloorMeter(LuckKey luck) : luck_(luck) {}

    // One datagram was sealed by its sender; one was opened by who it was for. What a link made
    // longer than anybody may send counts as the longest.
    void add_sealed(std::uint32_t bytes) { ++counts_->sealed[place_of(bytes)]; }
    void add_opened(std::uint32_t bytes) { ++counts_->opened[place_of(bytes)]; }

    // CPU time of sealing and opening all of them: a record inside of a tagged packet, both by
    // ChaCha20-Poly1305, from and to memory. Measured on some of each size, the fastest of three
    // turns; takes a few hundred milliseconds at most. 0 = there were none.
    [[nodiscard]] std::int64_t cpu_ns();

private:
    [[nodiscard]] static std::size_t place_of(std::uint32_t bytes) {
        return std::min<std::size_t>(bytes, transport::datagram_bytes_max);
    }
    using BySize = std::array<std::uint64_t, transport::datagram_bytes_max + 1>;
    struct Counts {
        BySize sealed{};
        BySize opened{};
    };
    LuckKey luck_;
    std::uint64_t counter_ = 0;  // Sealed so far.
    std::unique_ptr<Counts> counts_ = std::make_unique<Counts>();
};

}  // namespace wt::sim
