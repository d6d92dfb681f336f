// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <bit>
#include <set>
#include <string>

#include "engine/transport/stats.hpp"

namespace wt::transport {

TEST_CASE("every refusal and close reason has a word of its own") {
    std::set<std::string> words;
    for (unsigned i = 0; i < refusal_count; ++i)
        words.insert(name_of(static_cast<Refusal>(i)));
    CHECK(words.size() == refusal_count);
    CHECK(words.count("?") == 0);
    CHECK(std::string(name_of(static_cast<Refusal>(refusal_count))) == "?");
    CHECK(std::string(name_of(Refusal::too_short)) == "too_short");
    CHECK(std::string(name_of(Refusal::bad_tag)) == "bad_tag");
    CHECK(std::string(name_of(Refusal::malformed)) == "malformed");
    CHECK(std::string(name_of(Refusal::violation_size)) == "violation_size");
    CHECK(std::string(name_of(Refusal::inbox_full)) == "inbox_full");
    words.clear();
    for (unsigned i = 0; i < close_reason_count; ++i)
        words.insert(name_of(static_cast<CloseReason>(i)));
    CHECK(words.size() == close_reason_count);
    CHECK(words.count("?") == 0);
}

TEST_CASE("sums of counters take every field along") {
    // Counters are nothing but u64 fields, so filling them by index reaches each.
    constexpr std::size_t fields = sizeof(Counters) / sizeof(std::uint64_t);
    std::array<std::uint64_t, fields> values{};
    for (std::size_t i = 0; i < fields; ++i)
        values[i] = i + 1;
    const auto one = std::bit_cast<Counters>(values);
    Counters sum = one;
    sum.add(one);
    const auto summed = std::bit_cast<std::array<std::uint64_t, fields>>(sum);
    for (std::size_t i = 0; i < fields; ++i)
        CHECK(summed[i] == 2 * (i + 1));
}

}  // namespace wt::transport
