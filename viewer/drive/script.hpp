// SPDX-License-Identifier: MIT
//
// `--script FILE`: one thing a line to do or to expect. Serves tests, the pictures in the
// documentation and reports of what somebody did; the words stand in README.md of this folder.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/drive/driver.hpp"

namespace wt::viewer {

// `watch SECONDS [REDRAWS [PACE]]`: at least so many redraws a second, and so many times real time.
struct WatchWish {
    double seconds = 0;
    double redraws = 0;
    double pace = 0;
};

// What a script needs that is not a hand: files and the window.
struct ScriptHost {
    std::function<bool(const std::string& file)> open{};
    std::function<void(ImVec2 size)> resize{};
    std::function<bool(const std::string& file)> screenshot{};
    // As a person looks at a run that goes on, for so long on the wall clock. Empty, or what was
    // not as wanted.
    std::function<std::string(const WatchWish& wish)> watch{};
    std::string folder{};  // Where files that are not absolute are looked for and left.
};

class Script {
public:
    Script(std::string name, std::string_view text);

    // All lines; what was wrong with them is told in failures().
    bool run(Driver& driver, const ScriptHost& host);
    [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

private:
    struct Line {
        unsigned number = 0;
        std::vector<std::string> words{};
        std::string rest{};  // Behind the first word.
    };
    // Empty: it went well.
    [[nodiscard]] static std::string run_line(const Line& line, Driver& driver,
                                              const ScriptHost& host);

    std::string name_;
    std::vector<Line> lines_;
    std::vector<std::string> failures_;
};

}  // namespace wt::viewer
