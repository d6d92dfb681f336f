// SPDX-License-Identifier: MIT
#include "tests/tidy/tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace wt::tidy {

namespace fs = std::filesystem;

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_ours(std::string_view name) {
    for (const std::string_view end :
         {".cpp", ".hpp", ".inl", ".toml", ".txt", ".md", ".cmake", ".sh", ".py", ".json"}) {
        if (ends_with(name, end)) return true;
    }
    return name == "dev" || name == "run" || name == "LICENSE";
}

// Blanks comments and what stands in quotes, keeping the length of every line.
class Stripper {
public:
    std::string strip(const std::string& line) {
        std::string out = line;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (in_comment_) {
                if (line.compare(i, 2, "*/") == 0) {
                    in_comment_ = false;
                    out[i + 1] = ' ';
                    out[i++] = ' ';
                } else {
                    out[i] = ' ';
                }
            } else if (line.compare(i, 2, "//") == 0) {
                out.resize(i);
                break;
            } else if (line.compare(i, 2, "/*") == 0) {
                in_comment_ = true;
                out[i] = ' ';
            } else if (line[i] == '"' && line.find("#include") == std::string::npos) {
                i = blank_literal(line, i, '"', out);
            } else if (line[i] == '\'' && (i == 0 || !is_digit_mark(line, i))) {
                i = blank_literal(line, i, '\'', out);
            }
        }
        return out;
    }

private:
    // 1'000 and 0xff'ff: the mark stands between two hexadecimal digits.
    static bool is_digit_mark(const std::string& line, std::size_t i) {
        const auto hex = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        };
        return hex(line[i - 1]) && i + 1 < line.size() && hex(line[i + 1]);
    }
    static std::size_t blank_literal(const std::string& line, std::size_t i, char quote,
                                     std::string& out) {
        for (++i; i < line.size() && line[i] != quote; ++i) {
            if (line[i] == '\\') out[i++] = ' ';
            if (i < line.size()) out[i] = ' ';
        }
        return i;
    }

    bool in_comment_ = false;
};

SourceFile read_file(const fs::path& from, const std::string& path) {
    SourceFile file;
    file.path = path;
    std::ifstream stream(from);
    Stripper stripper;
    for (std::string line; std::getline(stream, line);) {
        file.code.push_back(stripper.strip(line));
        file.lines.push_back(std::move(line));
    }
    return file;
}

}  // namespace

bool SourceFile::is_cpp() const {
    return ends_with(path, ".cpp") || ends_with(path, ".hpp") || ends_with(path, ".inl");
}

bool SourceFile::is_header() const {
    return ends_with(path, ".hpp");
}

bool SourceFile::is_under(std::string_view folder) const {
    return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
           path[folder.size()] == '/';
}

Tree read_tree(const std::string& root) {
    Tree tree;
    tree.root = root;
    std::set<std::string> folders;
    fs::recursive_directory_iterator walk(root);
    for (const fs::directory_entry& entry : walk) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory()) {
            if (name == "build" || name == ".git" || name == ".cache") {
                walk.disable_recursion_pending();
            }
            continue;
        }
        if (!is_ours(name)) continue;
        const std::string path = fs::relative(entry.path(), root).generic_string();
        tree.files.push_back(read_file(entry.path(), path));
        const std::string folder = fs::path(path).parent_path().generic_string();
        if (!folder.empty()) folders.insert(folder);
    }
    // Directory order is the machine's business; ours is by path.
    std::sort(tree.files.begin(), tree.files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    tree.folders.assign(folders.begin(), folders.end());
    return tree;
}

}  // namespace wt::tidy
