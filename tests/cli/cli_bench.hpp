// SPDX-License-Identifier: MIT
//
// Starts the real program in a directory of its own and keeps what it said.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/spawn_program.hpp"

namespace wt::cli_test {

struct Ran {
    int code = -1;
    std::string out{};
    std::string error{};
};

using test::read_all;

class Bench {
public:
    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

    std::string write(const std::string& name, const std::string& text) const {
        return folder_.write(name, text);
    }

    [[nodiscard]] pid_t start(std::vector<std::string> words) const {
        return test::spawn_program({.binary = WT_BINARY,
                                    .words = std::move(words),
                                    .out = file("out"),
                                    .error = file("error")});
    }

    [[nodiscard]] Ran wait(pid_t child) const {
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        Ran ran;
        if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
        ran.out = read_all(file("out"));
        ran.error = read_all(file("error"));
        return ran;
    }

    [[nodiscard]] Ran run(const std::vector<std::string>& words) const {
        return wait(start(words));
    }

private:
    test::ScratchFolder folder_;
};

inline const char* const small =
    "[scenario]\nphases = [\"join 1s\", \"play 1s\"]\n[bots.runner]\ncount = 2\n"
    "[gates]\neveryone_in = \"peers.active min == 100% in play\"\n"
    "cpu = \"cost.tick p99 < 1ns in play\"\n";

// Exit code 2, nothing on stdout, and this first line on stderr.
inline void check_refused(const Ran& ran, const std::string& first_line) {
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.error.substr(0, ran.error.find('\n')) == first_line);
}

}  // namespace wt::cli_test
