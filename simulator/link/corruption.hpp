// SPDX-License-Identifier: MIT
//
// What a link may do to the bytes of a datagram: turn bits over, cut the end off, add junk.
// Decided by the sender's side at hand-over, applied to the buffer that travels.
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// At most this many bytes of junk are added.
inline constexpr std::size_t junk_bytes_max = 8;

struct Corruption {
    bool happens = false;
    CorruptConfig::Kind kind = CorruptConfig::Kind::flip;
    std::uint64_t luck = 0;
};

// Alters the first `size` bytes of `room` and returns the new size. flip XORs one byte with a
// mask that is never zero, so a corrupted datagram of at least one byte always differs; truncate
// cuts at least one byte; junk adds 1..8 bytes as far as there is room. An empty datagram can
// only grow.
[[nodiscard]] std::size_t apply(const Corruption& corruption, MutableBytes room, std::size_t size);

}  // namespace wt::sim
