// SPDX-License-Identifier: MIT
//
// What a worker lends to the host or node that it runs: its own parcels, its own outboxes, its own
// ear for the observer. A host keeps nothing of it between two instants, since the next one may be
// run by another worker; nothing that enters a digest may depend on which.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/core/arrival_queue.hpp"
#include "simulator/core/observer.hpp"
#include "simulator/core/parcel_pool.hpp"

namespace wt::sim {

// On a cache line of its own, since each worker writes its own all the time.
struct alignas(64) Station {
    static constexpr std::size_t arrivals_at_once = 16;

    std::uint32_t worker = 0;
    Observer* observer = nullptr;
    // Where the next datagram is sealed; stays the same until it was handed over.
    ParcelId spare{};
    bool has_spare = false;
    // A handful of what a host receives at once; scratch.
    std::array<Arrival, arrivals_at_once> arrivals{};
    // The earliest wake-up that post of this window may cause elsewhere.
    Instant first_mail = Instant::never();
};

}  // namespace wt::sim
