// SPDX-License-Identifier: MIT
#include "engine/udp/waiter.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace wt::udp {

namespace {

std::int64_t cpu_ns() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

}  // namespace

TEST_CASE("quanta lie on multiples of their step, never on the instant itself") {
    const Duration step = Duration::millis(5);
    CHECK(next_quantum({0}, step).ns == 5'000'000);
    CHECK(next_quantum({4'999'999}, step).ns == 5'000'000);
    CHECK(next_quantum({5'000'000}, step).ns == 10'000'000);
}

TEST_CASE("the clock is the year's, and goes on") {
    const Clock clock;
    const Instant first = clock.now();
    // 2020 to 2100.
    CHECK(first.ns > 1'577'836'800'000'000'000);
    CHECK(first.ns < 4'102'444'800'000'000'000);
    CHECK(clock.now() >= first);
    // Two clocks of one machine agree, but for what passes between the two readings.
    CHECK(Clock().now() - clock.now() < Duration::millis(50));
}

TEST_CASE("waiting reaches its instant and costs no processor") {
    const Clock clock;
    Waiter waiter;
    const std::int64_t before = cpu_ns();
    const Instant start = clock.now();
    for (int i = 1; i <= 40; ++i) {
        const Instant until = start + Duration::millis(5) * i;
        waiter.wait(clock, until);
        CHECK(clock.now() >= until);
    }
    CHECK(!waiter.is_stopped());
    // 40 wake-ups of some 10 us; spinning would take the 200 ms.
    CHECK(cpu_ns() - before < 40'000'000);
    // An instant that is over is no reason to wait.
    waiter.wait(clock, start);
}

TEST_CASE("SIGTERM and SIGINT end the waiting") {
    for (const int signal : {SIGTERM, SIGINT}) {
        const Clock clock;
        Waiter waiter;
        const Instant start = clock.now();
        waiter.wait(clock, start + Duration::millis(1));
        CHECK(!waiter.is_stopped());
        REQUIRE(std::raise(signal) == 0);
        waiter.wait(clock, start + Duration::seconds(30));
        CHECK(waiter.is_stopped());
        CHECK(clock.now() - start < Duration::seconds(20));
    }
}

}  // namespace wt::udp
