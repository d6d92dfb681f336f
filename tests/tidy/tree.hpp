// SPDX-License-Identifier: MIT
//
// The tree as tidy sees it: every file of ours with its lines, in order of their paths, and the
// list of findings that the rules add to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wt::tidy {

struct SourceFile {
    std::string path;                // From the root, with '/'.
    std::vector<std::string> lines;  // As written.
    std::vector<std::string> code;   // The same without comments and literals' contents.

    [[nodiscard]] bool is_cpp() const;
    [[nodiscard]] bool is_header() const;
    [[nodiscard]] bool is_under(std::string_view folder) const;
};

struct Tree {
    std::string root;
    std::vector<SourceFile> files;
    std::vector<std::string> folders;  // Those that hold files of ours, from the root.
};

// Reads everything below `root` but build folders and version control.
[[nodiscard]] Tree read_tree(const std::string& root);

class Findings {
public:
    void add(const std::string& path, std::size_t line, const std::string& what) {
        found_.push_back(path + ":" + std::to_string(line) + ": " + what);
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return found_; }

private:
    std::vector<std::string> found_;
};

// The rules, one file each.
void check_includes(const Tree& tree, Findings& findings);
void check_tokens(const Tree& tree, Findings& findings);
void check_sizes(const Tree& tree, Findings& findings);
void check_readmes(const Tree& tree, Findings& findings);
void check_licences(const Tree& tree, Findings& findings);
void check_registrations(const Tree& tree, Findings& findings);
void check_mutants(const Tree& tree, Findings& findings);
void check_format(const Tree& tree, Findings& findings);

}  // namespace wt::tidy
