// SPDX-License-Identifier: MIT
//
// A failed check ends the process and says what broke and where the run was; a result is a value
// or an error, and taking the other one is such a bug. Each death happens in a child process.
#include "engine/base/check.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "engine/base/result.hpp"

namespace wt {

namespace {

// What `act` prints to stderr before it aborts; empty if it does not abort.
template <class Act>
std::string last_words(Act act) {
    int pipe_ends[2] = {};
    REQUIRE(pipe(pipe_ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // doctest's own handler would report the abort a second time.
        std::signal(SIGABRT, SIG_DFL);
        dup2(pipe_ends[1], 2);
        act();
        _exit(0);
    }
    close(pipe_ends[1]);
    std::string words;
    char buffer[256];
    for (ssize_t n = 0; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
        words.append(buffer, static_cast<std::size_t>(n));
    close(pipe_ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    const bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return aborted ? words : std::string();
}

bool mentions(const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("a condition that holds costs nothing but its evaluation, once") {
    int evaluated = 0;
    WT_CHECK(++evaluated == 1);
    CHECK(evaluated == 1);
}

TEST_CASE("a condition that fails names itself, its file and the run") {
    const std::string words = last_words([] {
        check_context() = {.seed = 41, .virtual_ns = 1'500'000'000, .event = 77};
        WT_CHECK(1 + 1 == 3);
    });
    CHECK(mentions(words, "broken invariant: 1 + 1 == 3"));
    CHECK(mentions(words, "check_test.cpp:"));
    CHECK(mentions(words, "seed 41, virtual time 1500000000 ns, event 77"));
}

TEST_CASE("a result holds one of the two") {
    const Result<int, std::string> good(5);
    CHECK(good.has_value());
    CHECK(static_cast<bool>(good));
    CHECK(*good == 5);
    const Result<int, std::string> bad(unexpected(std::string("no")));
    CHECK(!bad.has_value());
    CHECK(bad.error() == "no");
    // Value and error of the same type are told apart.
    const Result<std::string, std::string> same(unexpected(std::string("no")));
    CHECK(!same.has_value());
    Result<std::string, int> text(std::string("abc"));
    text->push_back('d');
    CHECK(*text == "abcd");
}

TEST_CASE("taking what a result does not hold is a bug") {
    CHECK(mentions(last_words([] {
                       const Result<int, int> bad(unexpected(1));
                       static_cast<void>(bad.value());
                   }),
                   "has_value()"));
    CHECK(mentions(last_words([] {
                       const Result<int, int> good(1);
                       static_cast<void>(good.error());
                   }),
                   "!has_value()"));
}

}  // namespace wt
