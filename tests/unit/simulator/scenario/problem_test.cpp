// SPDX-License-Identifier: MIT
//
// Texts of errors, letter by letter: they are an interface that people read every day.
#include "simulator/scenario/problem.hpp"

#include <doctest/doctest.h>

#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim::problem_test {

namespace {

std::string errors_of(std::string_view text, const Settings& settings = {}) {
    const auto read = read_scenario_text(text, "office.toml", settings);
    return read.has_value() ? "" : format_problems(read.error());
}

}  // namespace

TEST_CASE("the layout of several errors of one file") {
    const std::string text = errors_of(R"([scenario]
phases = ["join 5s", "calm 15s"]

[links.default]
rtt        = "200"
loss = "50%"
burst = "1 packets"

[bots.runner]
cuont = 16
)");
    CHECK(text == R"(office.toml:5:14: error: "200" has no unit
    5 | rtt        = "200"
      |              ^^^^^ a time: ns, us, ms, s, min, h
   write e.g. rtt = "200ms"   (one_way_delay for a single direction)

office.toml:7:9: error: loss 50 % with a mean burst of 1 packet is impossible
    7 | burst = "1 packets"
      |         ^^^^^^^^^^^ at 50 % loss the mean burst is at least 2 packets

office.toml:10:1: error: unknown key "cuont" in [bots.runner]
   10 | cuont = 16
      | ^^^^^ did you mean "count"?
   [bots.NAME] knows: behaviour, clients, clock, count, frame_rate, join_at, join_over, link, )"
                  R"(receive_buffer, reconnect, script, stall

3 errors, nothing was run. Reference: scenarios/README.md#links
)");
}

TEST_CASE("an error in a setting shows the setting") {
    const std::string text =
        errors_of("[scenario]\nduration = \"5s\"\n[bots.runner]\n", {"links.default.rtt=20"});
    CHECK(text == R"(--set:1:19: error: 20 has no unit
    1 | links.default.rtt=20
      |                   ^^ a time: ns, us, ms, s, min, h
   write e.g. rtt = "20ms"   (one_way_delay for a single direction)

1 error, nothing was run. Reference: scenarios/README.md#links
)");
}

TEST_CASE("at most twenty errors are shown, all are counted") {
    std::string text = "[scenario]\nduration = \"5s\"\n[bots.runner]\n";
    for (int i = 0; i < 25; ++i)
        text += "zzzzzzzz" + std::to_string(i) + " = 1\n";
    const std::string shown = errors_of(text);
    std::size_t errors = 0;
    for (std::size_t at = shown.find(": error: "); at != std::string::npos;
         at = shown.find(": error: ", at + 1)) {
        ++errors;
    }
    CHECK(errors == 20);
    CHECK(shown.find("... and 5 more\n25 errors, nothing was run.") != std::string::npos);
}

TEST_CASE("long lines are cut around the place, control characters are replaced") {
    Problem problem;
    problem.place = {"f\x01.toml", 3, 150, 4};
    problem.source_line = std::string(149, 'a') + "\x1b[1m" + std::string(100, 'b');
    problem.message = "m";
    const std::string text = format_problem(problem, "error");
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x01') == std::string::npos);
    std::size_t longest = 0;
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', start)) {
        longest = std::max(longest, end - start);
        start = end + 1;
    }
    CHECK(longest <= 100);
    CHECK(text.find("?[1m") != std::string::npos);
}

TEST_CASE("the nearest name: a near one, a far one, an overlong one") {
    const std::vector<std::string> names{"count", "link", "behaviour"};
    CHECK(nearest_name("cuont", names) == "count");
    CHECK(nearest_name("lnk", names) == "link");
    CHECK(nearest_name("zebra", names) == "");
    CHECK(nearest_name("c", names) == "");
    CHECK(nearest_name(std::string(1'000'000, 'c'), names) == "");
}

}  // namespace wt::sim::problem_test
