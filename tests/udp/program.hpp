// SPDX-License-Identifier: MIT
//
// The real program as a process of its own: started, watched, killed. Nothing outlives the test.
// WT_SERVE_BINARY and WT_BOTS_BINARY put builds of other compilers in its place.
#pragma once

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/udp/clock.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/spawn_program.hpp"

namespace wt::udp_test {

inline void pause_for(Duration time) {
    (void)poll(nullptr, 0, static_cast<int>(time.ns / 1'000'000));
}

using Folder = test::ScratchFolder;
using test::read_all;

class Program {
public:
    // `name` is for the files of what it says.
    Program(const Folder& folder, const std::string& name, std::vector<std::string> words)
        : out_(folder.file(name + ".out")), error_(folder.file(name + ".error")) {
        const bool serves = words.front() == "serve";
        const char* const other = std::getenv(serves ? "WT_SERVE_BINARY" : "WT_BOTS_BINARY");
        const std::string binary = other != nullptr ? other : WT_BINARY;
        pid_ = test::spawn_program(
            {.binary = binary, .words = std::move(words), .out = out_, .error = error_});
    }
    ~Program() {
        if (pid_ <= 0) return;
        signal(SIGKILL);
        (void)waitpid(pid_, nullptr, 0);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void signal(int number) const { (void)::kill(pid_, number); }
    // Its exit code, or minus the signal that ended it; -1000 where it does not end.
    [[nodiscard]] int wait(Duration patience = Duration::seconds(60)) {
        const udp::Clock clock;
        const Instant end = clock.now() + patience;
        while (clock.now() < end) {
            int status = 0;
            if (waitpid(pid_, &status, WNOHANG) == pid_) {
                pid_ = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
            }
            pause_for(Duration::millis(20));
        }
        return -1'000;
    }
    // Until it has said so; false after ten seconds.
    [[nodiscard]] bool await(const std::string& words) const {
        for (int i = 0; i < 500; ++i) {
            if (out().find(words) != std::string::npos) return true;
            pause_for(Duration::millis(20));
        }
        return false;
    }
    // Where a server listens, once it does.
    [[nodiscard]] std::string address() const {
        const std::string before = "listens on ";
        REQUIRE(await(before));
        const std::string text = out();
        const std::size_t start = text.find(before) + before.size();
        return text.substr(start, text.find(' ', start) - start);
    }
    [[nodiscard]] std::uint64_t resident_kib() const {
        std::istringstream text(read_all("/proc/" + std::to_string(pid_) + "/status"));
        for (std::string line; std::getline(text, line);) {
            if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
        }
        return 0;
    }
    [[nodiscard]] std::string out() const { return read_all(out_); }
    [[nodiscard]] std::string error() const { return read_all(error_); }

private:
    std::string out_;
    std::string error_;
    pid_t pid_ = 0;
};

}  // namespace wt::udp_test
