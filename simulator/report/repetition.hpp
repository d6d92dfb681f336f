// SPDX-License-Identifier: MIT
//
// One scenario under many seeds: what is kept of each run, what the gates came to over all of them,
// and both as text and as JSON. Percentiles are nearest rank over seeds, exact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/report/terminal_report.hpp"

namespace wt::sim {

// One finished seed.
struct SeedRun {
    std::uint64_t seed = 0;
    int exit_code = 0;
    DigestValue digest{};
    std::vector<Drawn> drawn{};
    std::vector<GateResult> gates{};
    std::int64_t wall_ns = 0;
};
[[nodiscard]] SeedRun seed_run(const Scenario& scenario, const RunResult& result);

// One gate over all seeds that ran.
struct RepeatedGate {
    Gate gate{};  // Of the first seed.
    bool is_counted = true;
    std::uint32_t failed = 0;
    std::uint32_t without_values = 0;  // Counted in `failed` too.
    std::uint64_t values = 0;          // Seeds with a value.
    std::int64_t min = 0;
    std::int64_t p50 = 0;
    std::int64_t p95 = 0;
    std::int64_t max = 0;
    // A seed without values is the worst; then the value furthest on the wrong side; of equals the
    // smallest seed.
    std::uint64_t worst_seed = 0;
    std::int64_t worst_value = 0;
    bool worst_has_value = false;
    std::int64_t worst_margin_ppb = 0;
};

struct Repetition {
    std::uint64_t first_seed = 0;
    std::uint64_t asked = 0;
    std::vector<SeedRun> runs{};  // By seed.
    Stopped stopped = Stopped::at_end;

    [[nodiscard]] std::uint64_t failed() const;
    // The worst of the seeds; interrupted, if somebody did.
    [[nodiscard]] int exit_code() const;
    [[nodiscard]] std::vector<RepeatedGate> gates() const;
};

// The table of gates, the worst seeds and the commands that repeat them.
[[nodiscard]] std::string repetition_text(const Scenario& scenario, const Repetition& repetition,
                                          const ReportOptions& options);
// Byte-equal for equal seeds but for `cost` and `wavetank`.
[[nodiscard]] std::string repetition_json(const Scenario& scenario, const Repetition& repetition,
                                          const ReportOptions& options);

}  // namespace wt::sim
