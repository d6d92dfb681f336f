// SPDX-License-Identifier: MIT
//
// How often the process has asked for memory: what `cost.allocations` is made from. A program
// counts by defining operator new (simulator/cli/main/counted_heap.cpp does); in one that does not,
// nothing is counted and the metric has no values.
#pragma once

#include <cstdint>

namespace wt::sim {

// For an operator new, from any thread; allocates nothing itself.
void count_allocation();

// Calls of count_allocation so far, of all threads. 0 where nobody counts.
[[nodiscard]] std::uint64_t allocation_count();

}  // namespace wt::sim
