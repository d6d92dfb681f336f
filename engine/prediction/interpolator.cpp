// SPDX-License-Identifier: MIT
#include "engine/prediction/interpolator.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::prediction {

namespace {

Shown held(const Version& version, const PoseFields& fields, TickTime at, ShownAs as) {
    return {.as = as,
            .pose = pose_of(version.state, fields),
            .view = {.at = at, .from = version.tick, .span = 0}};
}

// Where the blend towards `newer` begins: an object that rested had its older pose until the last
// snapshot before, one whose snapshots were lost moved all the time.
Tick start_of(const Version& older, const Version& newer, const Stream& stream) {
    if (newer.tick - older.tick <= stream.gap_ticks) return older.tick;
    const Tick start = stream.applied.last_before(newer.tick, older.tick);
    // What a view can say.
    constexpr Tick span_max = 255;
    return newer.tick - start > span_max ? newer.tick - span_max : start;
}

Shown between(const Version& older, const Version& newer, const Stream& stream,
              const PoseFields& fields, TickTime at) {
    const Tick from = start_of(older, newer, stream);
    if (at <= TickTime::at(from)) return held(older, fields, at, ShownAs::held);
    const Pose pose = blend(pose_of(older.state, fields), pose_of(newer.state, fields),
                            TickTime::at(from), TickTime::at(newer.tick), at, fields.angle_bits);
    return {.as = ShownAs::interpolated,
            .pose = pose,
            .view = {.at = at, .from = from, .span = static_cast<std::uint8_t>(newer.tick - from)}};
}

}  // namespace

Shown show(const Track& track, const Stream& stream, const PoseFields& fields, TickTime at) {
    const std::span<const Version> all = track.versions;
    WT_CHECK(!all.empty());
    WT_CHECK(stream.gap_ticks > 0);
    std::size_t newer = all.size();
    while (newer > 0 && TickTime::at(all[newer - 1].tick) > at)
        --newer;
    // Now all[newer] is the first version after `at`, all[newer - 1] the last at or before it.
    if (newer == 0) {
        // Nothing that old is known: what is seen is the first version, of its own time.
        return held(all.front(), fields, TickTime::at(all.front().tick), ShownAs::held);
    }
    const Version& older = all[newer - 1];
    if (TickTime::at(older.tick) == at) return held(older, fields, at, ShownAs::exact);
    if (newer < all.size()) {
        const bool is_one_motion =
            mutated<"cut-unblended">() ||
            (!is_cut(older.state, all[newer].state, fields) && older.tick >= track.since);
        if (!is_one_motion) return held(older, fields, at, ShownAs::held);
        return between(older, all[newer], stream, fields, at);
    }
    // Beyond the object's newest version. Where the stream went on without it, it rests.
    if (older.tick != stream.applied.newest() || newer < 2)
        return held(older, fields, at, ShownAs::held);
    const Version& before = all[newer - 2];
    if (is_cut(before.state, older.state, fields) || before.tick < track.since) {
        return held(older, fields, at, ShownAs::held);
    }
    const TickTime end =
        TickTime::at(older.tick + stream.beyond_ticks * (mutated<"extrapolation-bound">() ? 4 : 1));
    Shown shown = between(before, older, stream, fields, std::min(at, end));
    shown.as = at <= end ? ShownAs::extrapolated : ShownAs::held;
    return shown;
}

}  // namespace wt::prediction
