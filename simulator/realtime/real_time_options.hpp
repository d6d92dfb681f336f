// SPDX-License-Identifier: MIT
//
// What the command line says to either process.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/transport/address.hpp"
#include "simulator/run/run_scenario.hpp"

namespace wt::sim {

struct RealTimeOptions {
    std::uint64_t seed = 1;
    // Where the server listens, or is.
    transport::Address address{};
    bool count_cost = false;
    // Every 100 ms of the scenario; for progress only.
    std::function<void(const Progress&)> on_grid{};
};

}  // namespace wt::sim
