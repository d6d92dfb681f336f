// SPDX-License-Identifier: MIT
//
// The only file that reads a clock. What it says feeds `cost.*`, the progress line and --max-wall,
// and nothing else: no decision of a run, no digest.
#pragma once

#include <cstdint>

namespace wt::sim {

class Stopwatch {
public:
    Stopwatch();

    [[nodiscard]] std::int64_t wall_ns() const;  // Since construction.
    [[nodiscard]] std::int64_t cpu_ns() const;   // Of the whole process, since construction.

private:
    std::int64_t wall_start_;
    std::int64_t cpu_start_;
};

// What the machine has.
[[nodiscard]] std::uint64_t physical_memory_bytes();
// Peak resident bytes of the process so far.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace wt::sim
