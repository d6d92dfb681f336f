// SPDX-License-Identifier: MIT
//
// The real program on bad and good input: exit codes, one clear error each, files that are written
// or left alone.
#include <signal.h>
#include <sys/stat.h>

#include "tests/cli/cli_bench.hpp"

// A sanitizer's own operator new does not count (simulator/cli/main/counted_heap.cpp).
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WT_SANITIZED 1
#endif
#endif

namespace wt::cli_test {

TEST_CASE("files that are no scenario: one clear error each") {
    const Bench bench;
    const std::string missing = bench.file("missing.toml");
    check_refused(bench.run({"run", missing}), missing + ": error: there is no such file");
    check_refused(bench.run({"run", bench.file(".")}),
                  bench.file(".") + ": error: this is a directory, not a file");
    const std::string empty = bench.write("empty.toml", "");
    check_refused(bench.run({"run", empty}),
                  empty +
                      ": error: the file is empty; a scenario needs at least [scenario] phases "
                      "and one [bots.NAME]");
    const std::string binary = bench.write("binary.toml", std::string("a = 1\n\0\xff\xfe", 9));
    check_refused(bench.run({"check", binary}),
                  binary + ": error: this is not a text file (byte 6 is no UTF-8 text)");
    const std::string huge = bench.write("huge.toml", std::string(1'048'577, '#'));
    check_refused(bench.run({"check", huge}),
                  huge + ": error: the file is larger than 1 MiB: this is no scenario");
    const std::string large = bench.write("large.toml", small + std::string(1'000'000, '#'));
    CHECK(bench.run({"check", large}).code == 0);
    const std::string fifo = bench.file("fifo");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    check_refused(bench.run({"check", fifo}), fifo + ": error: this is not a regular file");
}

TEST_CASE("values that cannot be") {
    const Bench bench;
    const auto first = [&](const std::string& text) {
        const Ran ran = bench.run({"run", bench.write("t.toml", text)});
        CHECK(ran.code == 2);
        CHECK(ran.out.empty());
        const std::size_t at = ran.error.find(": error: ");
        REQUIRE(at != std::string::npos);
        return ran.error.substr(at + 9, ran.error.find('\n', at) - at - 9);
    };
    const std::string head = "[scenario]\nduration = \"2s\"\n";
    CHECK(first(head + "[bots.runner]\ncount = 0\n") == "count = 0 is out of range");
    CHECK(first(head + "[bots.runner]\ncount = 1000000\n") == "count = 1000000 is out of range");
    CHECK(first(head + "[bots.runner]\ncont = 1\n") == "unknown key \"cont\" in [bots.runner]");
    CHECK(first(head + "[bots.runner]\n[links.default]\nrtt = \"5\"\n") == "\"5\" has no unit");
    CHECK(first(head + "[bots.runner]\n[links.default]\nrtt = \"99999999999999999999ms\"\n") ==
          "\"99999999999999999999ms\" is too large or too fine");
    CHECK(first("[scenario]\nduration = \"-2s\"\n[bots.runner]\n") ==
          "duration = \"-2s\" is out of range");
    CHECK(first("not toml at all").starts_with("this is not TOML"));
}

TEST_CASE("command lines that cannot be") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    check_refused(bench.run({}), "wavetank: error: A subcommand is required");
    check_refused(bench.run({"rum", file}),
                  "wavetank: error: unknown command \"rum\", did you mean run?");
    check_refused(bench.run({"run", file, "--seed", "-1"}),
                  "wavetank: error: --seed -1: a whole number from 0 to 2^63-1");
    check_refused(bench.run({"run", file, "--seed", "9223372036854775808"}),
                  "wavetank: error: --seed 9223372036854775808: a whole number from 0 to 2^63-1");
    check_refused(bench.run({"run", file, "--max-wall", "5"}),
                  "wavetank: error: --max-wall: \"5\" has no unit: a time: ns, us, ms, s, min, h");
    check_refused(bench.run({"run", file, "--set", "links.wired.rtt=5ms"}),
                  "--set:1:7: error: links has no \"wired\"");
    check_refused(bench.run({"explain", "peers.rt"}),
                  "wavetank: error: unknown metric \"peers.rt\"; did you mean \"peers.rtt\"?");
    check_refused(bench.run({"list", bench.file("nowhere")}),
                  "wavetank: error: " + bench.file("nowhere") + " is not a directory");
}

TEST_CASE("report paths are tried before anything runs") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const std::string nowhere = bench.file("no/such/dir.json");
    check_refused(bench.run({"run", file, "--json", nowhere}),
                  "wavetank: error: cannot write " + nowhere + "; nothing was run");
    check_refused(bench.run({"run", file, "--junit", bench.file(".")}),
                  "wavetank: error: cannot write " + bench.file(".") + "; nothing was run");
    // An unreadable second file: the first one must not run, and no report appears.
    const Ran ran =
        bench.run({"run", file, bench.file("missing.toml"), "--json", bench.file("new.json")});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(!std::filesystem::exists(bench.file("new.json")));
}

TEST_CASE("a run: exit codes, reports, byte-equal JSON") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const Ran first = bench.run(
        {"run", file, "--seed", "5", "--json", bench.file("a"), "--junit", bench.file("x")});
    CHECK(first.code == 0);
    CHECK(first.error.empty());
    CHECK(first.out.find("PASSED") != std::string::npos);
    CHECK(first.out.find('\x1b') == std::string::npos);
    CHECK(first.out.find('\r') == std::string::npos);
    CHECK(first.out.find("repeat   wavetank run " + file + " --seed 5\n") != std::string::npos);
    // Neither another process nor another number of workers is seen in a report.
    CHECK(bench
              .run({"run", file, "--seed", "5", "--json", bench.file("b"), "--quiet", "--workers",
                    "3"})
              .out.empty());
    const std::string a = read_all(bench.file("a"));
    const std::string b = read_all(bench.file("b"));
    const std::string marker = "\n  \"cost\": {";
    REQUIRE(a.find(marker) != std::string::npos);
    CHECK(a.substr(0, a.find(marker)) == b.substr(0, b.find(marker)));
    CHECK(read_all(bench.file("x")).find("<testsuite name=\"t 5\" tests=\"3\" failures=\"0\"") !=
          std::string::npos);

    const Ran failed =
        bench.run({"run", file, "--set", "gates.everyone_in=peers.active min < 1% in play"});
    CHECK(failed.code == 1);
    CHECK(failed.out.find("FAIL  everyone_in") != std::string::npos);
    const Ran cost = bench.run({"run", file, "--cost"});
    CHECK(cost.code == 1);
    CHECK(cost.out.find("FAIL  cpu") != std::string::npos);
}

TEST_CASE("allocations are counted, but for the first second of a phase") {
    const Bench bench;
    // A phase of a second has nothing left to count; bots that join in the next one allocate.
    const std::string file =
        bench.write("heap.toml",
                    "[scenario]\nphases = [\"empty 1s\", \"join 3s\"]\n[bots.runner]\ncount = 20\n"
                    "join_at = \"1s\"\njoin_over = \"3s\"\n[gates]\n"
                    "none = \"cost.allocations max >= 0 in empty\"\n"
                    "some = \"cost.allocations max >= 10 in join\"\n");
    const Ran ran = bench.run({"run", file, "--cost", "--all"});
    CHECK(ran.code == 1);
    CHECK(ran.out.find("no values in scope") != std::string::npos);
#ifndef WT_SANITIZED
    CHECK(ran.out.find("ok    some") != std::string::npos);
#endif
}

TEST_CASE("cost.floor is what a run took of what its cipher alone takes") {
    const Bench bench;
    // A start and two bots: many floors, and not 10,000 of them.
    const std::string file =
        bench.write("floor.toml", small + std::string("floor = \"cost.floor max < 10000x\"\n"
                                                      "nothing = \"cost.floor max <= 0x\"\n"));
    const Ran ran = bench.run({"run", file, "--cost", "--all"});
    CHECK(ran.code == 1);
    CHECK(ran.out.find("ok    floor") != std::string::npos);
    CHECK(ran.out.find("FAIL  nothing") != std::string::npos);
}

TEST_CASE("an exact fault that hits nothing is exit code 2, unless that is allowed") {
    const Bench bench;
    const std::string fault = "[[at]]\nname = \"miss\"\ntime = \"1s\"\ndo = \"drop\"\n";
    const std::string idle =
        bench.write("idle.toml", small + fault + "what = \"down chat #1..3\"\n");
    const Ran refused = bench.run({"run", idle});
    CHECK(refused.code == 2);
    CHECK(refused.out.find("IDLE     exact faults that hit nothing: miss") != std::string::npos);
    CHECK(refused.out.find("PASSED") == std::string::npos);
    const Ran allowed = bench.run({"run", idle, "--allow-idle-faults"});
    CHECK(allowed.code == 0);
    CHECK(allowed.out.find("idle     exact faults that hit nothing: miss") != std::string::npos);
    // Without numbers it asks for nothing in particular.
    const std::string open = bench.write("open.toml", small + fault + "what = \"down chat\"\n");
    CHECK(bench.run({"run", open}).code == 0);
}

TEST_CASE("verify: equal, and different where a record is altered") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const Ran equal = bench.run({"verify", file});
    CHECK(equal.code == 0);
    CHECK(equal.out.starts_with("equal   digest "));
    const Ran different = bench.run({"verify", file, "--alter", "runner-1:10:1"});
    CHECK(different.code == 1);
    CHECK(different.out.find("first differing block   second 0, host runner-1\n") !=
          std::string::npos);
    CHECK(different.out.find("first differing record  number 10 of the block\n") !=
          std::string::npos);
}

TEST_CASE("interrupted: the report of what ran, and 130") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const pid_t child = bench.start({"run", file, "--set", "scenario.phases=[\"play 20h\"]"});
    // The header is printed before the run: from then on the interrupt is caught.
    for (int i = 0; i < 2'000 && read_all(bench.file("out")).empty(); ++i)
        usleep(5'000);
    kill(child, SIGINT);
    const Ran ran = bench.wait(child);
    CHECK(ran.code == 130);
    CHECK(ran.out.find("INTERRUPTED at ") != std::string::npos);
    CHECK(ran.out.find("digest   ") != std::string::npos);
}

TEST_CASE("--max-wall stops a run, --fail-fast too") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const std::string day = "scenario.phases=[\"play 20h\"]";
    const Ran wall = bench.run({"run", file, "--set", day, "--max-wall", "100ms"});
    CHECK(wall.code == 1);
    CHECK(wall.out.find("STOPPED by --max-wall at ") != std::string::npos);
    const Ran fast = bench.run({"run", file, "--set", day, "--fail-fast", "--set",
                                "gates.everyone_in=peers.active max < 1%", "--max-wall", "60s"});
    CHECK(fast.code == 1);
    CHECK(fast.out.find("STOPPED by --fail-fast at ") != std::string::npos);
}

TEST_CASE("check, links, list, explain, version") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    CHECK(bench.run({"check", file}).out ==
          "ok   " + file + ": 2 phases, 2 s, 2 bots, 2 gates, 0 acts\n");
    const Ran printed = bench.run({"check", file, "--print", "--set", "bots.runner.count=3"});
    CHECK(printed.out.find("[bots.runner]\ncount = 3\n") != std::string::npos);
    CHECK(bench.run({"check", bench.write("again.toml", printed.out)}).code == 0);
    CHECK(bench.run({"links", "wifi-bad"}).out.find("[links.wifi-bad.up]\n") != std::string::npos);
    const Ran list = bench.run({"list", bench.file(".")});
    CHECK(list.code == 0);
    CHECK(list.out.find("t.toml") != std::string::npos);
    CHECK(bench.run({"explain", "peers.rtt"}).out.starts_with("peers.rtt   sample, ns\n"));
    CHECK(bench.run({"--version"}).out.starts_with("wavetank "));
}

}  // namespace wt::cli_test
