// SPDX-License-Identifier: MIT
//
// Files, functions and lines that have grown too large. A function is found by its shape under
// clang-format: a head that ends in an opening brace, and the closing brace at the head's indent.
#include <string>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

namespace {

constexpr std::size_t file_lines_max = 700;
constexpr std::size_t header_lines_max = 250;
constexpr std::size_t function_lines_max = 70;
constexpr std::size_t line_columns_max = 100;

// Committed data: made by a tool, read by nobody from top to bottom.
bool is_table(const SourceFile& file) {
    return file.path.find("_tables.cpp") != std::string::npos;
}

std::size_t indent_of(const std::string& line) {
    const std::size_t at = line.find_first_not_of(' ');
    return at == std::string::npos ? line.size() : at;
}

bool is_function_head(const std::string& code) {
    const std::size_t end = code.find_last_not_of(' ');
    if (end == std::string::npos || code[end] != '{') return false;
    const std::size_t indent = indent_of(code);
    if (indent > 4) return false;
    for (const char* const word : {"namespace", "struct", "class", "enum", "union", "extern", "if",
                                   "for", "while", "switch", "do", "else", "}"}) {
        const std::string_view head(word);
        if (code.compare(indent, head.size(), head) == 0) return false;
    }
    return code.find(')') != std::string::npos && code.find(" = {") == std::string::npos;
}

// UTF-8 continuation bytes take no column.
std::size_t columns_of(const std::string& line) {
    std::size_t columns = 0;
    for (const char c : line)
        columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return columns;
}

void check_functions(const SourceFile& file, Findings& findings) {
    for (std::size_t i = 0; i < file.code.size(); ++i) {
        if (!is_function_head(file.code[i])) continue;
        // A head may have begun lines before; its first line has the indent that counts.
        const std::size_t indent = indent_of(file.code[i]);
        std::string close(indent, ' ');
        close += '}';
        for (std::size_t end = i + 1; end < file.code.size(); ++end) {
            if (file.code[end].compare(0, close.size(), close) != 0) continue;
            if (end - i + 1 > function_lines_max) {
                findings.add(file.path, i + 1,
                             "function of " + std::to_string(end - i + 1) + " lines (70 at most)");
            }
            break;
        }
    }
}

}  // namespace

void check_sizes(const Tree& tree, Findings& findings) {
    for (const SourceFile& file : tree.files) {
        if (!file.is_cpp() || is_table(file)) continue;
        if (file.lines.size() > file_lines_max) {
            findings.add(file.path, 1, "file of " + std::to_string(file.lines.size()) + " lines");
        }
        if (file.is_header() && file.lines.size() > header_lines_max) {
            findings.add(file.path, 1, "header of " + std::to_string(file.lines.size()) + " lines");
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            if (columns_of(file.lines[i]) > line_columns_max) {
                findings.add(file.path, i + 1, "line over 100 columns");
            }
        }
        check_functions(file, findings);
    }
}

}  // namespace wt::tidy
