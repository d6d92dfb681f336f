// SPDX-License-Identifier: MIT
//
// What the cipher alone would cost: nothing for nothing, something for every size that a transport
// may hand over, too short for a record included. How much it is, no test says: that is a clock's.
#include "simulator/run/floor_meter.hpp"

#include <doctest/doctest.h>

namespace wt::sim {

TEST_CASE("the floor of no datagrams is nothing, of some it is something") {
    FloorMeter meter;
    CHECK(meter.cpu_ns() == 0);
    for (int i = 0; i < 10'000; ++i) {
        meter.add_sealed(200);
        meter.add_opened(200);
    }
    CHECK(meter.cpu_ns() > 0);
}

TEST_CASE("every size has a price, and one that was sealed alone has one too") {
    FloorMeter meter;
    for (std::uint32_t bytes = 0; bytes <= transport::datagram_bytes_max; ++bytes)
        meter.add_sealed(bytes);
    const std::int64_t sealed = meter.cpu_ns();
    CHECK(sealed > 0);
}

}  // namespace wt::sim
