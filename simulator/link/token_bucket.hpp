// SPDX-License-Identifier: MIT
//
// A policer: tokens come at a rate, at most a burst of them is kept, and a datagram without enough
// of them is dropped. Exact in integers: a token is one bit for one nanosecond at one bit per
// second.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/mutated.hpp"
#include "engine/base/time.hpp"
#include "engine/base/wide.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

class TokenBucket {
public:
    // Takes the tokens of a datagram; false, and nothing taken, where there are too few. Times
    // never go back. The bucket is full at the first call, and again where `config` is another one.
    [[nodiscard]] bool take(Instant now, std::uint32_t bytes, const PoliceConfig& config) {
        const std::uint64_t full = tokens_of(config.burst);
        if (!(config == config_)) {
            config_ = config;
            tokens_ = full;
        } else {
            const Wide more = static_cast<Wide>((now - since_).ns) * config.rate.bits_per_second;
            const Wide most = mutated<"police-burst">() ? tokens_ + more : Wide{full};
            tokens_ = static_cast<std::uint64_t>(std::min<Wide>(tokens_ + more, most));
        }
        since_ = now;
        if (tokens_ < tokens_of(bytes)) return false;
        tokens_ -= tokens_of(bytes);
        return true;
    }

private:
    // Bursts are at most 1 GiB: 8.6e18 tokens fit 64 bits.
    [[nodiscard]] static std::uint64_t tokens_of(std::uint64_t bytes) {
        return bytes * 8 * 1'000'000'000;
    }

    PoliceConfig config_{};
    std::uint64_t tokens_ = 0;
    Instant since_{};
};

}  // namespace wt::sim
