// SPDX-License-Identifier: MIT
//
// The keys of one direction of a link: parsed once for a link's table, for its `up` and `down`,
// and for the `set` of a change.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/scenario/reader.hpp"

namespace wt::sim {

[[nodiscard]] constexpr std::uint32_t bit_of(LinkKey key) {
    return 1u << static_cast<unsigned>(key);
}

// Values of the keys that `keys` names; the rest of `values` is default.
struct DirectionPatch {
    DirectionConfig values{};
    std::uint32_t keys = 0;
    bool has_rtt = false;
    Duration rtt{};
};

// `whole_link`: the table is of both directions, so that `rtt` may stand in it.
[[nodiscard]] DirectionPatch read_direction_keys(Keys& keys, bool whole_link);

// Those of the medium: discipline, police, handover, slot, trace, drops.
void read_medium_keys(Keys& keys, DirectionPatch& patch);
// `cross.FLOW` of a link's table, into the direction that each flow says.
void read_cross_traffic(Keys& keys, LinkConfig& link);

}  // namespace wt::sim
