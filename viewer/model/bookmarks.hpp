// SPDX-License-Identifier: MIT
//
// Marks of a person, kept beside the trace in `TRACE.marks`: one line each, time in ns, peer (or
// '-'), text. The trace itself is never written to.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

struct Bookmark {
    Instant at{};
    std::string peer{};  // Name, or empty.
    std::string text{};
};

class Bookmarks {
public:
    static constexpr std::size_t count_max = 1'000;

    // Marks are read from and written to this file; empty: kept in memory only. What cannot be
    // read as a mark is left out.
    void attach(const std::string& path);
    // In order of time. False if there are too many, or the file could not be written.
    bool add(Bookmark bookmark);
    bool remove(std::size_t index);

    [[nodiscard]] const std::vector<Bookmark>& all() const { return all_; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    [[nodiscard]] bool save() const;

    std::string path_;
    std::vector<Bookmark> all_;
};

}  // namespace wt::viewer
