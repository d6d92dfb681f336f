// SPDX-License-Identifier: MIT
//
// `wavetank verify`: two fresh processes, one with two workers, run the same scenario and seed;
// their digests of every (second, host) are compared. Where they differ, both run again with the
// records of the first differing block written down, and the first differing record is printed.
#include <cstdio>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/process.hpp"
#include "simulator/cli/terminal.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t file_bytes_max = std::size_t{1} << 30;

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return lines;
    std::string line;
    std::size_t bytes = 0;
    for (int c = std::fgetc(file); c != EOF && bytes < file_bytes_max; c = std::fgetc(file)) {
        ++bytes;
        if (c == '\n') {
            lines.push_back(std::move(line));
            line.clear();
        } else {
            line += static_cast<char>(c);
        }
    }
    std::fclose(file);
    return lines;
}

struct Difference {
    std::size_t line = 0;
    std::string first{};
    std::string second{};
};

// The first line, from `start` on, that is not the same in both.
std::optional<Difference> first_difference(const std::vector<std::string>& a,
                                           const std::vector<std::string>& b, std::size_t start) {
    for (std::size_t i = start; i < a.size() || i < b.size(); ++i) {
        const std::string first = i < a.size() ? a[i] : "(nothing)";
        const std::string second = i < b.size() ? b[i] : "(nothing)";
        if (first != second) return Difference{i, first, second};
    }
    return std::nullopt;
}

class Verification {
public:
    explicit Verification(const Options& options) : options_(options) {}

    int run() {
        if (!scratch_.is_valid()) {
            print_error("wavetank: error: cannot make a directory in /tmp\n");
            return exit_bad_input;
        }
        for (const char* which : {"a", "b"}) {
            const int code = start(which, {"--digest-blocks", scratch_.file(which)});
            if (code != exit_passed && code != exit_failed) {
                print_error("wavetank: error: the run of process " + std::string(which) +
                            " ended with exit code " + std::to_string(code) + "\n");
                return code < 0 ? exit_bug : code;
            }
        }
        const std::vector<std::string> a = lines_of(scratch_.file("a"));
        const std::vector<std::string> b = lines_of(scratch_.file("b"));
        if (a.empty() || b.empty()) {
            print_error("wavetank: error: a process wrote no digest\n");
            return exit_bug;
        }
        if (!first_difference(a, b, 0)) {
            print("equal   " + a.front() + "   (two processes, " + std::to_string(a.size() - 1) +
                  " blocks)\n");
            return exit_passed;
        }
        return explain(a, b);
    }

private:
    // The alteration, a test hook, is for the second process only.
    int start(const std::string& which, std::vector<std::string> more) const {
        std::vector<std::string> words{"run", options_.files.front(), "--quiet"};
        if (options_.seed) {
            words.emplace_back("--seed");
            words.push_back(std::to_string(*options_.seed));
        }
        if (!options_.variant.empty()) {
            words.emplace_back("--variant");
            words.push_back(options_.variant);
        }
        for (const std::string& setting : options_.settings) {
            words.emplace_back("--set");
            words.push_back(setting);
        }
        if (which == "b" && options_.alter) {
            words.emplace_back("--alter");
            words.push_back(options_.alter_text);
        }
        // Another number of threads must not be seen either.
        if (which == "b") {
            words.emplace_back("--workers");
            words.emplace_back("2");
        }
        words.insert(words.end(), more.begin(), more.end());
        return run_self(words);
    }

    int explain(const std::vector<std::string>& a, const std::vector<std::string>& b) const {
        print("DIFFERENT\n  a   " + a.front() + "\n  b   " + b.front() + "\n");
        // Line 0 is the whole run's.
        const std::optional<Difference> block = first_difference(a, b, 1);
        if (!block) {
            print("every block is equal; the end of the run is not\n");
            return exit_failed;
        }
        const std::string& line = block->first != "(nothing)" ? block->first : block->second;
        const std::size_t space = line.find(' ');
        const std::size_t end = line.find_last_of(' ');
        const std::string second = line.substr(0, space);
        const std::string host = line.substr(space + 1, end - space - 1);
        print("first differing block   second " + second + ", host " + host + "\n");
        for (const char* which : {"a", "b"}) {
            const std::string file = scratch_.file(std::string(which) + ".records");
            (void)start(which, {"--records", host + ":" + second, file});
        }
        const std::optional<Difference> record = first_difference(
            lines_of(scratch_.file("a.records")), lines_of(scratch_.file("b.records")), 0);
        if (!record) {
            print("its records are equal this time: something outside of the run decides\n");
            return exit_failed;
        }
        print("first differing record  number " + std::to_string(record->line) +
              " of the block\n  a   " + record->first + "\n  b   " + record->second + "\n");
        return exit_failed;
    }

    const Options& options_;
    ScratchDirectory scratch_{};
};

}  // namespace

int verify_command(const Options& options) {
    // One clear list of errors, not one of each process.
    if (!load_all(options)) return exit_bad_input;
    return Verification(options).run();
}

}  // namespace wt::sim
