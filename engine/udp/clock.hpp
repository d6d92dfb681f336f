// SPDX-License-Identifier: MIT
//
// Real time for endpoints on real sockets: nanoseconds since 1970, so that two processes (and two
// machines, as far as their clocks agree) mean the same by an Instant. It never goes back: the
// wall clock is asked once, and the steady clock counts on from there.
#pragma once

#include "engine/base/time.hpp"

namespace wt::udp {

class Clock {
public:
    Clock();

    [[nodiscard]] Instant now() const;

private:
    Duration ahead_{};  // Of the steady clock.
};

// The first multiple of `step` after `at`, counted from 1970: two processes with one step wake up
// together.
[[nodiscard]] constexpr Instant next_quantum(Instant at, Duration step) {
    return {(at.ns / step.ns + 1) * step.ns};
}

}  // namespace wt::udp
