// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>
#include <set>
#include <string>

#include "engine/session/kinds.hpp"

namespace wt::session::kinds_test {

TEST_CASE("the registry's numbers are the wire's") {
    CHECK(static_cast<int>(Kind::hello) == 1);
    CHECK(static_cast<int>(Kind::bye) == 6);
    CHECK(static_cast<int>(Kind::spawn_batch) == 16);
    CHECK(static_cast<int>(Kind::desync_checksum) == 21);
    CHECK(static_cast<int>(Kind::input) == 32);
    CHECK(static_cast<int>(Kind::snapshot) == 33);
    CHECK(static_cast<int>(Kind::bulk_cancel) == 41);
    const KindTable table = KindTable::standard();
    for (const int known : {1, 2, 3, 4, 5, 6, 16, 17, 18, 19, 20, 21, 32, 33, 40, 41})
        CHECK(table.find(static_cast<std::uint16_t>(known)) != nullptr);
    for (const int unknown : {0, 7, 15, 22, 34, 42, 128, 255, 256, 65'535})
        CHECK(table.find(static_cast<std::uint16_t>(unknown)) == nullptr);
}

TEST_CASE("a game adds kinds and replaces rules, within the numbers there are") {
    KindTable table = KindTable::standard();
    CHECK(table.set({.kind = static_cast<Kind>(255), .payload_max = 9}));
    REQUIRE(table.find(255) != nullptr);
    CHECK(table.find(255)->payload_max == 9);
    CHECK(table.set({.kind = static_cast<Kind>(255), .payload_max = 10}));
    CHECK(table.find(255)->payload_max == 10);
    CHECK_FALSE(table.set({.kind = static_cast<Kind>(256)}));
    CHECK_FALSE(table.set({.kind = static_cast<Kind>(0)}));
    CHECK(table.find(0) == nullptr);
}

TEST_CASE("states, reasons and stages have words of their own") {
    std::set<std::string> words;
    for (unsigned i = 0; i < state_count; ++i)
        words.insert(name_of(static_cast<State>(i)));
    for (unsigned i = 0; i < end_reason_count; ++i)
        words.insert(name_of(static_cast<EndReason>(i)));
    for (unsigned i = 0; i < stage_count; ++i)
        words.insert(name_of(static_cast<Stage>(i)));
    CHECK(words.size() == state_count + end_reason_count + stage_count);
    CHECK(std::string(name_of(EndReason::server_shutdown)) == "server_shutdown");
    CHECK(std::string(name_of(Stage::payload)) == "payload");
}

}  // namespace wt::session::kinds_test
