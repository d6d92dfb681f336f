// SPDX-License-Identifier: MIT
//
// What a client shows of one remote object at the shown time: a blend of the two versions around
// it, a bounded extrapolation beyond the newest, or the version itself where the object rests.
// A cut (teleport) or a change of owner starts anew. It also says between which ticks it blended:
// that goes into the View of a shot.  Spec: 001, replication and latency hiding.
#pragma once

#include <array>
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

// The ticks of the snapshots that were applied, the last few: where an object has no version, it
// had not changed.
class AppliedTicks {
public:
    void clear() { count_ = 0; }
    // Ticks that are not newer than the newest say nothing new.
    void add(Tick tick) {
        if (count_ > 0 && tick <= newest()) return;
        ticks_[count_ % kept] = tick;
        ++count_;
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] Tick newest() const { return empty() ? 0 : ticks_[(count_ - 1) % kept]; }
    // The last one in [least, tick); `least` if none is known.
    [[nodiscard]] Tick last_before(Tick tick, Tick least) const {
        for (std::uint64_t back = 1; back <= count_ && back <= kept; ++back) {
            const Tick at = ticks_[(count_ - back) % kept];
            if (at < tick) return at > least ? at : least;
        }
        return least;
    }

private:
    static constexpr std::uint64_t kept = 32;

    std::array<Tick, kept> ticks_{};
    std::uint64_t count_ = 0;
};

// The stream that the versions came from.
struct Stream {
    const AppliedTicks& applied;
    // Versions farther apart have a rest between them, if a snapshot without the object says so.
    std::uint32_t gap_ticks = 9;
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
