// SPDX-License-Identifier: MIT
#include "viewer/model/time_axis.hpp"

#include <doctest/doctest.h>

#include "viewer/model/text.hpp"

using namespace wt;
using namespace wt::viewer;

namespace {

TimeAxis minute() {
    TimeAxis axis;
    axis.set_whole({{0}, {60'000'000'000}});
    axis.show_all();
    return axis;
}

}  // namespace

TEST_CASE("what lies under the pointer stays there while one zooms") {
    TimeAxis axis = minute();
    const Instant at{15'000'000'000};
    const double before = axis.fraction_of(at);
    axis.zoom(at, 0.5);
    CHECK(axis.fraction_of(at) == doctest::Approx(before).epsilon(1e-6));
    CHECK(axis.view().length() == Duration::seconds(30));
    axis.zoom(at, 1e-12);
    CHECK(axis.view().length() == TimeAxis::view_min);
    axis.zoom(at, 1e15);
    CHECK(axis.shows_all());
}

TEST_CASE("the view never leaves the run") {
    TimeAxis axis = minute();
    axis.show({{10'000'000'000}, {20'000'000'000}});
    axis.pan(Duration::seconds(-30));
    CHECK(axis.view() == Range{{0}, {10'000'000'000}});
    axis.pan(Duration::seconds(500));
    CHECK(axis.view() == Range{{50'000'000'000}, {60'000'000'000}});
}

TEST_CASE("a view that follows ends with the run, one that does not stays") {
    TimeAxis axis = minute();
    axis.show({{10'000'000'000}, {20'000'000'000}});
    axis.set_whole({{0}, {70'000'000'000}});
    CHECK(axis.view() == Range{{10'000'000'000}, {20'000'000'000}});
    axis.follow(true);
    axis.set_whole({{0}, {80'000'000'000}});
    CHECK(axis.view() == Range{{70'000'000'000}, {80'000'000'000}});
    // Looking back ends it.
    axis.pan(Duration::seconds(-1));
    CHECK(!axis.follows());
}

TEST_CASE("one that shows everything goes on showing everything") {
    TimeAxis axis = minute();
    axis.set_whole({{0}, {61'000'000'000}});
    CHECK(axis.shows_all());
}

TEST_CASE("labels tell neighbours apart and are no more than asked for") {
    const std::vector<AxisTick> coarse = axis_ticks({{0}, {60'000'000'000}}, 7);
    REQUIRE(coarse.size() >= 4);
    CHECK(coarse.size() <= 7);
    CHECK(coarse[1].label == "0:10");
    const std::vector<AxisTick> fine = axis_ticks({{12'000'000'000}, {12'000'100'000}}, 5);
    REQUIRE(fine.size() >= 2);
    CHECK(fine[0].label != fine[1].label);
    CHECK(axis_ticks({{5}, {5}}, 9).empty());
}

TEST_CASE("value ticks are round and reach past the largest value") {
    CHECK(value_ticks(95, 5) == std::vector<std::int64_t>{0, 20, 40, 60, 80});
    CHECK(value_ticks(1, 5) == std::vector<std::int64_t>{0, 1});
    CHECK(value_ticks(0, 5).empty());
    const std::vector<std::int64_t> large = value_ticks(INT64_MAX / 2, 4);
    CHECK(large.size() <= 6);
    CHECK(large.back() > 0);
}

TEST_CASE("places in time as people type them") {
    CHECK(read_time_place("1:12.5")->value == 72'500'000'000);
    CHECK(read_time_place("450ms")->value == 450'000'000);
    CHECK(read_time_place(" 3 s ")->value == 3'000'000'000);
    CHECK(read_time_place("72.5")->value == 72'500'000'000);
    CHECK(read_time_place("0.123456789123")->value == 123'456'789);
    CHECK(read_time_place("tick:1803")->kind == TimePlace::Kind::tick);
    CHECK(read_time_place("record:41")->value == 41);
    for (const char* const bad :
         {"", ":", "1:", "abc", "1:2:3", "-5", "99999999999999999999", "tick:x"})
        CHECK(!read_time_place(bad).has_value());
}

TEST_CASE("clocks line up") {
    CHECK(clock_text({72'050'000'000}) == "1:12.050");
    CHECK(clock_text({72'050'000'000}, Duration::seconds(1)) == "1:12");
    CHECK(clock_text({3'661'000'000'000}, Duration::seconds(1)) == "1:01:01");
    CHECK(count_text(10'000'000) == "10,000,000");
    CHECK(count_text(7) == "7");
}
