// SPDX-License-Identifier: MIT
//
// Seed 001's own link simulator, one direction, microseconds: 32 packets, a 32-bit LCG whose draws
// depend on what was sent before. The declared exception to the weather rules: kept exactly, draw
// order and counters included, so that its results can be compared.  Spec: 001, LinkSimulator.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/link/link_config.hpp"

namespace wt::sim {

enum class N1Status : std::uint8_t {
    accepted,
    dropped,             // By the loss draw.
    invalid_argument,    // Time before the last one given.
    full,                // No room for the packet and its duplicate; the draws are taken back.
    time_overflow,       // Likewise.
    sequence_exhausted,  // Likewise.
};

struct N1Outcome {
    N1Status status = N1Status::dropped;
    std::uint32_t copies = 0;  // 0, 1 or 2; both are due at one time.
    std::uint64_t due_us = 0;
};

struct N1Counters {
    std::uint64_t accepted = 0;   // Sends.
    std::uint64_t delivered = 0;  // Copies.
    std::uint64_t dropped = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t rejected_full = 0;
};

class N1Model {
public:
    static constexpr std::uint32_t capacity = 32;
    static constexpr std::uint32_t default_seed = 1;

    // False on a configuration that seed 001 refuses: chances over 10,000, or a delay whose sum
    // with the jitter overflows. Nothing changes then; otherwise everything starts afresh.
    bool reset(const N1Config& config, std::uint32_t seed = default_seed,
               std::uint64_t first_order = 0);

    N1Outcome send(std::uint64_t now_us);
    // Takes the next packet that is due: by due time, then by admission. False if none is, or if
    // the time lies before that of an earlier call. Calls that find the link full or empty move its
    // time too.
    bool deliver(std::uint64_t now_us, std::uint64_t& order_out);

    [[nodiscard]] std::uint32_t in_flight() const { return count_; }
    [[nodiscard]] const N1Counters& counters() const { return counters_; }
    [[nodiscard]] const N1Config& config() const { return config_; }

private:
    struct Waiting {
        std::uint64_t due_us = 0;
        std::uint64_t order = 0;
    };

    std::uint32_t draw() {
        state_ = state_ * 1'664'525u + 1'013'904'223u;
        return state_;
    }
    N1Outcome admit(std::uint64_t now_us);

    N1Config config_{};
    std::uint32_t state_ = default_seed;
    std::uint64_t now_us_ = 0;
    std::uint64_t next_order_ = 0;
    std::uint32_t count_ = 0;
    std::array<Waiting, capacity> waiting_{};
    N1Counters counters_{};
};

}  // namespace wt::sim
