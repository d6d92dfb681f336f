// SPDX-License-Identifier: MIT
//
// What was opened lately, newest first, kept in a file of one path a line. Without a file, and
// where it cannot be written, it lasts as long as the window: nobody is told, nothing else depends
// on it.
#pragma once

#include <string>
#include <vector>

namespace wt::viewer {

class RecentFiles {
public:
    static constexpr std::size_t kept_max = 10;

    // Reads what is there; lines beyond `kept_max` are left out.
    void attach(const std::string& path);
    // Opened just now: to the front, once.
    void add(const std::string& file);
    // Those that are still there.
    [[nodiscard]] std::vector<std::string> all() const;

private:
    void store() const;

    std::string path_{};
    std::vector<std::string> files_{};
};

}  // namespace wt::viewer
