// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "engine/base/time.hpp"
#include "engine/base/units.hpp"

namespace wt {

TEST_CASE("ticks of a rate lie at floor(k * 10^9 / rate) and are found again") {
    constexpr Frequency sixty{60};
    CHECK(sixty.tick(1).ns == 16'666'666);
    CHECK(sixty.tick(2).ns == 33'333'333);
    CHECK(sixty.tick(60) == Instant{} + Duration::seconds(1));
    // A day of ticks and one: far beyond where k * 10^9 leaves 64 bits.
    const std::uint64_t many = 60ull * 1'000'000'000'000 + 1;
    CHECK(Frequency{1'000'000'000}.tick(many).ns == static_cast<std::int64_t>(many));
    CHECK(sixty.first_tick_at_or_after({0}) == 0);
    CHECK(sixty.first_tick_at_or_after({1}) == 1);
    CHECK(sixty.first_tick_at_or_after({16'666'666}) == 1);
    CHECK(sixty.first_tick_at_or_after({16'666'667}) == 2);
}

TEST_CASE("a chance of 0 % never holds and one of 100 % always does") {
    CHECK_FALSE(Chance::never().holds(0));
    CHECK(Chance::always().holds(0xffff'ffff));
    CHECK(Chance::percent(50).holds(0x7fff'ffff));
    CHECK_FALSE(Chance::percent(50).holds(0x8000'0000));
}

}  // namespace wt
