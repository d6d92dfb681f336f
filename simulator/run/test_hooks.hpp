// SPDX-License-Identifier: MIT
//
// Deliberate breaks of the game's parts, for tests that must see their oracle fail. Nothing in the
// language and no option of the command line reaches them.
#pragma once

#include <cstdint>

namespace wt::sim {

struct TestHooks {
    // Each client's own player goes so much too far along x in each tick that it predicts.
    std::int32_t broken_prediction_mm = 0;
};

}  // namespace wt::sim
