// SPDX-License-Identifier: MIT
#include "simulator/link/presets.hpp"

#include <doctest/doctest.h>

namespace wt::sim {

TEST_CASE("presets are found by name and by name with version, and by nothing else") {
    const Preset* plain = find_preset("home-broadband");
    REQUIRE(plain != nullptr);
    CHECK(plain == find_preset("home-broadband@1"));
    CHECK(plain->config.source == "home-broadband@1");
    CHECK(find_preset("home-broadband@2") == nullptr);
    CHECK(find_preset("home-broadband@") == nullptr);
    CHECK(find_preset("home") == nullptr);
    CHECK(find_preset("") == nullptr);
    CHECK(all_presets().size() == 8);
}

TEST_CASE("every preset says where it comes from and has no hidden limit") {
    for (const Preset& preset : all_presets()) {
        CAPTURE(preset.name);
        CHECK_FALSE(preset.source.empty());
        CHECK(preset.config.name == preset.name);
        for (const DirectionConfig* way : {&preset.config.up, &preset.config.down}) {
            const bool is_limited = way->rate.bits_per_second != 0;
            CHECK(is_limited == (way->queue.unit != QueueConfig::Unit::none));
            CHECK(way->order == LinkOrder::keep);
        }
    }
}

TEST_CASE("figures that are easy to get wrong") {
    const LinkConfig& home = find_preset("home-broadband")->config;
    CHECK(home.up.delay == Duration::millis(20));
    CHECK(home.up.jitter.width == Duration::millis(24));
    CHECK(home.up.queue.bytes == 65'536);
    CHECK(home.down.queue.bytes == 524'288);
    CHECK(home.up.rate.bits_per_second == 20'000'000);
    CHECK(home.down.rate.bits_per_second == 100'000'000);
    const LinkConfig& bad = find_preset("wifi-bad")->config;
    REQUIRE(bad.down.bad.has_value());
    CHECK(bad.down.bad->share == Chance::percent(6));
    CHECK(bad.down.bad->rate.bits_per_second == 1'000'000);
    CHECK(find_preset("perfect")->config.up.rate.bits_per_second == 0);
}

}  // namespace wt::sim
