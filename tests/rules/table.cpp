// SPDX-License-Identifier: MIT
#include "tests/rules/table.hpp"

#include <fstream>
#include <set>

namespace wt::rules {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// "source: says" of a rule; false where there is no colon.
bool read_says(const std::string& line, Rule& rule) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return false;
    rule.source = line.substr(0, colon);
    rule.says = trimmed(line.substr(colon + 2));
    return !rule.says.empty();
}

// `executable "test case"`.
bool read_test(const std::string& line, Rule& rule) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || line.back() != '"') return false;
    if (line.size() < space + 4 || line[space + 1] != '"') return false;
    rule.executable = line.substr(0, space);
    rule.test = line.substr(space + 2, line.size() - space - 3);
    return true;
}

// "also executable: why".
bool read_also(const std::string& line, Rule& rule) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return false;
    rule.also.push_back(line.substr(5, colon - 5));
    return true;
}

bool read_detail(const std::string& line, Rule& rule) {
    if (rule.says.empty()) return read_says(line, rule);
    if (rule.executable.empty()) return read_test(line, rule);
    return line.compare(0, 5, "also ") == 0 && read_also(line, rule);
}

}  // namespace

Table read_table(const std::string& path) {
    Table table;
    std::ifstream file(path);
    const auto fail = [&](int line, const std::string& what) {
        table.error = path + ":" + std::to_string(line) + ": " + what;
        return table;
    };
    if (!file) return fail(0, "cannot be opened");
    std::set<std::string> names;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        if (line[0] != ' ') {
            if (!table.rules.empty() && table.rules.back().executable.empty()) {
                return fail(number, "the rule before this one has no test");
            }
            if (!names.insert(line).second) return fail(number, "a second rule of this name");
            Rule rule;
            rule.mutant = line;
            rule.line = number;
            table.rules.push_back(rule);
        } else if (table.rules.empty() || !read_detail(trimmed(line), table.rules.back())) {
            return fail(number, "not `source: rule`, `executable \"test\"` or `also NAME: why`");
        }
    }
    if (table.rules.empty() || table.rules.back().executable.empty()) {
        return fail(0, "ends within a rule, or has none");
    }
    return table;
}

}  // namespace wt::rules
