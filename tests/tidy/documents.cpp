// SPDX-License-Identifier: MIT
//
// A README in every folder of source, a licence line in every file, and nothing that lies about
// without being registered: scenarios say what they are for, tests are built.
#include <algorithm>
#include <set>
#include <string>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

namespace {

bool has_file(const Tree& tree, const std::string& path) {
    return std::any_of(tree.files.begin(), tree.files.end(),
                       [&](const SourceFile& file) { return file.path == path; });
}

// Data below these is described by the README of the folder itself.
bool needs_readme(const std::string& folder) {
    if (folder[0] == '.') return false;
    // A unit test folder mirrors its source folder, whose README is the one to read.
    if (folder.compare(0, 11, "tests/unit/") == 0) return false;
    for (const char* const data :
         {"scenarios/", "tests/golden/", "tests/fuzz/corpus", "tests/cli/", "tests/data"}) {
        if (folder.compare(0, std::string_view(data).size(), data) == 0) return false;
    }
    return true;
}

bool mentions(const SourceFile& file, const std::string& text) {
    return std::any_of(file.lines.begin(), file.lines.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

}  // namespace

void check_readmes(const Tree& tree, Findings& findings) {
    for (const std::string& folder : tree.folders) {
        if (!needs_readme(folder)) continue;
        if (!has_file(tree, folder + "/README.md")) {
            findings.add(folder, 1, "folder without a README.md");
        }
    }
}

void check_licences(const Tree& tree, Findings& findings) {
    for (const SourceFile& file : tree.files) {
        const bool code = file.is_cpp() || file.path.find("CMakeLists.txt") != std::string::npos ||
                          file.path.find(".cmake") != std::string::npos || file.path == "dev";
        if (!code) continue;
        bool found = false;
        for (std::size_t i = 0; i < 2 && i < file.lines.size(); ++i) {
            found =
                found || file.lines[i].find("SPDX-License-Identifier: MIT") != std::string::npos;
        }
        if (!found) findings.add(file.path, 1, "no licence line");
    }
}

void check_registrations(const Tree& tree, Findings& findings) {
    // Folders whose tests are found by pattern stand in tests/CMakeLists.txt by name.
    const auto registry =
        std::find_if(tree.files.begin(), tree.files.end(),
                     [](const SourceFile& file) { return file.path == "tests/CMakeLists.txt"; });
    if (registry == tree.files.end()) return findings.add("tests/CMakeLists.txt", 1, "missing");
    std::set<std::string> golden;
    for (const SourceFile& file : tree.files) {
        if (file.path != "tests/golden/digests.txt") continue;
        for (const std::string& line : file.lines)
            golden.insert(line.substr(0, line.find(' ')));
    }
    for (const SourceFile& file : tree.files) {
        if (file.is_under("scenarios") && file.path.find(".toml") != std::string::npos) {
            if (!mentions(file, "about")) {
                findings.add(file.path, 1, "scenario without an `about`");
            }
            if (golden.count(file.path) == 0) {
                findings.add(file.path, 1, "scenario without a line in tests/golden/digests.txt");
            }
        }
        if (file.is_under("tests/unit") && file.path.find("_test.cpp") != std::string::npos) {
            const std::size_t end = file.path.rfind('/');
            const std::string folder = file.path.substr(11, end - 11);
            const std::size_t last = folder.rfind('/');
            const std::string room = last == std::string::npos ? folder : folder.substr(last + 1);
            if (!mentions(*registry, folder) && !mentions(*registry, room)) {
                findings.add(file.path, 1, "test folder that tests/CMakeLists.txt does not name");
            }
        }
    }
}

}  // namespace wt::tidy
