// SPDX-License-Identifier: MIT
//
// The JSON of a repetition: each seed in short, each gate over all of them. A seed's full report is
// one `run --seed N --json` away.
#include "simulator/report/build_info.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/report/json_writer.hpp"
#include "simulator/report/repetition.hpp"

namespace wt::sim {

namespace {

void write_seed(JsonWriter& json, const SeedRun& run) {
    json.begin_object();
    json.member("seed", run.seed);
    json.member("verdict", verdict_word(run.exit_code));
    json.member("exit_code", run.exit_code);
    json.member("digest", format_hex(run.digest.high, 16) + format_hex(run.digest.low, 16));
    write_drawn(json, run.drawn);
    json.object("gates");
    for (const GateResult& result : run.gates) {
        if (result.gate.needs_cost) continue;
        json.object(result.gate.name);
        json.member("verdict", name_of(result.verdict));
        if (result.verdict != Verdict::no_values) {
            json.member("value", result.value);
            json.member("margin_ppb", result.margin_ppb);
        }
        json.end_object();
    }
    json.end_object();
    json.end_object();
}

void write_gate(JsonWriter& json, const RepeatedGate& sum) {
    json.object(sum.gate.name);
    json.member("text", sum.gate.text);
    json.member("comparison", text_of(sum.gate.watch.bound.compare));
    json.member("bound", sum.gate.watch.bound.value);
    json.member("unit", base_unit(sum.gate.dimension));
    json.member("failed", sum.failed);
    json.member("no_values", sum.without_values);
    if (sum.values > 0) {
        json.member("min", sum.min);
        json.member("p50", sum.p50);
        json.member("p95", sum.p95);
        json.member("max", sum.max);
    }
    json.member("worst_seed", sum.worst_seed);
    if (sum.worst_has_value) json.member("worst_value", sum.worst_value);
    json.end_object();
}

void write_gates(JsonWriter& json, const std::vector<RepeatedGate>& gates, bool of_cost) {
    json.object("gates");
    for (const RepeatedGate& sum : gates) {
        if (sum.gate.needs_cost == of_cost) write_gate(json, sum);
    }
    json.end_object();
}

// The failed gate with the smallest margin, and its seed's command.
void write_worst(JsonWriter& json, const Scenario& scenario, const std::vector<RepeatedGate>& gates,
                 const ReportOptions& options) {
    const RepeatedGate* worst = nullptr;
    for (const RepeatedGate& sum : gates) {
        if (sum.failed == 0 || sum.gate.needs_cost) continue;
        const bool is_worse = worst == nullptr ||
                              (worst->worst_has_value && !sum.worst_has_value) ||
                              (worst->worst_has_value == sum.worst_has_value &&
                               sum.worst_margin_ppb < worst->worst_margin_ppb);
        if (is_worse) worst = &sum;
    }
    if (worst == nullptr) return;
    json.object("worst");
    json.member("gate", worst->gate.name);
    json.member("seed", worst->worst_seed);
    json.member("repeat", repeat_command_of(scenario, worst->worst_seed, options.file));
    json.end_object();
}

}  // namespace

std::string repetition_json(const Scenario& scenario, const Repetition& repetition,
                            const ReportOptions& options) {
    const std::vector<RepeatedGate> gates = repetition.gates();
    JsonWriter json;
    json.begin_object();
    json.member("schema", json_schema);
    write_build(json);
    json.object("scenario");
    write_scenario_head(json, scenario);
    json.end_object();
    json.object("repeat");
    json.member("first_seed", repetition.first_seed);
    json.member("asked", repetition.asked);
    json.member("ran", std::uint64_t{repetition.runs.size()});
    json.member("failed", repetition.failed());
    json.member("verdict", verdict_word(repetition.exit_code()));
    json.member("exit_code", repetition.exit_code());
    json.end_object();
    json.array("seeds");
    for (const SeedRun& run : repetition.runs)
        write_seed(json, run);
    json.end_array();
    write_gates(json, gates, false);
    write_worst(json, scenario, gates, options);
    json.object("cost");
    json.array("wall_ns");
    for (const SeedRun& run : repetition.runs)
        json.value(run.wall_ns);
    json.end_array();
    write_gates(json, gates, true);
    json.end_object();
    json.end_object();
    return json.take();
}

}  // namespace wt::sim
