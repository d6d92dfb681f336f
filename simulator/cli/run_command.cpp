// SPDX-License-Identifier: MIT
//
// `wavetank run`: header, progress, report, files, exit code.
#include <algorithm>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/interrupt.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/terminal_report.hpp"
#include "simulator/run/huge_heap.hpp"
#include "simulator/run/memory_estimate.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

std::string in_mebibytes(std::uint64_t bytes) {
    return grouped(bytes / 1'024 / 1'024) + " MiB";
}

bool outputs_can_be_written(const Options& options) {
    bool good = true;
    for (const std::string& path : {options.json, options.junit, options.digest_blocks,
                                    options.records_file, options.trace}) {
        if (path.empty() || can_write(path)) continue;
        print_error("wavetank: error: cannot write " + path + "; nothing was run\n");
        good = false;
    }
    return good;
}

// One run at a time is in memory, so the largest counts.
std::uint64_t largest_estimate(const std::vector<Loaded>& all) {
    std::uint64_t largest = 0;
    for (const Loaded& loaded : all)
        largest = std::max(largest, estimated_memory(loaded.scenario));
    return largest;
}

bool memory_suffices(const std::vector<Loaded>& all) {
    const std::uint64_t machine = physical_memory_bytes();
    bool good = true;
    for (const Loaded& loaded : all) {
        const std::uint64_t needed = estimated_memory(loaded.scenario);
        if (machine == 0 || needed <= machine) continue;
        print_error("wavetank: error: " + loaded.file + " needs about " + in_mebibytes(needed) +
                    ", this machine has " + in_mebibytes(machine) + "; nothing was run\n");
        good = false;
    }
    return good;
}

// What --trace and its companions ask for; an error of --trace-peers is printed.
std::optional<TraceOptions> trace_options(const Options& options, const Scenario& scenario) {
    TraceOptions trace;
    trace.path = options.trace;
    trace.last = options.trace_last;
    trace.payload = options.capture_payload;
    if (scenario.bot_count() + 1 >= trace::no_peer) {
        print_error("wavetank: error: a trace holds at most 65,534 bots; nothing was run\n");
        return std::nullopt;
    }
    if (options.trace_peers.empty()) return trace;
    auto targets = parse_targets(options.trace_peers, scenario.groups);
    if (!targets) {
        const TextError& error = targets.error();
        print_error("wavetank: error: --trace-peers \"" + options.trace_peers +
                    "\": " + error.message + (error.hint.empty() ? "" : ": " + error.hint) + "\n");
        return std::nullopt;
    }
    trace.peers = std::move(*targets);
    return trace;
}

RunResult run_one(const Loaded& loaded, const Options& options,
                  const std::optional<TraceOptions>& trace) {
    const bool shows = !options.quiet && is_terminal();
    ProgressLine progress_line(shows);
    const Stopwatch watch;
    RunOptions run;
    run.seed = options.seed;
    run.count_cost = options.count_cost;
    run.fail_fast = options.fail_fast;
    run.allow_idle_faults = options.allow_idle_faults;
    run.keep_blocks = !options.digest_blocks.empty();
    run.dump = options.dump;
    run.alter = options.alter;
    run.workers = options.workers;
    run.trace = trace;
    run.on_grid = [&](const Progress& progress) {
        progress_line.show(progress, watch);
        if (was_interrupted()) return GridAnswer::interrupt;
        if (options.max_wall && watch.wall_ns() > options.max_wall->ns)
            return GridAnswer::out_of_time;
        return GridAnswer::go_on;
    };
    RunResult result = run_scenario(loaded.scenario, loaded.gates, run);
    progress_line.clear();
    return result;
}

// One line for the run, then one for each (second, host): compared as text by `verify`.
std::string blocks_text(RunResult& result) {
    std::sort(result.blocks.begin(), result.blocks.end(),
              [](const DigestBlock& a, const DigestBlock& b) {
                  if (a.second != b.second) return a.second < b.second;
                  return a.host < b.host;
              });
    std::string text = "digest " + format_hex(result.digest.high, 16) +
                       format_hex(result.digest.low, 16) + " events " +
                       std::to_string(result.events) + " last_draw " +
                       format_hex(result.last_draw, 16) + "\n";
    for (const DigestBlock& block : result.blocks) {
        text += std::to_string(block.second) + " " + block.host + " " +
                format_hex(block.value.high, 16) + format_hex(block.value.low, 16) + "\n";
    }
    return text;
}

struct Finished {
    const Loaded& loaded;
    RunResult result;
};

// All files that the command line asked for; false if one could not be written after all.
bool write_outputs(const Options& options, std::vector<Finished>& runs) {
    bool good = true;
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty() || write_file(path, text)) return;
        print_error("wavetank: error: writing " + path + " failed\n");
        good = false;
    };
    std::string json;
    std::vector<JUnitRun> junit;
    for (const Finished& run : runs) {
        const ReportOptions report{.all_peers = options.peers, .file = run.loaded.file};
        std::string one = json_report(run.loaded.scenario, run.result, report);
        one.pop_back();
        json += (json.empty() ? "" : ",\n") + one;
        junit.push_back({run.loaded.scenario, run.result, run.loaded.file});
    }
    // Several files: an array of reports.
    write(options.json, options.files.size() == 1 ? json + "\n" : "[" + json + "]\n");
    write(options.junit, junit_report(junit));
    if (!options.digest_blocks.empty())
        write(options.digest_blocks, blocks_text(runs.back().result));
    if (!options.records_file.empty()) {
        std::string records;
        for (const std::string& record : runs.back().result.records)
            records += record + "\n";
        write(options.records_file, records);
    }
    return good;
}

}  // namespace

int run_command(const Options& options) {
    const std::optional<std::vector<Loaded>> all = load_all(options);
    if (!all || !outputs_can_be_written(options)) return exit_bad_input;
    if (!memory_suffices(*all)) return exit_bad_input;
    std::optional<TraceOptions> trace;
    if (!options.trace.empty()) {
        trace = trace_options(options, all->front().scenario);
        if (!trace) return exit_bad_input;
    }
    prefer_huge_pages(largest_estimate(*all));
    catch_interrupts();
    std::vector<Finished> runs;
    int code = exit_passed;
    for (const Loaded& loaded : *all) {
        if (was_interrupted()) break;
        const std::uint64_t seed = options.seed.value_or(loaded.scenario.seed);
        if (!options.quiet) print((runs.empty() ? "" : "\n") + header_text(loaded.scenario, seed));
        RunResult result = run_one(loaded, options, trace);
        const int own = result.exit_code();
        if (!result.trace_is_whole) {
            print_error("wavetank: error: writing " + options.trace + " failed\n");
            code = std::max(code, exit_bad_input);
        }
        const ReportOptions report{.colour = is_terminal(),
                                   .all_gates = options.all,
                                   .all_peers = options.peers,
                                   .count_cost = options.count_cost,
                                   .file = loaded.file,
                                   .trace = options.trace};
        if (options.quiet && own != exit_passed) print(header_text(loaded.scenario, seed));
        if (!options.quiet || own != exit_passed)
            print(report_text(loaded.scenario, result, report));
        code = std::max(code, own);
        runs.push_back({loaded, std::move(result)});
    }
    if (!write_outputs(options, runs)) code = std::max(code, exit_bad_input);
    return code;
}

}  // namespace wt::sim
