// SPDX-License-Identifier: MIT
//
// A scenario and a seed in, a result out: the one call behind the command line, the tests and the
// benchmarks. Wall-clock time reaches a run only through `on_grid`, and only to stop it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/core/own_protocol.hpp"
#include "simulator/report/run_result.hpp"
#include "simulator/run/test_hooks.hpp"
#include "simulator/run/trace_run.hpp"

namespace wt::sim {

// How far a run is: said on the 100 ms report grid of virtual time.
struct Progress {
    Instant now{};
    Instant end{};
    std::uint32_t active = 0;
    std::uint32_t bots = 0;
    std::uint32_t failing = 0;  // Gates that have failed for good.
};

enum class GridAnswer : std::uint8_t { go_on, interrupt, out_of_time };

// One host's records of one second of virtual time.
struct RecordBlock {
    std::string host{};
    std::int64_t second = 0;
};

// Alters one field of one recorded event before it enters the digest: proves that the digest
// sees every field. For tests only.
struct Alteration {
    std::string host{};
    std::uint64_t ordinal = 0;
    std::uint32_t field = 0;
};

struct RunOptions {
    std::optional<std::uint64_t> seed{};  // Else the scenario's.
    std::function<GridAnswer(const Progress&)> on_grid{};
    bool measure_cost = true;        // Feed cost.*; it never enters the digest.
    bool count_cost = false;         // --cost: gates on cost.* count.
    bool allow_idle_faults = false;  // An exact fault that hits nothing is no reason to fail.
    bool fail_fast = false;  // Stop at the first grid point at which a gate has failed for good.
    // A run whose process has grown past this ends with exit code 3; 0 = half of the machine.
    std::uint64_t memory_cap_bytes = 0;
    bool keep_blocks = false;           // Fill RunResult::blocks.
    std::optional<RecordBlock> dump{};  // Fill RunResult::records.
    std::optional<Alteration> alter{};
    TestHooks hooks{};
    // Threads that run the hosts. No figure and no digest depends on how many there are.
    std::uint32_t workers = 1;
    // Of a scenario that asks for it (`kind = "own"`); must outlive the run.
    const OwnProtocol* own = nullptr;
    // Written beside the run; neither digest nor figures depend on it.
    std::optional<TraceOptions> trace{};
};

// `gates` come from compile_gates(scenario).
[[nodiscard]] RunResult run_scenario(const Scenario& scenario, const std::vector<Gate>& gates,
                                     const RunOptions& options);

}  // namespace wt::sim
