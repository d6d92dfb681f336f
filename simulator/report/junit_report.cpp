// SPDX-License-Identifier: MIT
//
// JUnit XML: a testsuite is `scenario seed`, a testcase a gate. A bug is an error, a cost gate that
// does not count is skipped. Times are virtual, so that the file of a run is always the same.
#include "simulator/report/file_reports.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"

namespace wt::sim {

namespace {

std::string attribute(const char* name, std::string_view value) {
    return std::string(" ") + name + "=\"" + markup_text(value) + "\"";
}

std::string seconds(std::int64_t ns) {
    const std::string millis = std::to_string(ns / 1'000'000 % 1'000);
    return std::to_string(ns / 1'000'000'000) + "." + std::string(3 - millis.size(), '0') + millis;
}

std::string failure(const JUnitRun& run, const GateResult& gate) {
    std::string text = gate.gate.text + "\nvalue " + format_gate_value(gate) + ", bound " +
                       format_bound(gate.gate) + "\n";
    for (const std::string& line : failure_lines(run.scenario, gate))
        text += line + "\n";
    text += "repeat     " + repeat_command(run.scenario, run.result, run.file) + "\n";
    const std::string message = format_gate_value(gate) + ", bound " + format_bound(gate.gate);
    return "      <failure" + attribute("message", message) + ">" + markup_text(text) +
           "</failure>\n";
}

// A test that always stands in a suite: a run without gates can still break.
std::string run_case(const JUnitRun& run) {
    const RunResult& result = run.result;
    std::string text = "    <testcase" + attribute("classname", run.scenario.name) +
                       attribute("name", "run") + attribute("time", seconds(result.ran_until.ns));
    std::string error = result.bug;
    if (error.empty() && (!result.up.holds() || !result.down.holds()))
        error = "datagrams were not conserved";
    if (error.empty() && result.stopped == Stopped::out_of_memory) error = "out of memory";
    if (error.empty() && result.stopped == Stopped::interrupted) error = "interrupted";
    if (error.empty() && result.stopped == Stopped::max_wall) error = "stopped by --max-wall";
    if (error.empty()) return text + "/>\n";
    return text + ">\n      <error" + attribute("message", error) + ">" +
           markup_text(repeat_command(run.scenario, result, run.file)) +
           "</error>\n    </testcase>\n";
}

}  // namespace

std::string junit_suite(const JUnitRun& run) {
    const GateCounts counts = count_gates(run.result.gates);
    const std::string first = run_case(run);
    const bool error = first.find("<error") != std::string::npos;
    const std::vector<std::string> nobody{};
    const std::vector<std::string>& unseen_gates =
        run.result.real_time.has_value() ? run.result.real_time->unseen_gates : nobody;
    const std::size_t unseen = unseen_gates.size();
    const std::string tests = std::to_string(run.result.gates.size() + unseen + 1);
    std::string text =
        "  <testsuite" +
        attribute("name", run.scenario.name + " " + std::to_string(run.result.seed)) +
        attribute("tests", tests) + attribute("failures", std::to_string(counts.failed)) +
        attribute("errors", error ? "1" : "0") +
        attribute("skipped", std::to_string(counts.not_counted + unseen)) +
        attribute("time", seconds(run.result.ran_until.ns)) + ">\n" + first;
    for (const GateResult& gate : run.result.gates) {
        text += "    <testcase" + attribute("classname", run.scenario.name) +
                attribute("name", gate.gate.name) + attribute("time", "0.000");
        switch (gate.verdict) {
            case Verdict::ok:
                text += "/>\n";
                break;
            case Verdict::fail:
            case Verdict::no_values:
                text += ">\n" + failure(run, gate) + "    </testcase>\n";
                break;
            case Verdict::not_counted:
                text += ">\n      <skipped" + attribute("message", "wall clock, see --cost") +
                        "/>\n    </testcase>\n";
                break;
        }
    }
    for (const std::string& name : unseen_gates) {
        text += "    <testcase" + attribute("classname", run.scenario.name) +
                attribute("name", name) + attribute("time", "0.000") + ">\n      <skipped" +
                attribute("message", "not seen by this side of a run in real time") +
                "/>\n    </testcase>\n";
    }
    return text + "  </testsuite>\n";
}

std::string junit_file(const std::string& suites) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites +
           "</testsuites>\n";
}

}  // namespace wt::sim
