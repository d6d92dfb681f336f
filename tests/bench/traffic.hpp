// SPDX-License-Identifier: MIT
//
// Runs a gate scenario for a stretch and says what it cost; or writes down every datagram that the
// stretch handed over, which is what the floor is fed with.
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
    std::uint64_t sealed = 0;  // AEAD calls that the endpoints counted, both ends, from second 0.
    std::uint64_t opened = 0;
    std::uint64_t events = 0;
    std::uint64_t connections = 0;  // Both ends, at the stretch's end.
};

// Reads a scenario of the tree; ends the program with a message if it cannot.
[[nodiscard]] sim::Scenario load_scenario(const std::string& path,
                                          const std::vector<std::string>& settings);

// Who looks on while the world runs.
enum class Watching : std::uint8_t {
    nobody,   // Transport, links, digest and bots.
    metrics,  // Figures collected as in `wavetank run`.
    trace,    // Those, and every record written to a file, as with --trace.
};

StretchCost run_stretch(const sim::Scenario& scenario, Stretch stretch, Watching watching);

// Wall clock that the server's host took for each of its ticks, in their order.
std::vector<std::int64_t> time_ticks(const sim::Scenario& scenario, Stretch stretch);

// What the stretch hands over, for the floor.
std::vector<FloorDatagram> record_traffic(const sim::Scenario& scenario, Stretch stretch);

}  // namespace wt::bench
