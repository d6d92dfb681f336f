// SPDX-License-Identifier: MIT
#include "simulator/cli/machine.hpp"

#include <unistd.h>

namespace wt::sim {

std::uint64_t machine_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return INT64_MAX;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace wt::sim
