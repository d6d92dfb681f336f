// SPDX-License-Identifier: MIT
//
// Runs the scenarios of digests.txt, compares and looks at their gates: golden TREE [--print]. With
// --print it runs every scenario of the tree and writes the new table. The null cipher is used,
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

bool is_large(const Scenario& scenario) {
    const std::int64_t seconds = (scenario.end() - Instant{}).ns / 1'000'000'000;
    return seconds * scenario.bot_count() > bot_seconds_max;
}

struct Line {
    std::string path{};
    std::uint64_t seed = 0;
    std::string digest{};
};

std::string digest_text(const DigestValue& digest) {
    return format_hex(digest.high, 16) + format_hex(digest.low, 16);
}

// False where the file has problems, which are printed.
bool read(const std::string& tree, const std::string& path, Scenario& out) {
    const PartialScenario partial = read_partly(tree + "/" + path, {"transport.cipher=null"});
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

int print_table(const std::string& tree) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree + "/scenarios")) {
        if (entry.path().extension() != ".toml") continue;
        paths.push_back(std::filesystem::relative(entry.path(), tree).generic_string());
    }
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        Scenario scenario;
        if (!read(tree, path, scenario)) return 2;
        std::printf("%s %llu %s\n", path.c_str(), static_cast<unsigned long long>(scenario.seed),
                    digest_text(run(scenario, scenario.seed).digest).c_str());
        std::fflush(stdout);
    }
    return 0;
}

bool check(const std::string& tree, const Line& line) {
    Scenario scenario;
    if (!read(tree, line.path, scenario)) return false;
    if (!runs_large_ones && is_large(scenario)) {
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

int check_table(const std::string& tree) {
    std::ifstream file(tree + "/tests/golden/digests.txt");
    std::string text;
    int lines = 0;
    int wrong = 0;
    while (std::getline(file, text)) {
        if (text.empty() || text[0] == '#') continue;
        std::istringstream words(text);
        Line line;
        if (!(words >> line.path >> line.seed >> line.digest)) {
            std::printf("not a line of the table: %s\n", text.c_str());
            return 2;
        }
        ++lines;
        if (!check(tree, line)) ++wrong;
    }
    std::printf("%d of %d are not as they should be\n", wrong, lines);
    return lines != 0 && wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wt::sim

int main(int count, char** words) {
    if (count < 2) {
        std::fprintf(stderr, "golden TREE [--print]\n");
        return 2;
    }
    const bool prints = count > 2 && std::string(words[2]) == "--print";
    return prints ? wt::sim::print_table(words[1]) : wt::sim::check_table(words[1]);
}
