// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wt::sim {

// Physical memory; 2^63 - 1 where the system does not say.
[[nodiscard]] std::uint64_t machine_memory_bytes();

}  // namespace wt::sim
