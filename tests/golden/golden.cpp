// SPDX-License-Identifier: MIT
//
// Runs the scenarios of digests.txt, compares and looks at their gates: golden TREE [--long]
// [--print]. With --print it runs every scenario of the tree and writes the new table. Soaks and
// crowds run with --long only; otherwise their lines are kept as they are. The null cipher is used,
// whose digest is the same; tests/sim checks that.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/gates/gate.hpp"
#include "simulator/report/format.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {
namespace {

#ifdef WT_LONG_RUNS
constexpr bool runs_large_ones = true;
#else
constexpr bool runs_large_ones = false;
#endif
// Bots times seconds beyond which a build that is not optimised leaves a scenario out.
constexpr std::int64_t bot_seconds_max = 1'000;
// And beyond which only --long runs it: a minute of 128 bots is a gate, a day of 16 is a soak.
constexpr std::int64_t bot_seconds_long = 20'000;

std::int64_t bot_seconds(const Scenario& scenario) {
    return (scenario.end() - Instant{}).ns / 1'000'000'000 * scenario.bot_count();
}

struct Wishes {
    std::string tree{};
    bool is_long = false;
    bool prints = false;
};

struct Line {
    std::string path{};
    std::uint64_t seed = 0;
    std::string digest{};
};

std::string digest_text(const DigestValue& digest) {
    return format_hex(digest.high, 16) + format_hex(digest.low, 16);
}

// False where the file has problems, which are printed.
bool read(const std::string& tree, const std::string& path, const Choice& choice, Scenario& out) {
    const PartialScenario partial =
        read_partly(tree + "/" + path, {"transport.cipher=null"}, choice);
    for (const Problem& problem : partial.problems) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.message.c_str());
    }
    out = partial.scenario;
    return partial.problems.empty();
}

RunResult run(const Scenario& scenario, std::uint64_t seed) {
    std::vector<Problem> problems;
    const std::vector<Gate> gates = compile_gates(scenario, problems);
    RunOptions options;
    options.seed = seed;
    options.measure_cost = false;
    return run_scenario(scenario, gates, options);
}

// Lines of the table as it is; false where one is none.
bool read_table(const std::string& tree, std::vector<Line>& out) {
    std::ifstream file(tree + "/tests/golden/digests.txt");
    std::string text;
    while (std::getline(file, text)) {
        if (text.empty() || text[0] == '#') continue;
        std::istringstream words(text);
        Line line;
        if (!(words >> line.path >> line.seed >> line.digest)) {
            std::printf("not a line of the table: %s\n", text.c_str());
            return false;
        }
        out.push_back(line);
    }
    return true;
}

int print_table(const Wishes& wishes) {
    std::vector<Line> old;
    if (!read_table(wishes.tree, old)) return 2;
    std::vector<std::string> paths;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(wishes.tree + "/scenarios")) {
        if (entry.path().extension() != ".toml") continue;
        paths.push_back(std::filesystem::relative(entry.path(), wishes.tree).generic_string());
    }
    std::sort(paths.begin(), paths.end());
    std::printf(
        "# path seed digest: what each scenario comes to on every compiler, with either cipher.\n"
        "# A line changes only with the reason in the commit's message; `golden . --print` writes "
        "the table.\n");
    for (const std::string& path : paths) {
        Scenario scenario;
        if (!read(wishes.tree, path, {}, scenario)) return 2;
        std::string digest = "unknown";
        if (wishes.is_long || bot_seconds(scenario) <= bot_seconds_long) {
            digest = digest_text(run(scenario, scenario.seed).digest);
        } else {
            for (const Line& line : old) {
                if (line.path == path) digest = line.digest;
            }
        }
        std::printf("%s %llu %s\n", path.c_str(), static_cast<unsigned long long>(scenario.seed),
                    digest.c_str());
        std::fflush(stdout);
    }
    return 0;
}

bool check(const Wishes& wishes, const Line& line) {
    Scenario scenario;
    if (!read(wishes.tree, line.path, {.variant = {}, .seed = line.seed}, scenario)) return false;
    const std::int64_t size = bot_seconds(scenario);
    const std::int64_t most = wishes.is_long    ? INT64_MAX
                              : runs_large_ones ? bot_seconds_long
                                                : bot_seconds_max;
    if (size > most) {
        std::printf("left out  %s\n", line.path.c_str());
        return true;
    }
    const RunResult result = run(scenario, line.seed);
    const std::string digest = digest_text(result.digest);
    bool passed = result.exit_code() == 0;
    for (const GateResult& gate : result.gates) {
        if (gate.holds) continue;
        passed = false;
        std::printf("GATE      %s: %s\n", line.path.c_str(), gate.gate.name.c_str());
    }
    if (digest == line.digest) {
        std::printf("%s %s\n", passed ? "ok       " : "FAILED   ", line.path.c_str());
        return passed;
    }
    std::printf(
        "DIFFERS   %s seed %llu\n          table %s\n          now   %s\n          "
        "repeat  wavetank run %s --seed %llu\n",
        line.path.c_str(), static_cast<unsigned long long>(line.seed), line.digest.c_str(),
        digest.c_str(), line.path.c_str(), static_cast<unsigned long long>(line.seed));
    return false;
}

int check_table(const Wishes& wishes) {
    std::vector<Line> lines;
    if (!read_table(wishes.tree, lines)) return 2;
    std::size_t wrong = 0;
    for (const Line& line : lines) {
        if (!check(wishes, line)) ++wrong;
    }
    std::printf("%zu of %zu are not as they should be\n", wrong, lines.size());
    return !lines.empty() && wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wt::sim

int main(int count, char** words) {
    wt::sim::Wishes wishes;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--print") {
            wishes.prints = true;
        } else if (word == "--long") {
            wishes.is_long = true;
        } else {
            wishes.tree = word;
        }
    }
    if (wishes.tree.empty()) {
        std::fprintf(stderr, "golden TREE [--long] [--print]\n");
        return 2;
    }
    return wishes.prints ? wt::sim::print_table(wishes) : wt::sim::check_table(wishes);
}
