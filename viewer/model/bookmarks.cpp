// SPDX-License-Identifier: MIT
#include "viewer/model/bookmarks.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace wt::viewer {

namespace {

bool read_line(const std::string& line, Bookmark& bookmark) {
    const std::size_t first = line.find('\t');
    if (first == std::string::npos) return false;
    const std::size_t second = line.find('\t', first + 1);
    if (second == std::string::npos) return false;
    const auto [end, failure] = std::from_chars(line.data(), line.data() + first, bookmark.at.ns);
    if (failure != std::errc{} || end != line.data() + first) return false;
    bookmark.peer = line.substr(first + 1, second - first - 1);
    if (bookmark.peer == "-") bookmark.peer.clear();
    bookmark.text = line.substr(second + 1);
    return true;
}

// A tab or a line end in a text would be read back as another mark.
std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

}  // namespace

void Bookmarks::attach(const std::string& path) {
    path_ = path;
    all_.clear();
    if (path_.empty()) return;
    std::ifstream file(path_);
    for (std::string line; all_.size() < count_max && std::getline(file, line);) {
        Bookmark bookmark;
        if (read_line(line, bookmark)) all_.push_back(std::move(bookmark));
    }
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Bookmark& a, const Bookmark& b) { return a.at < b.at; });
}

bool Bookmarks::add(Bookmark bookmark) {
    if (all_.size() >= count_max) return false;
    bookmark.text = on_one_line(std::move(bookmark.text));
    const auto place =
        std::upper_bound(all_.begin(), all_.end(), bookmark,
                         [](const Bookmark& a, const Bookmark& b) { return a.at < b.at; });
    all_.insert(place, std::move(bookmark));
    return save();
}

bool Bookmarks::remove(std::size_t index) {
    if (index >= all_.size()) return false;
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
    return save();
}

bool Bookmarks::save() const {
    if (path_.empty()) return true;
    std::ofstream file(path_, std::ios::trunc);
    for (const Bookmark& bookmark : all_) {
        file << bookmark.at.ns << '\t' << (bookmark.peer.empty() ? "-" : bookmark.peer) << '\t'
             << bookmark.text << '\n';
    }
    return file.good();
}

}  // namespace wt::viewer
