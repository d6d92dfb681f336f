// SPDX-License-Identifier: MIT
//
// What the cipher alone would cost: nothing for nothing, something for every size that a transport
// may hand over, too short for a record included. How much it is, no test says: that is a clock's.
#include "simulator/run/floor_meter.hpp"

#include <doctest/doctest.h>

#include "simulator/link/corruption.hpp"

namespace wt::sim {

TEST_CASE("the floor of no datagrams is nothing, of some it is something") {
    FloorMeter meter(LuckKey::root(1));
    CHECK(meter.cpu_ns() == 0);
    for (int i = 0; i < 10'000; ++i) {
        meter.add_sealed(200);
        meter.add_opened(200);
    }
    CHECK(meter.cpu_ns() > 0);
    CHECK(meter.cpu_ns() > 0);  // Again, and the ledger of this test sees no pair twice.
}

TEST_CASE("every size has a price, longer ones that a link made included") {
    FloorMeter meter(LuckKey::root(2));
    for (std::uint32_t bytes = 0; bytes <= transport::datagram_bytes_max; ++bytes)
        meter.add_sealed(bytes);
    CHECK(meter.cpu_ns() > 0);
    FloorMeter longer(LuckKey::root(3));
    for (std::uint32_t extra = 1; extra <= junk_bytes_max; ++extra) {
        longer.add_sealed(transport::datagram_bytes_max + extra);
        longer.add_opened(transport::datagram_bytes_max + extra);
    }
    CHECK(longer.cpu_ns() > 0);
}

}  // namespace wt::sim
