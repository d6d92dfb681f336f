// SPDX-License-Identifier: MIT
//
// The physical floor: the least work that any in-process run with this cipher must do for given
// datagrams. Fill a payload, seal the record, tag the packet, draw loss and delay, queue, take out
// of the queue, check the tag, open the record. No protocol, no state, no measuring of anything.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/time.hpp"

namespace wt::bench {

// One datagram of the product's own traffic, in the order in which it was handed over.
struct FloorDatagram {
    std::int64_t at_ns = 0;
    std::uint32_t peer = 0;
    std::uint16_t bytes = 0;         // UDP payload.
    std::uint16_t record_bytes = 0;  // Plaintext of its record; 0 = no record is sealed for it.
    std::uint8_t is_up = 0;
    std::uint8_t is_lost = 0;
};

// Does it once; returns how many datagrams were opened, so that nothing is optimised away.
std::uint64_t run_floor(const std::vector<FloorDatagram>& traffic, std::uint32_t peers);

}  // namespace wt::bench
