// SPDX-License-Identifier: MIT
//
// What people do to a command line that no manual asks for: empty words, reports on top of
// scenarios, readers that go away, narrow terminals, pipes as files, Ctrl-C.
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/cli/cli_bench.hpp"

namespace wt::cli_test {

namespace {

// The two ends of a pseudo terminal of so many columns.
struct Terminal {
    int master = -1;
    std::string name{};

    explicit Terminal(unsigned short columns) : master(posix_openpt(O_RDWR | O_NOCTTY)) {
        REQUIRE(master >= 0);
        REQUIRE(grantpt(master) == 0);
        REQUIRE(unlockpt(master) == 0);
        name = ptsname(master);
        struct winsize size {};
        size.ws_col = columns;
        size.ws_row = 24;
        REQUIRE(ioctl(master, TIOCSWINSZ, &size) == 0);
    }
    ~Terminal() { close(master); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Until every program that had the other end is gone.
    std::string read_to_end() const {
        std::string text;
        char buffer[4'096];
        for (;;) {
            const ssize_t count = read(master, buffer, sizeof buffer);
            if (count <= 0) return text;
            text.append(buffer, static_cast<std::size_t>(count));
        }
    }
};

}  // namespace

TEST_CASE("an empty word is no value") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    for (const char* const option : {"--seed", "--json", "--junit", "--max-wall", "--set"}) {
        CAPTURE(option);
        check_refused(bench.run({"run", file, option, ""}),
                      std::string("wavetank: error: ") + option + ": the value is empty");
    }
    check_refused(bench.run({"run", ""}), "wavetank: error: FILE: the value is empty");
}

TEST_CASE("a report never lands on a scenario, nor on the other report") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    check_refused(bench.run({"run", file, "--json", file}),
                  "wavetank: error: --json would overwrite " + file);
    // The same file by another name.
    const std::string link = bench.file("link.toml");
    std::filesystem::create_symlink(file, link);
    check_refused(bench.run({"run", link, "--junit", file}),
                  "wavetank: error: --junit would overwrite " + link);
    CHECK(read_all(file) == small);
    const std::string both = bench.file("both");
    check_refused(bench.run({"run", file, "--json", both, "--junit", both}),
                  "wavetank: error: --json and --junit name the same file");
    CHECK(!std::filesystem::exists(both));
}

TEST_CASE("a reader that goes away takes neither reports nor verdict with it") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    // Nobody ever reads: the first word written already meets a broken pipe.
    const std::string pipe = bench.file("out");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    const pid_t child = bench.start({"run", file, "--json", bench.file("j")});
    close(reader);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(read_all(bench.file("j")).ends_with("}\n"));
}

TEST_CASE("a report into a pipe comes whole") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const std::string pipe = bench.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    // Opened first and without waiting: a program that never opens it must not stop the test.
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    const pid_t child = bench.start({"run", file, "--quiet", "--json", pipe});
    std::string report;
    siginfo_t ended{};
    while (ended.si_pid == 0) {
        REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0);
        char buffer[4'096];
        ssize_t count = 0;
        while ((count = read(reader, buffer, sizeof buffer)) > 0)
            report.append(buffer, static_cast<std::size_t>(count));
        if (ended.si_pid == 0) usleep(1'000);
    }
    close(reader);
    CHECK(bench.wait(child).code == 0);
    CHECK(report.starts_with("{\n"));
    CHECK(report.ends_with("}\n"));
}

TEST_CASE("the progress line fits the terminal and leaves nothing behind") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const Terminal terminal(60);
    std::filesystem::create_symlink(terminal.name, bench.file("out"));
    const pid_t child =
        bench.start({"run", file, "--set", "scenario.phases=[\"join 1s\", \"play 20h\"]",
                     "--max-wall", "400ms"});
    const std::string text = terminal.read_to_end();
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(text.find("\r[") != std::string::npos);
    // What a carriage return without a line feed begins or ends is the progress line.
    std::size_t lines = 0;
    for (std::size_t at = text.find("\r["); at != std::string::npos;
         at = text.find("\r[", at + 1)) {
        const std::size_t end = text.find('\r', at + 1);
        REQUIRE(end != std::string::npos);
        CHECK(end - at - 1 <= 59);
        ++lines;
    }
    CHECK(lines >= 2);
    // The last one was wiped before the report.
    const std::size_t last = text.rfind("\r[");
    const std::size_t report = text.find("GATES", last);
    REQUIRE(report != std::string::npos);
    CHECK(text.find("\r     ", last) < report);
}

TEST_CASE("help and version are words too") {
    const Bench bench;
    CHECK(bench.run({"version"}).out == bench.run({"--version"}).out);
    const Ran help = bench.run({"help"});
    CHECK(help.code == 0);
    CHECK(help.out == bench.run({"--help"}).out);
    CHECK(help.out.find("Subcommands:") != std::string::npos);
}

TEST_CASE("quiet runs say nothing, also when there are two") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const Ran ran = bench.run({"run", file, file, "--quiet", "--json", bench.file("j")});
    CHECK(ran.code == 0);
    CHECK(ran.out.empty());
    CHECK(ran.error.empty());
    CHECK(read_all(bench.file("j")).starts_with("[{\n"));
}

TEST_CASE("names that are near nothing") {
    const Bench bench;
    check_refused(bench.run({"links", "zzzzzz"}), "wavetank: error: no preset \"zzzzzz\"");
    check_refused(bench.run({"explain", "zzzzzz"}), "wavetank: error: unknown metric \"zzzzzz\"");
}

TEST_CASE("interrupted: both reports are written and say so") {
    const Bench bench;
    const std::string file = bench.write("t.toml", small);
    const pid_t child = bench.start({"run", file, "--set", "scenario.phases=[\"play 20h\"]",
                                     "--json", bench.file("j"), "--junit", bench.file("x")});
    for (int i = 0; i < 2'000 && read_all(bench.file("out")).empty(); ++i)
        usleep(5'000);
    kill(child, SIGINT);
    CHECK(bench.wait(child).code == 130);
    CHECK(read_all(bench.file("j")).find("\"interrupted\"") != std::string::npos);
    CHECK(read_all(bench.file("x")).ends_with("</testsuites>\n"));
}

}  // namespace wt::cli_test
