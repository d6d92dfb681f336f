// SPDX-License-Identifier: MIT
//
// One direction's configuration, worked out once: quantile tables, chain chances, sojourn means,
// the floor. Immutable and shared by every instance of the link.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/distribution.hpp"
#include "simulator/link/link_config.hpp"
#include "simulator/link/opportunities.hpp"
#include "simulator/link/sojourn.hpp"

namespace wt::sim {

// What a datagram costs a link beyond its UDP payload: IPv4 and UDP headers.
inline constexpr std::uint32_t header_bytes = 28;

struct CompiledDirection {
    DirectionConfig config{};
    std::optional<N1Config> n1{};  // Set: everything else is ignored.
    Distribution jitter{};
    // No datagram arrives sooner after its hand-over. Lookahead rests on it.
    Duration floor{};
    SojournMeans burst_means{};  // Bursts in time.
    Chance burst_leave{};        // Bursts in packets: chances of the chain, per packet.
    Chance burst_enter{};
    SojournMeans bad_means{};
    // Of a slotted link or a recorded one; else nothing.
    std::shared_ptr<const OpportunityTrace> opportunities{};

    [[nodiscard]] bool has_rate() const {
        return config.rate.bits_per_second != 0 ||
               (config.bad.has_value() && config.bad->rate.bits_per_second != 0);
    }
};

[[nodiscard]] std::shared_ptr<const CompiledDirection> compile(const DirectionConfig& config);
[[nodiscard]] std::shared_ptr<const CompiledDirection> compile(const N1Config& config);

struct CompiledLink {
    std::shared_ptr<const CompiledDirection> up{};
    std::shared_ptr<const CompiledDirection> down{};
};
[[nodiscard]] CompiledLink compile(const LinkConfig& config);

// A direction's whole life, fixed before the run: which configuration holds from when on. The
// first segment starts at 0; starts rise strictly.
struct DirectionSegment {
    Instant start{};
    std::shared_ptr<const CompiledDirection> config{};
};
using DirectionTimeline = std::vector<DirectionSegment>;

}  // namespace wt::sim
