// SPDX-License-Identifier: MIT
//
// What a client shows of one remote object at the shown time: a blend of the two versions around
// it, a bounded extrapolation beyond the newest, or the version itself where the object rests.
// A cut (teleport) or a change of owner starts anew. It also says between which ticks it blended:
// that goes into the View of a shot.  Spec: 001, replication and latency hiding.
#pragma once

#include <cstdint>
#include <span>

#include "engine/prediction/blend.hpp"
#include "engine/prediction/view.hpp"

namespace wt::prediction {

struct Version {
    Tick tick = 0;
    replication::State state{};
};

// What is known of one object. Versions ascend in tick; there is at least one.
struct Track {
    std::span<const Version> versions{};
    Tick since = 0;  // Older versions belong to another owner.
};

// The stream that the versions came from.
struct Stream {
    Tick newest = 0;                 // Newest applied snapshot.
    std::uint32_t gap_ticks = 9;     // Versions farther apart have a rest between them.
    std::uint32_t beyond_ticks = 6;  // Extrapolation ends here.
};

enum class ShownAs : std::uint8_t {
    exact,  // At a version's own tick.
    interpolated,
    extrapolated,
    held,  // At rest, before the first version, or at the end of the extrapolation.
};

struct Shown {
    ShownAs as = ShownAs::held;
    Pose pose{};
    View view{};
};

[[nodiscard]] Shown show(const Track& track, const Stream& stream, const PoseFields& fields,
                         TickTime at);

}  // namespace wt::prediction
