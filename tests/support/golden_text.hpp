// SPDX-License-Identifier: MIT
//
// Golden vectors as text: "name: hex" with continuation lines that begin with a space; lines that
// begin with # are comments.
#pragma once

#include <fstream>
#include <map>
#include <string>

namespace wt::test {

inline std::map<std::string, std::string> read_golden(const std::string& path) {
    std::map<std::string, std::string> entries;
    std::ifstream file(path);
    std::string line;
    std::string name;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        if (line[0] != ' ') {
            const std::size_t colon = line.find(':');
            name = line.substr(0, colon);
            line = colon == std::string::npos ? "" : line.substr(colon + 1);
        }
        for (const char c : line) {
            if (c != ' ') entries[name] += c;
        }
    }
    return entries;
}

}  // namespace wt::test
