// SPDX-License-Identifier: MIT
//
// `wavetank run`: header, progress, report, files, exit code.
#include <algorithm>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/interrupt.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/repeat_runs.hpp"
#include "simulator/cli/series_outputs.hpp"
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
    for (const std::string& path : {options.json, options.junit, options.csv, options.html,
                                    options.digest_blocks, options.records_file, options.trace}) {
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

// What is written when all is over. Runs are turned to text as they end: of a hundred seeds nobody
// keeps more than that.
struct Outputs {
    std::vector<std::string> json{};
    std::string junit{};
    std::string blocks{};
    std::string records{};

    void add_run(const Loaded& loaded, RunResult& result, const Options& options) {
        if (!options.junit.empty()) junit += junit_suite({loaded.scenario, result, loaded.file});
        if (!options.digest_blocks.empty()) blocks = blocks_text(result);
        for (const std::string& record : result.records)
            records += record + "\n";
    }

    // False if a file could not be written after all.
    [[nodiscard]] bool write(const Options& options) const {
        bool good = true;
        const auto write = [&](const std::string& path, const std::string& text) {
            if (path.empty() || write_file(path, text)) return;
            print_error("wavetank: error: writing " + path + " failed\n");
            good = false;
        };
        std::string reports;
        for (const std::string& one : json)
            reports += (reports.empty() ? "" : ",\n") + one.substr(0, one.size() - 1);
        // Several files: an array of reports.
        write(options.json, options.files.size() == 1 ? reports + "\n" : "[" + reports + "]\n");
        write(options.junit, junit_file(junit));
        write(options.digest_blocks, blocks);
        write(options.records_file, records);
        return good;
    }
};

int run_once(const Loaded& loaded, const Options& options, const std::optional<TraceOptions>& trace,
             Outputs& outputs) {
    const std::uint64_t seed = loaded.scenario.seed;
    if (!options.quiet) print(header_text(loaded.scenario, seed));
    ProgressLine progress_line(!options.quiet && is_terminal());
    const Stopwatch watch;
    SeriesOutputs series(options);
    RunResult result =
        run_loaded(loaded, options, series.trace(trace), [&](const Progress& progress) {
            progress_line.show(progress, watch);
            return answer_of(options, watch);
        });
    progress_line.clear();
    int code = result.exit_code();
    const ReportOptions report{.colour = is_terminal(),
                               .all_gates = options.all,
                               .all_peers = options.peers,
                               .count_cost = options.count_cost,
                               .file = loaded.file,
                               .trace = options.trace};
    if (options.quiet && code != exit_passed) print(header_text(loaded.scenario, seed));
    if (!options.quiet || code != exit_passed) print(report_text(loaded.scenario, result, report));
    if (!result.trace_is_whole) {
        print_error("wavetank: error: writing " + options.trace + " failed\n");
        code = std::max(code, exit_bad_input);
    }
    if (!series.write(loaded, result, report)) code = std::max(code, exit_bad_input);
    outputs.add_run(loaded, result, options);
    if (!options.json.empty()) outputs.json.push_back(json_report(loaded.scenario, result, report));
    return code;
}

int run_repeatedly(const Loaded& loaded, const Options& options, Outputs& outputs) {
    const ReportOptions report{.colour = is_terminal(), .file = loaded.file};
    const std::string header =
        header_text(loaded.scenario, loaded.scenario.seed, options.repeat) + "\n";
    if (!options.quiet) print(header);
    const std::optional<Repetition> repetition = repeat_runs(
        loaded, options,
        [&](const Loaded& one, RunResult& result) { outputs.add_run(one, result, options); });
    if (!repetition) return exit_bad_input;
    const int code = repetition->exit_code();
    if (options.quiet && code != exit_passed) print(header);
    if (!options.quiet || code != exit_passed)
        print(repetition_text(loaded.scenario, *repetition, report));
    if (!options.json.empty())
        outputs.json.push_back(repetition_json(loaded.scenario, *repetition, report));
    return code;
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
    Outputs outputs;
    int code = exit_passed;
    bool is_first = true;
    for (const Loaded& loaded : *all) {
        if (was_interrupted()) break;
        if (!is_first && !options.quiet) print("\n");
        is_first = false;
        const int own = options.repeat > 1 ? run_repeatedly(loaded, options, outputs)
                                           : run_once(loaded, options, trace, outputs);
        code = std::max(code, own);
    }
    if (!outputs.write(options)) code = std::max(code, exit_bad_input);
    return code;
}

}  // namespace wt::sim
