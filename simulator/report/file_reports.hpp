// SPDX-License-Identifier: MIT
//
// Reports for machines: JSON (schema 1) and JUnit XML. Integers in base units, shares in 10^-9, no
// floating point. Two JSON reports of one (scenario, seed) are byte-equal but for `wavetank` and
// `cost`.
#pragma once

#include <string>
#include <vector>

#include "simulator/report/terminal_report.hpp"

namespace wt::sim {

inline constexpr int json_schema = 1;

[[nodiscard]] std::string json_report(const Scenario& scenario, const RunResult& result,
                                      const ReportOptions& options);

// One testsuite a run; of several runs, all in one file.
struct JUnitRun {
    const Scenario& scenario;
    const RunResult& result;
    std::string file{};
};
[[nodiscard]] std::string junit_report(const std::vector<JUnitRun>& runs);

}  // namespace wt::sim
