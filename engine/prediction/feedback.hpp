// SPDX-License-Identifier: MIT
//
// What a server tells one client in each snapshot beside the world: the newest real input it has
// simulated, how early or late inputs came, and the client's clock back with the time it lay here.
// Spec: 001, replication and latency hiding.
//
//   0 flags u8 (bit 0 input, 1 margin, 2 echo, others 0) | 1 acknowledged input tick u32
//   5 margin i16 (1/16 tick) | 7 margin's tick i8, from the snapshot's | 8 echo u32 (us)
//   12 hold u16 (16 us); fields whose flag is 0 are 0
#pragma once

#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/prediction/ticks.hpp"

namespace wt::prediction {

inline constexpr std::size_t feedback_bytes = 14;
inline constexpr int margin_per_tick = 16;  // 2^12 of a Q16 tick each.

struct Feedback {
    bool has_input = false;
    std::uint32_t input_tick = 0;  // Newest tick that was simulated with its real input.
    bool has_margin = false;
    std::int16_t margin = 0;      // Worst since the last snapshot. Negative: came too late.
    std::int8_t margin_tick = 0;  // Input tick it belongs to, counted from the snapshot's tick.
    bool has_echo = false;
    std::uint32_t echo_us = 0;    // The client's clock as its newest input message gave it.
    std::uint16_t hold_16us = 0;  // How long that lay here until this snapshot.

    friend bool operator==(const Feedback&, const Feedback&) = default;
};

// False, and nothing written, when it does not fit.
[[nodiscard]] bool encode_feedback(const Feedback& feedback, MutableBytes target);
// Reads the first feedback_bytes of `source`. False, and `out` untouched, when malformed.
[[nodiscard]] bool decode_feedback(ConstBytes source, Feedback& out);

}  // namespace wt::prediction
