// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include "engine/secure/rto.hpp"

namespace wt::secure {

TEST_CASE("timeout reaches its cap at the fourth retry and stays there") {
    const RtoEstimator rto;  // No sample yet: 200, 400, 800, 1600 ms, then the cap.
    CHECK(rto.timeout(0) == Duration::millis(200));
    CHECK(rto.timeout(3) == Duration::millis(1'600));
    CHECK(rto.timeout(4) == Duration::millis(2'000));
    CHECK(rto.timeout(4'000'000'000u) == Duration::millis(2'000));
}

TEST_CASE("the arithmetic of the seed: first sample, weights, and both clamps") {
    RtoEstimator rto;
    rto.add_sample(Duration::millis(100));  // srtt 100, deviation 50: 300 ms.
    CHECK(rto.timeout(0) == Duration::millis(300));
    // Error +80: deviation 50 + (80 - 50) / 4 = 57.5, srtt 100 + 80 / 8 = 110: 340 ms.
    rto.add_sample(Duration::millis(180));
    CHECK(rto.smoothed() == Duration::millis(110));
    CHECK(rto.timeout(0) == Duration::millis(340));
    RtoEstimator low;
    low.add_sample(Duration::millis(66));  // 66 + 4 * 33 = 198: held at the floor.
    CHECK(low.timeout(0) == Duration::millis(200));
    RtoEstimator high;
    high.add_sample(Duration::millis(667));  // 667 + 4 * 333.5 = 2001: held at the cap.
    CHECK(high.timeout(0) == Duration::millis(2'000));
}

TEST_CASE("small round trips converge within a nanosecond's division") {
    for (const std::int64_t ms : {1, 2, 7, 8}) {
        RtoEstimator rto;
        rto.add_sample(Duration::millis(40));
        for (int i = 0; i < 400; ++i)
            rto.add_sample(Duration::millis(ms));
        const std::int64_t error = rto.smoothed().ns - ms * 1'000'000;
        CHECK(error >= 0);
        CHECK(error < 8);  // Integer division by 8 stops short of the last 7 ns.
    }
}

TEST_CASE("a carried backoff lengthens first waits until a sample, the letter does not") {
    RtoEstimator carry(RtoBackoff::carry);
    carry.add_timeout(0);
    CHECK(carry.timeout(0) == Duration::millis(400));
    CHECK(carry.timeout(1) == Duration::millis(400));
    CHECK(carry.timeout(2) == Duration::millis(800));
    carry.add_timeout(0);  // Lost in the same flight: counts once.
    CHECK(carry.timeout(0) == Duration::millis(400));
    carry.add_timeout(1);  // One that had waited the carried time.
    CHECK(carry.timeout(0) == Duration::millis(800));
    carry.add_sample(Duration::millis(300));
    CHECK(carry.timeout(0) == Duration::millis(900));
    RtoEstimator letter(RtoBackoff::per_fragment);
    letter.add_timeout(0);
    CHECK(letter.timeout(0) == Duration::millis(200));
}

}  // namespace wt::secure
