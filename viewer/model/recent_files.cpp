// SPDX-License-Identifier: MIT
#include "viewer/model/recent_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wt::viewer {

namespace {

// A path of a system has at most 4,096 bytes; what is longer is none.
constexpr std::size_t path_bytes_max = 4'096;

}  // namespace

void RecentFiles::attach(const std::string& path) {
    path_ = path;
    files_.clear();
    std::ifstream file(path);
    std::string line;
    while (files_.size() < kept_max && std::getline(file, line)) {
        const bool is_known = std::find(files_.begin(), files_.end(), line) != files_.end();
        if (!line.empty() && line.size() <= path_bytes_max && !is_known) files_.push_back(line);
    }
}

void RecentFiles::add(const std::string& file) {
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(file, failure);
    const std::string name = failure ? file : absolute.lexically_normal().string();
    // A line end in a name would make two of it.
    if (name.find('\n') != std::string::npos || name.size() > path_bytes_max) return;
    files_.erase(std::remove(files_.begin(), files_.end(), name), files_.end());
    files_.insert(files_.begin(), name);
    if (files_.size() > kept_max) files_.resize(kept_max);
    store();
}

std::vector<std::string> RecentFiles::all() const {
    std::vector<std::string> there;
    std::error_code failure;
    for (const std::string& file : files_) {
        if (std::filesystem::is_regular_file(file, failure)) there.push_back(file);
    }
    return there;
}

void RecentFiles::store() const {
    if (path_.empty()) return;
    std::error_code failure;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failure);
    std::ofstream out(path_, std::ios::trunc);
    for (const std::string& file : files_)
        out << file << '\n';
}

}  // namespace wt::viewer
