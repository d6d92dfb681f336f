// SPDX-License-Identifier: MIT
//
// The units table: for each unit a value, and the boundary between exact and finer than the base.
#include "simulator/scenario/quantity.hpp"

#include <doctest/doctest.h>

#include "simulator/scenario/exact_text.hpp"

namespace wt::sim::quantity_test {

namespace {

std::int64_t base(std::string_view text, Dimension dimension) {
    const auto parsed = parse_quantity(text, {dimension});
    REQUIRE_MESSAGE(parsed.has_value(), text);
    CHECK(parsed->dimension == dimension);
    return parsed->base;
}

std::string message(std::string_view text, Dimension dimension) {
    const auto parsed = parse_quantity(text, {dimension});
    REQUIRE_MESSAGE(!parsed.has_value(), text);
    return parsed.error().message;
}

std::string hint(std::string_view text, Dimension dimension) {
    const auto parsed = parse_quantity(text, {dimension});
    REQUIRE_MESSAGE(!parsed.has_value(), text);
    return parsed.error().hint;
}

}  // namespace

TEST_CASE("every unit, in base units") {
    CHECK(base("7ns", Dimension::time) == 7);
    CHECK(base("7us", Dimension::time) == 7'000);
    CHECK(base("1.5ms", Dimension::time) == 1'500'000);
    CHECK(base("2s", Dimension::time) == 2'000'000'000);
    CHECK(base("3min", Dimension::time) == 180'000'000'000);
    CHECK(base("1h", Dimension::time) == 3'600'000'000'000);
    CHECK(base("-3ms", Dimension::time) == -3'000'000);
    CHECK(base("1076B", Dimension::bytes) == 1'076);
    CHECK(base("64KiB", Dimension::bytes) == 65'536);
    CHECK(base("0.5MiB", Dimension::bytes) == 524'288);
    CHECK(base("1GiB", Dimension::bytes) == 1'073'741'824);
    CHECK(base("9bit/s", Dimension::rate) == 9);
    CHECK(base("0.33kbit/s", Dimension::rate) == 330);
    CHECK(base("20Mbit/s", Dimension::rate) == 20'000'000);
    CHECK(base("1Gbit/s", Dimension::rate) == 1'000'000'000);
    CHECK(base("2%", Dimension::share) == 20'000'000);
    CHECK(base("7ppm", Dimension::share) == 7'000);
    CHECK(base("60Hz", Dimension::frequency) == 216'000);
    CHECK(base("1/s", Dimension::frequency) == 3'600);
    CHECK(base("6/min", Dimension::frequency) == 360);
    CHECK(base("3 packets", Dimension::packets) == 3'000);
    CHECK(base("1.5packets", Dimension::packets) == 1'500);
    CHECK(base("80mm", Dimension::length) == 80);
    CHECK(base("2.5m", Dimension::length) == 2'500);
    CHECK(base("1.5x", Dimension::ratio) == 1'500'000'000);
    CHECK(base("12", Dimension::count) == 12);
}

TEST_CASE("digits may be grouped, only between digits") {
    CHECK(base("1_000_000ns", Dimension::time) == 1'000'000);
    CHECK(message("1_ms", Dimension::time) == "\"1_ms\": the unit \"_ms\" does not fit");
    CHECK(message("_1ms", Dimension::time) == "\"_1ms\" is not a number");
    CHECK(message("1__0ms", Dimension::time) == "\"1__0ms\": the unit \"__0ms\" does not fit");
}

TEST_CASE("finer than the base unit is an error, trailing zeros are not") {
    CHECK(base("0.001us", Dimension::time) == 1);
    CHECK(base("1.000ns", Dimension::time) == 1);
    CHECK(message("0.4ns", Dimension::time) == "\"0.4ns\" is finer than the smallest step");
    CHECK(message("0.0001us", Dimension::time) == "\"0.0001us\" is finer than the smallest step");
    CHECK(base("0.001 packets", Dimension::packets) == 1);
    CHECK(message("0.0001 packets", Dimension::packets) ==
          "\"0.0001 packets\" is finer than the smallest step");
    CHECK(message("0.3B", Dimension::bytes) == "\"0.3B\" is finer than the smallest step");
}

TEST_CASE("numbers that are too large") {
    CHECK(base("999999999999999999ns", Dimension::time) == 999'999'999'999'999'999);
    CHECK(message("1000000000000000000ns", Dimension::time).ends_with("is too large or too fine"));
    CHECK(message("999999999h", Dimension::time) == "\"999999999h\" is too large");
    CHECK(base("000000000000000000000012ms", Dimension::time) == 12'000'000);
}

TEST_CASE("no unit, no number, another dimension") {
    CHECK(message("200", Dimension::time) == "\"200\" has no unit");
    CHECK(hint("200", Dimension::time) == "a time: ns, us, ms, s, min, h");
    CHECK(message("fast", Dimension::time) == "\"fast\" is not a number");
    CHECK(message("", Dimension::time) == "\"\" is not a number");
    CHECK(message("-", Dimension::time) == "\"-\" is not a number");
    CHECK(message("1.ms", Dimension::time) == "\"1.ms\" is not a number");
    CHECK(message("5%", Dimension::time) == "\"5%\": the unit \"%\" does not fit");
    CHECK(message("1.5", Dimension::count) == "\"1.5\" is not a whole number");
}

TEST_CASE("units that people mix up name their readings") {
    CHECK(hint("64KB", Dimension::bytes) ==
          "bytes are written with B, KiB (1,024 B), MiB; 1,000 bytes are \"1000B\"");
    CHECK(hint("512kbps", Dimension::rate) ==
          "kilobits are kbit/s; kilobytes a second are 8 times as many kbit/s");
    CHECK(hint("1MB/s", Dimension::rate) ==
          "rates are in bits: 1 kilobyte a second is 8kbit/s, 1 megabyte a second 8Mbit/s");
    CHECK(hint("5Kb", Dimension::bytes) ==
          "bits or bytes? a rate is written in kbit/s or Mbit/s, a size in KiB or MiB");
}

TEST_CASE("a chance is the nearest 2^-32; both ends are exact") {
    const auto chance = [](std::string_view text) {
        return parse_quantity(text, {Dimension::share})->chance().threshold;
    };
    CHECK(chance("0%") == 0);
    CHECK(chance("100%") == 4'294'967'296);
    CHECK(chance("50%") == 2'147'483'648);
    CHECK(chance("2%") == 85'899'346);  // 85,899,345.92
    CHECK(chance("0.00000001%") == 0);  // 0.43 of a step
    CHECK(chance("0.00000002%") == 1);  // 0.86 of a step
    CHECK(chance("500000ppm") == 2'147'483'648);
}

TEST_CASE("exact texts read back to the same value") {
    CHECK(exact_time(Duration::millis(40)) == "40ms");
    CHECK(exact_time(Duration::seconds(3'600)) == "3600s");
    CHECK(exact_time(Duration::nanos(1'500)) == "1500ns");
    CHECK(exact_time(Duration::micros(-150)) == "-150us");
    CHECK(exact_bytes(65'536) == "64KiB");
    CHECK(exact_bytes(1'000) == "1000B");
    CHECK(exact_rate({330'000}) == "330kbit/s");
    CHECK(exact_packets(5'500) == "5.5 packets");
    CHECK(grouped(460'812) == "460,812");
    CHECK(grouped(999) == "999");
    for (const char* text : {"0%", "2%", "0.1%", "0.2%", "12.34567%", "100%", "0.0000001%"}) {
        const auto parsed = parse_quantity(text, {Dimension::share});
        REQUIRE(parsed.has_value());
        CHECK(exact_share(parsed->chance()) == text);
    }
}

TEST_CASE("the largest value is one that every unit can write") {
    const auto bits = [](std::string_view text) { return parse_quantity(text, {Dimension::rate}); };
    REQUIRE(bits("999999999999999999bit/s").has_value());
    REQUIRE(bits("999999999.999999999Gbit/s").has_value());
    CHECK(bits("999999999.999999999Gbit/s")->base == 999'999'999'999'999'999);
    // One more needs 19 digits in bit/s, so no unit takes it.
    CHECK(!bits("1000000000000000000bit/s").has_value());
    CHECK(!bits("1000000000Gbit/s").has_value());
    CHECK(!bits("1010101000110.0001Mbit/s").has_value());
    CHECK(!parse_quantity("999999999.5s", {Dimension::time})->negative);
    CHECK(!parse_quantity("1000000000s", {Dimension::time}).has_value());
}

}  // namespace wt::sim::quantity_test
