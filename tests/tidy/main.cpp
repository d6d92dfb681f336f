// SPDX-License-Identifier: MIT
//
// tidy ROOT: the style law as a program. Prints what breaks it and exits with 1 if anything does.
#include <cstdio>

#include "tests/tidy/tree.hpp"

int main(int argc, char** argv) {
    const wt::tidy::Tree tree = wt::tidy::read_tree(argc > 1 ? argv[1] : ".");
    if (tree.files.size() < 10) {
        std::fprintf(stderr, "tidy: no tree at %s\n", tree.root.c_str());
        return 2;
    }
    wt::tidy::Findings findings;
    check_includes(tree, findings);
    check_tokens(tree, findings);
    check_sizes(tree, findings);
    check_readmes(tree, findings);
    check_licences(tree, findings);
    check_registrations(tree, findings);
    check_mutants(tree, findings);
    check_format(tree, findings);
    for (const std::string& finding : findings.all())
        std::printf("%s\n", finding.c_str());
    std::printf("tidy: %zu files, %zu findings\n", tree.files.size(), findings.all().size());
    return findings.all().empty() ? 0 : 1;
}
