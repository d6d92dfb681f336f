// SPDX-License-Identifier: MIT
//
// clang-format's own verdict over every source file, in one call of the program.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

void check_format(const Tree& tree, Findings& findings) {
    std::string command = "cd '" + tree.root + "' && clang-format --dry-run -Werror";
    for (const SourceFile& file : tree.files) {
        if (file.is_cpp()) command += " '" + file.path + "'";
    }
    command += " 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return findings.add(".clang-format", 1, "clang-format does not start");
    std::string output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        output += static_cast<char>(c);
    }
    if (pclose(pipe) == 0) return;
    // One finding a line that names a place; the quoted source below each is left out.
    std::size_t found = 0;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = output.find('\n', at);
        const std::string line = output.substr(at, end - at);
        if (line.find("error:") != std::string::npos) {
            findings.add(line.substr(0, line.find(':')), 1, "not as clang-format has it");
            ++found;
        }
        if (end == std::string::npos) break;
        at = end + 1;
    }
    if (found == 0) findings.add(".clang-format", 1, output.substr(0, 200));
}

}  // namespace wt::tidy
