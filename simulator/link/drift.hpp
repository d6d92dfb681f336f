// SPDX-License-Identifier: MIT
//
// Jitter that remembers: instead of a draw of its own, each datagram takes the quantile that stands
// at its instant. The quantile is that of a first-order autoregressive normal process with one
// value each 10 ms, on the clock, so traffic never moves it, and the law of a single delay stays
// the one that the link says.
//
// With a memory T: a = T / (T + 10 ms), z(0) = e(0), z(k) = a z(k-1) + sqrt(1 - a^2) e(k), where
// e(k) are standard normal, drawn from (key, k). The correlation falls by `a` a step: to about 1/e
// in T.
#pragma once

#include <cstdint>

#include "engine/base/distribution.hpp"
#include "engine/base/rng.hpp"
#include "engine/base/time.hpp"

namespace wt::sim {

class Drift {
public:
    static constexpr Duration step = Duration::millis(10);

    explicit Drift(LuckKey key);

    // From now on; the value that stands is kept. 0 remembers nothing from step to step.
    void set_memory(Duration memory);
    // The quantile that stands at `now`, as a draw. Instants never go back.
    [[nodiscard]] std::uint64_t quantile_at(Instant now);

private:
    // The draw whose standard normal quantile is `z`.
    [[nodiscard]] std::uint64_t draw_of(std::int64_t z) const;

    LuckKey key_;
    Distribution normal_;
    std::int64_t keeps_q32_ = 0;   // a
    std::int64_t renews_q32_ = 0;  // sqrt(1 - a^2)
    std::uint64_t number_ = 0;     // k of the value that stands.
    std::int64_t z_q24_ = 0;
    std::uint64_t draw_ = 0;
};

}  // namespace wt::sim
