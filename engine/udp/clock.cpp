// SPDX-License-Identifier: MIT
#include "engine/udp/clock.hpp"

#include <ctime>

namespace wt::udp {

namespace {

std::int64_t read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

Clock::Clock() : ahead_{read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC)} {}

Instant Clock::now() const {
    return Instant{read_clock(CLOCK_MONOTONIC)} + ahead_;
}

}  // namespace wt::udp
