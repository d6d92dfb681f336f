// SPDX-License-Identifier: MIT
#include "simulator/gates/allocations.hpp"

#include <atomic>

namespace wt::sim {

namespace {
// Workers allocate too. Nothing is ordered by it: it is only ever read as a number.
constinit std::atomic<std::uint64_t> allocations{0};
}  // namespace

void count_allocation() {
    allocations.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t allocation_count() {
    return allocations.load(std::memory_order_relaxed);
}

}  // namespace wt::sim
