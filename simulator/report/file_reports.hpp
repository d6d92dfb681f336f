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

class JsonWriter;
// Parts that all JSON reports have: who wrote it; name, file, sha256, parents and settings of the
// scenario, for an object that is open; what [vary] drew.
void write_build(JsonWriter& json);
void write_scenario_head(JsonWriter& json, const Scenario& scenario);
void write_drawn(JsonWriter& json, const std::vector<Drawn>& drawn);

// One testsuite, of one run.
struct JUnitRun {
    const Scenario& scenario;
    const RunResult& result;
    std::string file{};
};
[[nodiscard]] std::string junit_suite(const JUnitRun& run);
// The file around any number of them.
[[nodiscard]] std::string junit_file(const std::string& suites);

}  // namespace wt::sim
