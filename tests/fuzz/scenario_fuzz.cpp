// SPDX-License-Identifier: MIT
//
// Scenario texts: a scenario or a list of problems, each with words and a place inside the text.
// Parents and recordings are not followed: the fuzzer has no business in the file system.
#include <algorithm>
#include <string>

#include "simulator/gates/gate.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wt;
    using namespace wt::sim;
    // A setting up to the first zero byte, then the text.
    const std::string_view whole = fuzz::FuzzBytes(data, size).text();
    const std::size_t cut = std::min(whole.find('\0'), whole.size());
    Settings settings;
    if (cut != whole.size() && cut != 0) settings.emplace_back(whole.substr(0, cut));
    const std::string_view text = cut == whole.size() ? whole : whole.substr(cut + 1);
    for (const char* const word : {"extends", "trace"})
        if (whole.find(word) != std::string_view::npos) return 0;

    PartialScenario read = read_text_partly(text, "fuzz.toml", settings);
    const std::size_t read_problems = read.problems.size();
    const std::vector<Gate> gates = compile_gates(read.scenario, read.problems);
    WT_CHECK(gates.size() + read.problems.size() - read_problems <= read.scenario.gates.size());
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Problem& problem : read.problems) {
        WT_CHECK(!problem.message.empty());
        if (problem.place.file == "fuzz.toml") WT_CHECK(problem.place.line <= lines);
    }
    static_cast<void>(format_problems(read.problems));
    return 0;
}
