// SPDX-License-Identifier: MIT
//
// The eight lanes and three delivery modes. Each lane has an order of its own; nothing orders one
// lane against another.  Spec: 000, independent lanes and delivery modes.
#pragma once

#include <cstdint>

namespace wt::transport {

enum class Lane : std::uint8_t { control, gameplay, state, chat, bulk, free_5, free_6, free_7 };
inline constexpr unsigned lane_count = 8;

enum class Delivery : std::uint8_t {
    reliable_ordered,      // Kept until acknowledged; delivered in the lane's order.
    unreliable_sequenced,  // One datagram; delivered only when newer than the lane's last.
    unreliable,            // One datagram; delivered as it comes.
};

}  // namespace wt::transport
