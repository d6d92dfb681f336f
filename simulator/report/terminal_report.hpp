// SPDX-License-Identifier: MIT
//
// A result for people: at most 100 columns, plain ASCII; colour only where the caller says that a
// terminal is looking, and red only for FAIL.
#pragma once

#include <string>
#include <vector>

#include "simulator/report/run_result.hpp"

namespace wt::sim {

struct ReportOptions {
    bool colour = false;
    bool all_gates = false;   // --all: also the gates that passed in a failed run.
    bool all_peers = false;   // --peers: every bot, not the worst five.
    bool count_cost = false;  // --cost
    std::string file{};       // As given on the command line.
    std::string trace{};      // The run's trace as given on the command line, or empty.
};

// Name, seed, transport, links and phases: printed before the run.
// `seeds` is how many are run, from that one on.
[[nodiscard]] std::string header_text(const Scenario& scenario, std::uint64_t seed,
                                      std::uint64_t seeds = 1);
// Everything after the run.
[[nodiscard]] std::string report_text(const Scenario& scenario, const RunResult& result,
                                      const ReportOptions& options);
// The command that runs a scenario as it was chosen, with one seed.
[[nodiscard]] std::string repeat_command_of(const Scenario& scenario, std::uint64_t seed,
                                            const std::string& file);
// The command that repeats the run.
[[nodiscard]] std::string repeat_command(const Scenario& scenario, const RunResult& result,
                                         const std::string& file);
// The same, with a trace of a name of its own.
[[nodiscard]] std::string traced_run_command(const Scenario& scenario, const RunResult& result,
                                             const std::string& file);
// What a failed gate says below its line, without indentation: for terminals and JUnit.
[[nodiscard]] std::vector<std::string> failure_lines(const Scenario& scenario,
                                                     const GateResult& result);
// "storm+10.05s": an instant by its phase.
[[nodiscard]] std::string in_phase(const Scenario& scenario, Instant at);
// The indices of the bots to show: the worst of each failing gate, then those with the oldest
// queues; all of them with all_peers.
[[nodiscard]] std::vector<std::size_t> peers_shown(const RunResult& result, bool all_peers);

}  // namespace wt::sim
