// SPDX-License-Identifier: MIT
//
// What happens in a scenario, when and to whom: acts after reading, and the link keys that changes
// touch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bots/behaviour_kind.hpp"
#include "engine/base/time.hpp"
#include "simulator/link/exact_fault.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

using bots::BehaviourKind;

// Whom an act or a gate means. Numbers are within the group; `any` draws K of the group per
// firing from (seed, act).
struct Target {
    enum class Kind : std::uint8_t { all, server, group, range, any };
    Kind kind = Kind::all;
    std::string group{};
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t any = 0;
};

// The keys of one direction of a link, as bits of a set: what a `change` act touches.
enum class LinkKey : std::uint8_t {
    delay,
    jitter,
    order,
    loss,
    burst,
    bad,
    rate,
    queue,
    mtu,
    duplicate,
    reorder,
    corrupt,
    suspend,
    discipline,
    police,
    handover,
    slot,
    trace,
    drops,
    mtu_reply,
};
inline constexpr std::uint32_t all_link_keys = (1u << 20) - 1;

// A ramp is so many changes, one each step.
inline constexpr Duration change_ramp_step = Duration::millis(100);

struct Act {
    enum class Do : std::uint8_t {
        change,
        partition,
        suspend,
        pause,
        kill,
        leave,
        restart,
        rebind,
        behave,
        drop,
        delay,
        duplicate,
        corrupt,
        replay,
        nothing
    };
    std::string name{};  // Given, or "at.N" with N the place in the file.
    Do what = Do::nothing;
    Instant start{};
    Instant end = Instant::never();  // Lasting acts revert here; equal to start = instant.
    Duration every{};                // 0 = once
    Instant every_until{};
    std::vector<Target> who{};
    Way direction = Way::both;
    std::string link{};                   // change: whose links
    std::optional<LinkConfig> becomes{};  // change: what they are meanwhile, in full
    std::uint32_t up_keys = 0;            // change: the LinkKeys of `becomes` that it touches
    std::uint32_t down_keys = 0;
    Duration ramp{};                         // change: how long it takes until all of it holds
    RebindKind gives = RebindKind::port;     // rebind
    BehaviourKind as = BehaviourKind::idle;  // behave
    std::optional<FaultPlan> fault{};        // drop, delay, duplicate, corrupt, replay
    std::string selector{};                  // Of those, as written.
};

// Copies the named keys of one direction: overlapping `change` acts stack key by key.
void copy_link_keys(std::uint32_t keys, const DirectionConfig& from, DirectionConfig& to);

}  // namespace wt::sim
