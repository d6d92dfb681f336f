// SPDX-License-Identifier: MIT
//
// `rules check TABLE BIN MUTANT`: the named test passes, fails with the rule broken, and the unit
// tests of all other rooms pass all the same, so that no mutant simply breaks everything. Rooms
// that never come to the rule's place need no run of their own for that: `reach` says which do.
// `rules reach BIN`: each unit test once, noting the places of mutants that it reaches.
// `rules page TABLE BIN`: the table with what the last check of each rule found.
// `rules names TABLE`: one name a line, for ctest.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/rules/table.hpp"
#include "tests/support/chosen_mutant.hpp"

namespace {

using wt::rules::Rule;

struct Outcome {
    bool passed = false;
    long cases = 0;    // That ran.
    long reached = 0;  // How often the mutant's place was.
    std::string output;
};

// The number behind the last `label` of a doctest report; 0 where there is none.
long number_after(const std::string& text, const std::string& label) {
    const std::size_t found = text.rfind(label);
    if (found == std::string::npos) return 0;
    return std::strtol(text.c_str() + found + label.size(), nullptr, 10);
}

Outcome run(const std::string& command, unsigned seconds = 120) {
    Outcome outcome;
    // A broken rule may well make a test hang, which is a failure like another.
    std::FILE* const pipe = popen(
        ("timeout " + std::to_string(seconds) + " " + command + " 2>&1 < /dev/null").c_str(), "r");
    if (pipe == nullptr) return outcome;
    char block[4'096];
    while (std::size_t got = std::fread(block, 1, sizeof block, pipe)) {
        outcome.output.append(block, got);
    }
    const int status = pclose(pipe);
    outcome.passed = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    outcome.cases = number_after(outcome.output, "test cases:");
    outcome.reached = number_after(outcome.output, "mutant reached ");
    return outcome;
}

// doctest takes commas for separators of several filters, and quotes are the shell's.
std::string filter_of(const std::string& test) {
    std::string filter = "'--test-case=";
    for (const char letter : test) {
        if (letter == ',') filter += '\\';
        if (letter == '\'') filter += "'\\'";
        filter += letter;
    }
    return filter + "'";
}

std::filesystem::path met_file(const std::string& test, const std::filesystem::path& bin) {
    return bin.parent_path() / "rules" / "met" / test;
}

std::vector<std::string> unit_tests(const std::filesystem::path& bin) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(bin)) {
        const std::string name = entry.path().filename();
        if (name.compare(0, 5, "unit_") == 0) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

int reach(const std::filesystem::path& bin) {
    std::filesystem::create_directories(met_file("", bin));
    int verdict = 0;
    for (const std::string& name : unit_tests(bin)) {
        const std::filesystem::path file = met_file(name, bin);
        std::filesystem::remove(file);
        const Outcome whole = run((bin / name).string() + " --mutants-met=" + file.string(), 900);
        if (whole.passed) continue;
        std::cerr << name << " fails with all rules in place:\n" << whole.output;
        verdict = 1;
    }
    return verdict;
}

// Whether the unit test comes to the mutant's place; yes where reach() has left no word about it.
bool is_reached(const Rule& rule, const std::string& test, const std::filesystem::path& bin) {
    std::ifstream file(met_file(test, bin), std::ios::binary);
    const std::string met((std::istreambuf_iterator<char>(file)), {});
    const std::size_t place = wt::test::mutant_hash(rule.mutant) % wt::ChosenMutant::places;
    return met.size() != wt::ChosenMutant::places || met[place] != 0;
}

// Unit tests that come to the rule, of all rooms but its own and those that may notice.
std::vector<std::string> others_of(const Rule& rule, const std::filesystem::path& bin) {
    std::vector<std::string> others;
    for (const std::string& name : unit_tests(bin)) {
        if (name == rule.executable) continue;
        if (std::find(rule.also.begin(), rule.also.end(), name) != rule.also.end()) continue;
        if (is_reached(rule, name, bin)) others.push_back(name);
    }
    return others;
}

// Empty when the rule is proven, else what is wrong.
std::string finding(const Rule& rule, const std::filesystem::path& bin) {
    const std::string program = (bin / rule.executable).string();
    const std::string test = program + " " + filter_of(rule.test);
    const Outcome whole = run(test);
    if (whole.cases == 0) return "no such test: " + rule.executable + " \"" + rule.test + "\"";
    if (!whole.passed) return "its test fails with the rule in place:\n" + whole.output;
    const std::string option = " --mutant=" + rule.mutant;
    const Outcome broken = run(test + option);
    if (broken.passed && broken.reached == 0) return "its test never comes to the rule";
    if (broken.passed) return "its test passes without the rule";
    std::string noticing;
    for (const std::string& other : others_of(rule, bin)) {
        if (!run((bin / other).string() + option).passed) noticing += other + ' ';
    }
    if (noticing.empty()) return {};
    return noticing + "fail too: name them by `also`, with why, or break less";
}

std::filesystem::path verdict_file(const Rule& rule, const std::filesystem::path& bin) {
    return bin.parent_path() / "rules" / rule.mutant;
}

int check(const std::vector<Rule>& rules, const std::filesystem::path& bin,
          const std::string& mutant) {
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const Rule& each) { return each.mutant == mutant; });
    if (rule == rules.end()) {
        std::cerr << "no rule with the mutant " << mutant << '\n';
        return 2;
    }
    const std::string found = finding(*rule, bin);
    std::filesystem::create_directories(bin.parent_path() / "rules");
    std::ofstream(verdict_file(*rule, bin)) << (found.empty() ? "proven" : "NOT PROVEN");
    if (found.empty()) return 0;
    std::cerr << rule->mutant << " (rules.txt:" << rule->line << "): " << found << '\n';
    return 1;
}

void print_page(const std::vector<Rule>& rules, const std::filesystem::path& bin) {
    std::size_t proven = 0;
    for (const Rule& rule : rules) {
        std::ifstream file(verdict_file(rule, bin));
        std::string verdict((std::istreambuf_iterator<char>(file)), {});
        if (verdict.empty()) verdict = "not run";
        proven += verdict == "proven" ? 1U : 0U;
        std::cout << rule.source << ": " << rule.says << "\n    " << verdict << "   " << rule.mutant
                  << "   " << rule.executable << " \"" << rule.test << "\"\n";
    }
    std::cout << proven << " of " << rules.size()
              << " rules proven: with the rule broken its test fails, other rooms' tests pass\n";
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const std::string verb = words.empty() ? "" : words[0];
    const std::size_t needs = verb == "check"                      ? 4
                              : verb == "page"                     ? 3
                              : verb == "names" || verb == "reach" ? 2
                                                                   : 0;
    if (needs == 0 || words.size() != needs) {
        std::cerr << "rules check TABLE BIN MUTANT | reach BIN | page TABLE BIN | names TABLE\n";
        return 2;
    }
    if (verb == "reach") return reach(words[1]);
    const wt::rules::Table table = wt::rules::read_table(words[1]);
    if (table.error) {
        std::cerr << *table.error << '\n';
        return 2;
    }
    if (verb == "check") return check(table.rules, words[2], words[3]);
    if (verb == "page") print_page(table.rules, words[2]);
    if (verb == "names") {
        for (const Rule& rule : table.rules)
            std::cout << rule.mutant << '\n';
    }
    return 0;
}
