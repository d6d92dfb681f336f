// SPDX-License-Identifier: MIT
#include "simulator/gates/stopwatch.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>

namespace wt::sim {

namespace {

std::int64_t read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

Stopwatch::Stopwatch()
    : wall_start_(read_clock(CLOCK_MONOTONIC)), cpu_start_(read_clock(CLOCK_PROCESS_CPUTIME_ID)) {}

std::int64_t Stopwatch::wall_ns() const {
    return read_clock(CLOCK_MONOTONIC) - wall_start_;
}

std::int64_t Stopwatch::cpu_ns() const {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_;
}

std::uint64_t physical_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return 0;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1'024;
}

}  // namespace wt::sim
