// SPDX-License-Identifier: MIT
//
// tests/rules/rules.txt as data: one rule, the test that must fail without it, and who else may
// notice. The format stands in this folder's README.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wt::rules {

struct Rule {
    std::string mutant;      // The name in mutated<"...">.
    std::string source;      // Where the rule stands: "000, acknowledgements".
    std::string says;        // The rule in one sentence.
    std::string executable;  // Below bin/.
    std::string test;        // A doctest case of it.
    // Executables of other rooms that notice the mutant too, and may.
    std::vector<std::string> also;
    int line = 0;  // Of the name.
};

struct Table {
    std::vector<Rule> rules;
    // "rules.txt:LINE: what is wrong" of the first line that could not be read.
    std::optional<std::string> error;
};

[[nodiscard]] Table read_table(const std::string& path);

}  // namespace wt::rules
