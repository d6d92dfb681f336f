// SPDX-License-Identifier: MIT
//
// Runs a gate scenario for a stretch and says what it cost; on request it also writes down every
// datagram that the stretch handed over, which is what the floor is fed with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tests/bench/floor.hpp"

namespace wt::bench {

struct Stretch {
    Instant from{};  // Everything before is a warm-up.
    Instant until{};
};

struct StretchCost {
    std::int64_t cpu_ns = 0;
    std::uint64_t datagrams = 0;
    std::uint64_t sealed = 0;  // AEAD calls that the endpoints counted, both ends, whole run.
    std::uint64_t opened = 0;
    std::uint64_t events = 0;
};

// Reads a scenario of the tree; ends the program with a message if it cannot.
[[nodiscard]] sim::Scenario load_scenario(const std::string& path,
                                          const std::vector<std::string>& settings);

// With figures collected as in `wavetank run`. `traffic` may be null.
StretchCost run_stretch(const sim::Scenario& scenario, Stretch stretch,
                        std::vector<FloorDatagram>* traffic);

}  // namespace wt::bench
