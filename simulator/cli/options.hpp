// SPDX-License-Identifier: MIT
//
// The command line as plain data. CLI11 and its exceptions end in options.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/run/run_scenario.hpp"

namespace wt::sim {

inline constexpr int exit_passed = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_bug = 3;
inline constexpr int exit_interrupted = 130;

// What of a trace is meant, and where it goes.
struct TraceQuery {
    std::string filter{};
    std::optional<Duration> from{};
    std::optional<Duration> to{};
    std::string output{};  // cut, export
    std::string format{};  // export: pcapng, chrome, csv, jsonl; empty: by the output's ending.
    std::uint64_t limit = 100;  // show: records.
    // why: whose, and one of the four.
    std::string peer{};
    std::string message{};
    std::string snapshot{};
    std::string input{};
    std::string datagram{};
    std::string way{};
    bool as_json = false;  // info
};

struct Options {
    enum class Command : std::uint8_t {
        run,
        serve,
        bots,
        check,
        list,
        init,
        links,
        verify,
        explain,
        trace_info,
        trace_show,
        trace_cut,
        trace_export,
        trace_format,
        diff,
        why
    };
    Command command = Command::run;
    std::vector<std::string> files{};  // run, check, verify
    std::string subject{};  // list: DIR. init: FILE. links: NAME or FILE. explain: METRIC.
    TraceQuery query{};     // trace, diff, why; the files stand in `files`.
    std::optional<std::uint64_t> seed{};
    std::uint32_t repeat = 1;  // run: so many seeds, one after the other.
    std::string variant{};
    std::vector<std::string> settings{};
    bool count_cost = false;
    bool fail_fast = false;
    bool allow_idle_faults = false;
    bool all = false;
    bool peers = false;
    bool quiet = false;
    bool print = false;
    std::string json{};
    std::string junit{};
    std::string csv{};
    std::string html{};
    std::string trace{};
    Duration trace_last{};  // 0: everything.
    std::string trace_peers{};
    bool capture_payload = false;
    std::optional<Duration> max_wall{};
    std::uint32_t workers = 1;
    std::string address{};  // serve: where it listens. bots: where the server is.

    // What `verify` says to the two processes that it starts; not in the help.
    std::string digest_blocks{};        // File for one digest a (second, host).
    std::optional<RecordBlock> dump{};  // Whose records go to records_file.
    std::string records_file{};
    std::optional<Alteration> alter{};  // A test hook: one field of one record is changed.
    std::string alter_text{};
};

// Either options, or a text to print and a code to exit with.
struct ParsedOptions {
    std::optional<Options> options{};
    std::string text{};
    int exit_code = exit_passed;
};

[[nodiscard]] ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace wt::sim
