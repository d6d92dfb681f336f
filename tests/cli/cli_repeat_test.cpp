// SPDX-License-Identifier: MIT
//
// Many seeds and many scenarios from one file, through the real program.
#include <signal.h>

#include "tests/cli/cli_bench.hpp"

namespace wt::cli_test {

namespace {

const std::string many = std::string(small) +
                         "[links.default]\nrtt = \"20ms\"\n"
                         "[vary]\n\"links.default.rtt\" = \"10ms..90ms\"\n"
                         "[variants.two]\n\"bots.runner.count\" = 1\n";

std::size_t count_of(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("--repeat: a summary, each seed in the reports, equal in another process") {
    const Bench bench;
    const std::string file = bench.write("t.toml", many);
    const Ran first = bench.run({"run", file, "--seed", "5", "--repeat", "3", "--json",
                                 bench.file("a"), "--junit", bench.file("x")});
    CHECK(first.code == 0);
    CHECK(first.error.empty());
    CHECK(first.out.starts_with("t   seeds 5..7 "));
    CHECK(first.out.find("\neveryone_in                 0       100 %") != std::string::npos);
    CHECK(first.out.find("PASSED   3 seeds") != std::string::npos);
    CHECK(count_of(read_all(bench.file("x")), "<testsuite ") == 3);
    CHECK(bench
              .run({"run", file, "--seed", "5", "--repeat", "3", "--json", bench.file("b"),
                    "--quiet", "--workers", "2"})
              .out.empty());
    const std::string a = read_all(bench.file("a"));
    const std::string b = read_all(bench.file("b"));
    const std::string marker = "\n  \"cost\": {";
    REQUIRE(a.find(marker) != std::string::npos);
    CHECK(a.substr(0, a.find(marker)) == b.substr(0, b.find(marker)));
    CHECK(count_of(a, "\"links.default.rtt\": \"") == 3);
    // Seed 6 alone is what seed 6 was among them.
    CHECK(bench.run({"run", file, "--seed", "6", "--json", bench.file("c")}).code == 0);
    const std::string alone = read_all(bench.file("c"));
    const std::size_t value = alone.find("\"value\": \"", alone.find("\"digest\": {"));
    REQUIRE(value != std::string::npos);
    CHECK(a.find("\"digest\": \"" + alone.substr(value + 10, 32)) != std::string::npos);
}

TEST_CASE("--repeat: a gate that fails in one seed names it and its command") {
    const Bench bench;
    const std::string rtt = bench.write("r.toml", many);
    // Nothing can be faster than no time at all.
    const Ran ran = bench.run(
        {"run", rtt, "--repeat", "2", "--set", "gates.everyone_in=peers.srtt max < 1ns in play"});
    CHECK(ran.code == 1);
    CHECK(ran.out.find("WORST   everyone_in, seed ") != std::string::npos);
    CHECK(ran.out.find("repeat  wavetank run " + rtt + " --seed ") != std::string::npos);
    CHECK(ran.out.find("FAILED   2 of 2 seeds") != std::string::npos);
}

TEST_CASE("--repeat: Ctrl-C reports the seeds that were finished") {
    const Bench bench;
    const std::string file = bench.write("t.toml", many);
    const pid_t child = bench.start({"run", file, "--repeat", "100000", "--json", bench.file("a")});
    usleep(1'500'000);
    REQUIRE(kill(child, SIGINT) == 0);
    const Ran ran = bench.wait(child);
    CHECK(ran.code == 130);
    CHECK(ran.out.find("INTERRUPTED after ") != std::string::npos);
    CHECK(ran.out.find(" of 100,000 seeds") != std::string::npos);
    CHECK(read_all(bench.file("a")).find("\"verdict\": \"interrupted\"") != std::string::npos);
}

TEST_CASE("variants, and what the seed drew") {
    const Bench bench;
    const std::string file = bench.write("t.toml", many);
    const Ran two = bench.run({"run", file, "--variant", "two"});
    CHECK(two.code == 0);
    CHECK(two.out.starts_with("t two   seed 1 "));
    CHECK(two.out.find("   1 bot   ") != std::string::npos);
    CHECK(two.out.find("  drawn     links.default.rtt = ") != std::string::npos);
    CHECK(two.out.find(" --seed 1 --variant two\n") != std::string::npos);
    const Ran fixed = bench.run({"run", file, "--set", "links.default.rtt=30ms"});
    CHECK(fixed.out.find("drawn") == std::string::npos);
    check_refused(bench.run({"run", file, "--variant", "tow"}),
                  "--variant:1:1: error: no variant \"tow\" in " + file);
    const Ran checked = bench.run({"check", file});
    CHECK(checked.code == 0);
    CHECK(checked.out.find(", 1 variant, 1 varied\n") != std::string::npos);
}

TEST_CASE("an end of a range that cannot be is found whatever the seed draws") {
    const Bench bench;
    const std::string vary = std::string(small) + "[vary]\n\"bots.runner.count\" = ";
    // any 2 of 1 bot: only the lower end is wrong.
    const std::string act =
        "[[at]]\ntime = \"1s\"\nfor = \"100ms\"\ndo = \"pause\"\n"
        "who = \"any 2 of runner\"\n";
    for (const char* const seed : {"1", "2", "3"}) {
        const std::string file = bench.write("t.toml", vary + "\"1..9\"\n" + act);
        const Ran ran = bench.run({"check", file, "--set", std::string("scenario.seed=") + seed});
        CHECK(ran.code == 2);
        CHECK(ran.error.find("any 2 of 1 bots") != std::string::npos);
    }
    CHECK(bench.run({"check", bench.write("t.toml", vary + "\"2..9\"\n" + act)}).code == 0);
    const std::string high = bench.write("t.toml", vary + "[2, 0]\n");
    const Ran zero = bench.run({"check", high, "--set", "scenario.seed=1"});
    CHECK(zero.code == 2);
    CHECK(zero.error.find("count = 0 is out of range") != std::string::npos);
    const std::string broken =
        bench.write("t.toml", std::string(small) + "[variants.x]\n\"bots.runner.cuont\" = 3\n");
    const Ran variant = bench.run({"check", broken});
    CHECK(variant.code == 2);
    CHECK(variant.error.find("unknown key \"cuont\"") != std::string::npos);
    CHECK(variant.error.find("in variant x") != std::string::npos);
}

TEST_CASE("numbers of seeds that cannot be") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    check_refused(bench.run({"run", file, "--repeat", "0"}),
                  "wavetank: error: --repeat 0: a whole number from 1 to 100,000");
    check_refused(bench.run({"run", file, "--repeat", "100001"}),
                  "wavetank: error: --repeat 100001: a whole number from 1 to 100,000");
    check_refused(bench.run({"run", file, "--repeat", "2", "--seed", "9223372036854775807"}),
                  "wavetank: error: --repeat 2: the last seed would be above 2^63-1");
    check_refused(bench.run({"run", file, "--repeat", "2", "--trace", bench.file("w")}),
                  "wavetank: error: --trace takes one run: --seed N instead of --repeat");
}

}  // namespace wt::cli_test
