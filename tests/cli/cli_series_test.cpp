// SPDX-License-Identifier: MIT
//
// --csv, --html and init, through the real program.
#include <algorithm>
#include <map>
#include <set>

#include "tests/cli/cli_bench.hpp"

namespace wt::cli_test {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// Every tag is closed by its own name, in order; void tags close themselves.
void check_nesting(const std::string& html) {
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t end = html.find('>', at);
        REQUIRE(end != std::string::npos);
        std::string tag = html.substr(at + 1, end - at - 1);
        if (tag.starts_with("!DOCTYPE")) continue;
        if (tag.ends_with("/")) continue;
        if (tag.starts_with("/")) {
            REQUIRE(!open.empty());
            REQUIRE(open.back() == tag.substr(1));
            open.pop_back();
            continue;
        }
        open.push_back(tag.substr(0, tag.find(' ')));
    }
    CHECK(open.empty());
}

}  // namespace

TEST_CASE("--csv: rows in order of time, of every player, equal in another process") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    REQUIRE(bench.run({"run", file, "--quiet", "--csv", bench.file("a")}).code == 0);
    REQUIRE(bench
                .run({"run", file, "--quiet", "--csv", bench.file("b"), "--workers", "2", "--trace",
                      bench.file("w")})
                .code == 0);
    const std::string text = read_all(bench.file("a"));
    CHECK(text == read_all(bench.file("b")));
    const std::vector<std::string> lines = lines_of(text);
    REQUIRE(lines.size() > 100);
    CHECK(lines[0] == "time_ns,peer,metric,value");
    std::int64_t last = 0;
    std::map<std::string, std::set<std::string>> metrics_of;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        REQUIRE(std::count(lines[i].begin(), lines[i].end(), ',') == 3);
        std::istringstream row(lines[i]);
        std::string time;
        std::string peer;
        std::string metric;
        std::getline(row, time, ',');
        std::getline(row, peer, ',');
        std::getline(row, metric, ',');
        const std::int64_t at = std::stoll(time);
        REQUIRE(at >= last);
        REQUIRE(at % 100'000'000 == 0);
        REQUIRE(at < 2'000'000'000);
        last = at;
        metrics_of[peer].insert(metric);
    }
    CHECK(metrics_of.count("runner-0") == 1);
    for (const char* const metric : {"rtt_us", "bytes_up_B", "datagrams_down", "active"})
        CHECK(metrics_of["runner-1"].count(metric) == 1);
}

TEST_CASE("--html: one file that needs nothing else, with everything a failed run has to say") {
    const Bench bench;
    const std::string file =
        bench.write("t.toml", std::string(small) +
                                  "odd = \"peers.active min < 1% in play\"\n[[at]]\n"
                                  "name = \"<cut>\"\ntime = \"1500ms\"\nfor = \"100ms\"\n"
                                  "do = \"partition\"\n");
    REQUIRE(bench.run({"run", file, "--html", bench.file("r.html")}).code == 1);
    const std::string html = read_all(bench.file("r.html"));
    check_nesting(html);
    for (const char* const outside : {"http", "src=", "href=", "<script", "url(", "@import"}) {
        CAPTURE(outside);
        CHECK(html.find(outside) == std::string::npos);
    }
    CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
    CHECK(html.find("<p class=\"fail\">failed</p>") != std::string::npos);
    CHECK(html.find("<td>odd</td>") != std::string::npos);
    CHECK(html.find("&lt;cut&gt;") != std::string::npos);
    CHECK(html.find("<cut>") == std::string::npos);
    CHECK(html.find("<title>round trip</title>") != std::string::npos);
    CHECK(html.find("class=\"largest\"") != std::string::npos);
    CHECK(html.find("wavetank run " + file + " --seed 1") != std::string::npos);
}

TEST_CASE("init: a scenario that passes, and never over another file") {
    const Bench bench;
    const std::string file = bench.file("new.toml");
    const Ran ran = bench.run({"init", file});
    CHECK(ran.code == 0);
    CHECK(ran.out == "wrote " + file + "\nnow   wavetank run " + file + "\n");
    const Ran run = bench.run({"run", file});
    CHECK(run.code == 0);
    CHECK(run.out.find("5 passed, 0 failed") != std::string::npos);
    check_refused(bench.run({"init", file}),
                  "wavetank: error: " + file + " is there already; nothing was written");
    check_refused(bench.run({"init", bench.file("no/such.toml")}),
                  "wavetank: error: cannot write " + bench.file("no/such.toml"));
    // What stands in it as a comment is right too.
    std::string text = read_all(file);
    for (const char* const line : {"# [vary]", "# \"links", "# [variants", "# \"bots"}) {
        const std::size_t at = text.find(line);
        REQUIRE(at != std::string::npos);
        text.erase(at, 2);
    }
    CHECK(bench.run({"check", bench.write("all.toml", text)}).code == 0);
}

TEST_CASE("--csv and --html take one run") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    check_refused(bench.run({"run", file, file, "--html", bench.file("h")}),
                  "wavetank: error: --html takes one scenario at a time");
    check_refused(bench.run({"run", file, "--repeat", "2", "--csv", bench.file("c")}),
                  "wavetank: error: --csv takes one run: --seed N instead of --repeat");
    check_refused(bench.run({"run", file, "--csv", bench.file("h"), "--html", bench.file("h")}),
                  "wavetank: error: --csv and --html name the same file");
}

}  // namespace wt::cli_test
