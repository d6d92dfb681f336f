// SPDX-License-Identifier: MIT
//
// Retransmission timeout from round-trip samples: srtt + 4 * deviation, held to [200 ms, 2 s],
// doubled for every timeout of a fragment. Samples come only from fragments acknowledged on their
// first transmission (Karn), which is the caller's rule to keep. With a carried backoff (RFC 6298,
// section 5) a timeout also lengthens the first wait of later fragments until the next sample:
// without it an RTT above the floor is never measured, since every fragment is sent twice.
// Spec: 000, acknowledgements and retransmission timing.
#pragma once

#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/secure/config.hpp"

namespace wt::secure {

class RtoEstimator {
public:
    static constexpr Duration rto_min = Duration::millis(200);
    static constexpr Duration rto_max = Duration::millis(2'000);

    explicit RtoEstimator(RtoBackoff backoff = RtoBackoff::carry) : backoff_(backoff) {}

    // One valid sample; also ends a carried backoff.
    void add_sample(Duration rtt);

    // A fragment timed out that had waited with so many doublings. What many fragments of one
    // flight lost together counts once.
    void add_timeout(unsigned waited_doublings);

    // How often the base is doubled for a fragment that has timed out `timeouts` times.
    [[nodiscard]] unsigned doublings(unsigned timeouts) const;

    // The wait of a fragment that has timed out `timeouts` times.
    [[nodiscard]] Duration timeout(unsigned timeouts) const;

    [[nodiscard]] bool has_sample() const { return samples_ > 0; }
    [[nodiscard]] Duration smoothed() const { return smoothed_; }

private:
    Duration smoothed_{};
    Duration deviation_{};
    std::uint64_t samples_ = 0;
    unsigned carried_ = 0;
    RtoBackoff backoff_ = RtoBackoff::carry;
};

}  // namespace wt::secure
