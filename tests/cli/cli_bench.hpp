// SPDX-License-Identifier: MIT
//
// Starts the real program in a directory of its own and keeps what it said.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace wt::cli_test {

struct Ran {
    int code = -1;
    std::string out{};
    std::string error{};
};

inline std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class Bench {
public:
    Bench() {
        std::string name = "/tmp/wavetank-cli-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Bench() {
        std::error_code failure;
        std::filesystem::remove_all(path_, failure);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream out(file(name), std::ios::binary);
        out << text;
        return file(name);
    }

    [[nodiscard]] pid_t start(std::vector<std::string> words) const {
        words.insert(words.begin(), "wavetank");
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        const int flags = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&actions, 1, file("out").c_str(), flags, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, file("error").c_str(), flags, 0600);
        pid_t child = 0;
        REQUIRE(posix_spawn(&child, WT_BINARY, &actions, nullptr, argv.data(), environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        return child;
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
    std::string path_;
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
