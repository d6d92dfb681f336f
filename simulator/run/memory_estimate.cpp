// SPDX-License-Identifier: MIT
#include "simulator/run/memory_estimate.hpp"

namespace wt::sim {

namespace {

// Program, server and figures of the whole run.
constexpr std::uint64_t base_bytes = 16 * 1'024 * 1'024;
// A bot at both ends, with its link, its parcels under way and its figures. The peak of the
// 128-peer gate was 366 kB a peer with 256 peers, 330 kB with 1,000 and 289 kB with 4,000.
constexpr std::uint64_t bot_bytes = 400 * 1'024;
// Every host keeps the value of its digest for every second.
constexpr std::uint64_t second_bytes = 16;

}  // namespace

std::uint64_t estimated_memory(const Scenario& scenario) {
    // At most 100,000 bots in each of few groups and 10 days: far from 2^64.
    const std::uint64_t bots = scenario.bot_count();
    const std::uint64_t seconds = static_cast<std::uint64_t>(scenario.end().ns) / 1'000'000'000 + 1;
    return base_bytes + bots * bot_bytes + (bots + 1) * seconds * second_bytes;
}

}  // namespace wt::sim
