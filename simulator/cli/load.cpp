// SPDX-License-Identifier: MIT
//
// Scenario files of a command line. All of them are read before anything runs: the third of three
// files must not fail after the first two have taken an hour.
#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

namespace {

struct Read {
    Loaded loaded{};
    std::vector<Problem> problems{};
};

Read read_whole(const std::string& file, const Settings& settings, const Choice& choice) {
    PartialScenario partial = read_partly(file, settings, choice);
    Read read;
    // Without phases no gate can be right: those errors would only bury the real one.
    if (!partial.scenario.phases.empty())
        read.loaded.gates = compile_gates(partial.scenario, partial.problems);
    read.loaded.file = file;
    read.loaded.scenario = std::move(partial.scenario);
    read.problems = std::move(partial.problems);
    return read;
}

// A seed must not be the first to find out that one end of a range cannot be: each end of each
// path of [vary] is read once, the other paths as they were drawn.
std::vector<Problem> problems_of_ends(const Loaded& loaded, const Settings& settings,
                                      const Choice& choice) {
    std::vector<Problem> problems;
    for (const Drawn& drawn : loaded.scenario.drawn) {
        for (const std::string& end : drawn.extremes) {
            if (problems.size() >= problems_shown_max) return problems;
            Settings more = settings;
            more.push_back(drawn.path + "=" + end);
            std::vector<Problem> found = read_whole(loaded.file, more, choice).problems;
            if (found.empty()) continue;
            Problem& problem = problems.emplace_back(std::move(found.front()));
            if (problem.place.file == "--set" && problem.place.line == more.size()) {
                problem.place = drawn.place;
                problem.source_line = drawn.source_line;
            }
            problem.notes.push_back("[vary] may draw " + drawn.path + " = " + end);
        }
    }
    return problems;
}

std::optional<Loaded> load(const Options& options, const std::string& file, const Choice& choice,
                           bool looks_at_ends) {
    Read read = read_whole(file, options.settings, choice);
    if (read.problems.empty() && looks_at_ends)
        read.problems = problems_of_ends(read.loaded, options.settings, choice);
    if (!read.problems.empty()) {
        for (Problem& problem : read.problems) {
            if (!choice.variant.empty()) problem.notes.push_back("in variant " + choice.variant);
        }
        print_error(format_problems(read.problems));
        return std::nullopt;
    }
    return std::move(read.loaded);
}

}  // namespace

std::optional<std::vector<Loaded>> load_all(const Options& options) {
    std::vector<Loaded> all;
    bool good = true;
    for (const std::string& file : options.files) {
        std::optional<Loaded> loaded =
            load(options, file, {.variant = options.variant, .seed = options.seed}, true);
        good = good && loaded.has_value();
        if (!loaded) continue;
        for (const Problem& warning : loaded->scenario.warnings)
            print_error(format_problem(warning, "warning"));
        all.push_back(std::move(*loaded));
    }
    if (!good) return std::nullopt;
    return all;
}

std::optional<Loaded> load_seed(const Options& options, const std::string& file,
                                std::uint64_t seed) {
    return load(options, file, {.variant = options.variant, .seed = seed}, false);
}

}  // namespace wt::sim
