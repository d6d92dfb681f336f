// SPDX-License-Identifier: MIT
//
// The GATES block of the terminal report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/report/terminal_report.hpp"

namespace wt::sim {

struct GateCounts {
    std::uint32_t passed = 0;
    std::uint32_t failed = 0;
    std::uint32_t not_counted = 0;
};
[[nodiscard]] GateCounts count_gates(const std::vector<GateResult>& gates);

// "passed", "failed", "idle_fault", "bug", "interrupted": an exit code in JSON.
[[nodiscard]] const char* verdict_word(int exit_code);

[[nodiscard]] std::string gates_text(const Scenario& scenario, const RunResult& result,
                                     const ReportOptions& options);

}  // namespace wt::sim
