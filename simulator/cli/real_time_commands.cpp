// SPDX-License-Identifier: MIT
//
// `wavetank serve` and `wavetank bots`: one scenario, two processes, real sockets and real time.
#include <algorithm>

#include "engine/udp/address_text.hpp"
#include "simulator/cli/commands.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/realtime/bots_run.hpp"
#include "simulator/realtime/fitness.hpp"
#include "simulator/realtime/probe.hpp"
#include "simulator/realtime/server_run.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/terminal_report.hpp"

namespace wt::sim {

namespace {

constexpr const char* default_listen = "127.0.0.1:4000";
// How long a server may take to start beside its bots.
constexpr Duration probe_patience = Duration::seconds(3);

void print_problem(const std::string& text) {
    print_error("wavetank: error: " + text + "\n");
}

// The scenario of the one file, if it can be in real time and the reports can be written.
std::optional<Loaded> load_one(const Options& options) {
    std::optional<std::vector<Loaded>> all = load_all(options);
    if (!all) return std::nullopt;
    Loaded loaded = std::move(all->front());
    bool good = true;
    const std::uint64_t seed = options.seed.value_or(loaded.scenario.seed);
    for (const std::string& problem : real_time_problems(loaded.scenario, seed)) {
        print_problem(loaded.file + ": " + problem);
        good = false;
    }
    for (const std::string& path : {options.json, options.junit}) {
        if (path.empty() || can_write(path)) continue;
        print_problem("cannot write " + path + "; nothing was run");
        good = false;
    }
    if (!good) return std::nullopt;
    return loaded;
}

std::optional<transport::Address> read_address(const char* option, const std::string& text) {
    const auto parsed = udp::parse_address(text);
    if (parsed) return *parsed;
    print_problem(std::string(option) + " " + parsed.error().message + "; " + parsed.error().hint);
    return std::nullopt;
}

// Report, files, exit code.
int report(const Options& options, const Loaded& loaded, const RunResult& result) {
    const ReportOptions how{.colour = is_terminal(),
                            .all_gates = options.all,
                            .all_peers = options.peers,
                            .count_cost = options.count_cost,
                            .file = loaded.file};
    print(report_text(loaded.scenario, result, how));
    bool good = true;
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty() || write_file(path, text)) return;
        print_problem("writing " + path + " failed");
        good = false;
    };
    write(options.json, json_report(loaded.scenario, result, how));
    write(options.junit, junit_file(junit_suite({loaded.scenario, result, loaded.file})));
    return good ? result.exit_code() : std::max(result.exit_code(), exit_bad_input);
}

RealTimeOptions real_time_options(const Options& options, const Loaded& loaded,
                                  const transport::Address& address) {
    return {.seed = options.seed.value_or(loaded.scenario.seed),
            .address = address,
            .count_cost = options.count_cost};
}

}  // namespace

int serve_command(const Options& options) {
    const std::optional<Loaded> loaded = load_one(options);
    if (!loaded) return exit_bad_input;
    const auto address =
        read_address("--listen", options.address.empty() ? default_listen : options.address);
    if (!address) return exit_bad_input;
    udp::Waiter waiter;
    ProgressLine line(is_terminal());
    const Stopwatch watch;
    RealTimeOptions real = real_time_options(options, *loaded, *address);
    real.on_grid = [&](const Progress& progress) { line.show(progress, watch); };
    ServerRun run(loaded->scenario, loaded->gates, real);
    const auto opened = run.open();
    if (!opened) {
        print_problem("--listen " + opened.error().message);
        return exit_bad_input;
    }
    print(header_text(loaded->scenario, real.seed) + "  listens on " + udp::text_of(*opened) +
          " in real time; begins with its first player, Ctrl-C ends it\n");
    const RunResult result = run.run(waiter);
    line.clear();
    return report(options, *loaded, result);
}

int bots_command(const Options& options) {
    const std::optional<Loaded> loaded = load_one(options);
    if (!loaded) return exit_bad_input;
    const auto address = read_address("--connect", options.address);
    if (!address) return exit_bad_input;
    if (address->port == 0 || udp::is_any(*address)) {
        print_problem("--connect " + options.address +
                      ": nobody can be reached there; write e.g. 127.0.0.1:4000");
        return exit_bad_input;
    }
    udp::Waiter waiter;
    const std::string where = udp::text_of(*address);
    const auto answer = probe(*address, probe_patience, waiter);
    if (!answer) {
        print_problem("--connect " + answer.error().message);
        return exit_bad_input;
    }
    if (*answer == ProbeAnswer::refused) {
        print_problem("nobody listens at " + where + "; start it with: wavetank serve " +
                      loaded->file + " --listen " + where);
        return exit_bad_input;
    }
    if (*answer == ProbeAnswer::silent) {
        print_problem("no answer from " + where +
                      " in 3 s: no wavetank serves there, a firewall is between, or its wire "
                      "format is another one");
        return exit_bad_input;
    }
    if (*answer == ProbeAnswer::stopped) return exit_interrupted;
    ProgressLine line(is_terminal());
    const Stopwatch watch;
    RealTimeOptions real = real_time_options(options, *loaded, *address);
    real.on_grid = [&](const Progress& progress) { line.show(progress, watch); };
    print(header_text(loaded->scenario, real.seed) + "  bots of " + where + " in real time\n");
    BotsRun run(loaded->scenario, loaded->gates, real);
    const Result<RunResult, std::string> result = run.run(waiter);
    line.clear();
    if (!result) {
        print_problem(where + ": " + result.error());
        return exit_bad_input;
    }
    return report(options, *loaded, *result);
}

}  // namespace wt::sim
