// SPDX-License-Identifier: MIT
//
// Starts a program as a user's shell would, with what it says in two files.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <string>
#include <vector>

extern char** environ;

namespace wt::test {

struct ProgramStart {
    std::string binary{};
    std::vector<std::string> words{};  // Without the program's name.
    std::string out{};                 // Path of the file that takes standard output.
    std::string error{};
};

// The child, for waitpid.
inline pid_t spawn_program(ProgramStart start) {
    start.words.insert(start.words.begin(), "wavetank");
    std::vector<char*> argv;
    for (std::string& word : start.words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 1, start.out.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, start.error.c_str(), flags, 0600);
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, start.binary.c_str(), &actions, nullptr, argv.data(), environ) ==
            0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

}  // namespace wt::test
