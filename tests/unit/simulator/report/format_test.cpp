// SPDX-License-Identifier: MIT
//
// Numbers as people read them, at the edges of units and of rounding.
#include "simulator/report/format.hpp"

#include <doctest/doctest.h>

#include "simulator/report/json_writer.hpp"

using namespace wt;
using namespace wt::sim;

TEST_CASE("times: three digits, the unit changes where rounding says so") {
    CHECK(format_time(0) == "0 ns");
    CHECK(format_time(999) == "999 ns");
    CHECK(format_time(1'000) == "1 us");
    CHECK(format_time(150'000) == "150 us");
    CHECK(format_time(999'499) == "999 us");
    CHECK(format_time(999'500) == "1 ms");
    CHECK(format_time(1'612'000) == "1.61 ms");
    CHECK(format_time(1'615'000) == "1.62 ms");
    CHECK(format_time(118'000'000) == "118 ms");
    CHECK(format_time(999'500'000) == "1 s");
    CHECK(format_time(1'840'000'000) == "1.84 s");
    CHECK(format_time(60'000'000'000) == "60 s");
    CHECK(format_time(-3'000'000) == "-3 ms");
}

TEST_CASE("shares: below 100 % never shows as 100 %") {
    CHECK(format_value(Dimension::share, 1'000'000'000) == "100 %");
    CHECK(format_value(Dimension::share, 999'999'999) == "99.9999 %");
    CHECK(format_value(Dimension::share, 938'000'000) == "93.8 %");
    CHECK(format_value(Dimension::share, 20'000'000) == "2 %");
    CHECK(format_value(Dimension::share, 1'100'000) == "0.11 %");
    CHECK(format_value(Dimension::share, 0) == "0 %");
}

TEST_CASE("the other dimensions") {
    CHECK(format_value(Dimension::bytes, 996) == "996 B");
    CHECK(format_value(Dimension::bytes, 9'999) == "9,999 B");
    CHECK(format_value(Dimension::bytes, 65'536) == "64 KiB");
    CHECK(format_value(Dimension::bytes, 4'194'304) == "4 MiB");
    CHECK(format_value(Dimension::rate, 203'400) == "203 kbit/s");
    CHECK(format_value(Dimension::rate, 1'500'000) == "1.5 Mbit/s");
    CHECK(format_value(Dimension::frequency, 216) == "3.6 /min");
    CHECK(format_value(Dimension::frequency, 216'000) == "60 /s");
    CHECK(format_value(Dimension::packets, 1'000) == "1 packet");
    CHECK(format_value(Dimension::packets, 5'500) == "5.5 packets");
    CHECK(format_value(Dimension::ratio, 1'500'000'000) == "1.5 x");
    CHECK(format_value(Dimension::count, 460'812) == "460,812");
    CHECK(format_quotient(314, 10) == "31.4");
    CHECK(format_quotient(1, 0) == "-");
}

TEST_CASE("a failed value that would look like its bound shows every digit") {
    GateResult result;
    result.gate.dimension = Dimension::time;
    result.gate.watch.metric = MetricId::peers_rtt;
    result.gate.watch.bound = {.compare = Compare::less_equal, .value = 150'000'000};
    result.value = 150'000'001;
    result.values = 1;
    result.verdict = Verdict::fail;
    CHECK(format_gate_value(result) == "150.000001 ms");
    result.value = 151'000'000;
    CHECK(format_gate_value(result) == "151 ms");
    CHECK(format_bound(result.gate) == "<= 150 ms");
}

TEST_CASE("digests, padding, shell words") {
    CHECK(format_digest({0x3b1f'09c2'77aa'4e10, 0x52d0'8c3e'91bf'6a07}) ==
          "3b1f 09c2 77aa 4e10 52d0 8c3e 91bf 6a07");
    CHECK(pad_left("ab", 4) == "  ab");
    CHECK(pad_right("abcde", 4) == "abcde");
    CHECK(shell_word("links.default.rtt=5ms") == "links.default.rtt=5ms");
    CHECK(shell_word("a b'c") == "'a b'\\''c'");
    CHECK(shell_word("") == "''");
}

TEST_CASE("JSON: escapes, nesting, extreme integers") {
    JsonWriter json;
    json.begin_object();
    json.member("a\"b", "x\\y\n\x01");
    json.array("list");
    json.value(std::int64_t{INT64_MIN});
    json.value(std::uint64_t{UINT64_MAX});
    json.value(true);
    json.end_array();
    json.object("empty");
    json.end_object();
    json.end_object();
    CHECK(json.take() ==
          "{\n  \"a\\\"b\": \"x\\\\y\\n\\u0001\",\n  \"list\": [\n    -9223372036854775808,\n"
          "    18446744073709551615,\n    true\n  ],\n  \"empty\": {}\n}\n");
}
