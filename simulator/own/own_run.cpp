// SPDX-License-Identifier: MIT
#include "simulator/own/own_run.hpp"

#include "engine/base/check.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/terminal_report.hpp"
#include "simulator/run/run_scenario.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

OwnRunResult run_own(const std::string& file, const OwnProtocol& protocol,
                     const OwnRunOptions& options) {
    WT_CHECK(protocol.make_server);
    WT_CHECK(protocol.make_client);
    PartialScenario partial =
        read_partly(file, options.settings,
                    {.variant = options.variant, .seed = options.seed, .has_own_protocol = true});
    std::vector<Gate> gates;
    if (!partial.scenario.phases.empty()) gates = compile_gates(partial.scenario, partial.problems);
    if (!partial.problems.empty()) return {.text = format_problems(partial.problems)};
    const Scenario& scenario = partial.scenario;
    if (scenario.transport.kind != TransportKind::own) {
        return {.text = file +
                        ": error: this scenario is not for a protocol of your own\n"
                        "   write [transport] kind = \"own\"\n"};
    }
    RunOptions run;
    run.seed = options.seed;
    run.own = &protocol;
    const RunResult result = run_scenario(scenario, gates, run);
    const ReportOptions report{.file = file};
    return {.exit_code = result.exit_code(),
            .text = header_text(scenario, result.seed) + report_text(scenario, result, report),
            .json = json_report(scenario, result, report),
            .junit = junit_file(junit_suite({scenario, result, file})),
            .digest = format_hex(result.digest.high, 16) + format_hex(result.digest.low, 16)};
}

}  // namespace wt::sim
