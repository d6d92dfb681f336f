// SPDX-License-Identifier: MIT
//
// Rules and their places: each name in tests/rules/rules.txt is the mutant of some place in the
// product, and each place has its row. One name may have several places: a rule kept twice.
#include <map>
#include <string>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

namespace {

struct Place {
    std::string path;
    std::size_t line = 0;
};

constexpr const char* rules_path = "tests/rules/rules.txt";

void add_places(const SourceFile& file, std::map<std::string, Place>& places) {
    const std::string mark = "mutated<\"";
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string& line = file.lines[i];
        // In comments a mark is an example.
        if (file.code[i].find("mutated<") == std::string::npos) continue;
        std::size_t found = line.find(mark);
        for (; found != std::string::npos; found = line.find(mark, found + 1)) {
            const std::size_t begin = found + mark.size();
            places[line.substr(begin, line.find('"', begin) - begin)] = {file.path, i + 1};
        }
    }
}

}  // namespace

void check_mutants(const Tree& tree, Findings& findings) {
    std::map<std::string, Place> places;
    std::map<std::string, std::size_t> rows;
    for (const SourceFile& file : tree.files) {
        if (file.is_cpp() && !file.is_under("tests")) add_places(file, places);
        if (file.path != rules_path) continue;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            if (!line.empty() && line[0] != '#' && line[0] != ' ') rows[line] = i + 1;
        }
    }
    for (const auto& [name, place] : places) {
        if (rows.count(name) != 0) continue;
        findings.add(place.path, place.line, "mutant `" + name + "` without a row in rules.txt");
    }
    for (const auto& [name, line] : rows) {
        if (places.count(name) != 0) continue;
        findings.add(rules_path, line, "`" + name + "` is mutated nowhere in the product");
    }
}

}  // namespace wt::tidy
