// SPDX-License-Identifier: MIT
//
// The estimate must lie above what runs were seen to need, and not so far above that it refuses
// what would have fitted.
#include <doctest/doctest.h>

#include <string>

#include "simulator/run/memory_estimate.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

namespace {

std::uint64_t estimate(const std::string& bots, const std::string& length) {
    const auto read = read_scenario_text(
        "[scenario]\nduration = \"" + length +
            "\"\n[world]\ngame = \"none\"\n[bots.runner]\ncount = " + bots + "\n",
        "t.toml", {});
    REQUIRE(read.has_value());
    return estimated_memory(*read);
}

constexpr std::uint64_t mebibyte = 1'024 * 1'024;

}  // namespace

TEST_CASE("the estimate holds what gates were measured to need") {
    // Peak resident bytes of 7 s of the gate with so many peers.
    CHECK(estimate("256", "7s") >= 366'000 * 256);
    CHECK(estimate("4000", "7s") >= std::uint64_t{289'000} * 4'000);
    CHECK(estimate("256", "7s") < 2 * 366'000 * 256);
    CHECK(estimate("4000", "7s") < std::uint64_t{2} * 289'000 * 4'000);
    CHECK(estimate("1", "1s") < 20 * mebibyte);
}

TEST_CASE("a day of a crowd is mostly digests") {
    // 100,001 hosts, 86,401 seconds, 16 bytes.
    const std::uint64_t digests = std::uint64_t{100'001} * 86'401 * 16;
    const std::uint64_t day = estimate("100000", "24h");
    CHECK(day > digests);
    CHECK(day < digests + std::uint64_t{100'000} * mebibyte);
}

}  // namespace wt::sim
