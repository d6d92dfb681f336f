// SPDX-License-Identifier: MIT
#include "simulator/report/repetition.hpp"

#include <algorithm>

#include "engine/base/mutated.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t gate_name_width = 20;
constexpr std::size_t worst_shown_max = 5;
constexpr int code_interrupted = 130;

// The gate's result of that seed; nothing where [vary] switched it off.
const GateResult* result_of(const SeedRun& run, const std::string& gate) {
    for (const GateResult& result : run.gates) {
        if (result.gate.name == gate) return &result;
    }
    return nullptr;
}

// Nearest rank: the ceil(n * percent / 100)-th smallest.
std::int64_t at_rank(const std::vector<std::int64_t>& sorted, std::uint64_t percent) {
    const std::uint64_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[std::max<std::uint64_t>(rank, 1) - 1];
}

bool is_worse(const RepeatedGate& sum, const GateResult& result) {
    const bool has_value = result.verdict != Verdict::no_values;
    if (!has_value || !sum.worst_has_value) return !has_value && sum.worst_has_value;
    return sum.gate.watch.bound.worse(result.value, sum.worst_value) && !mutated<"repeat-worst">();
}

void take_worst(RepeatedGate& sum, const SeedRun& run, const GateResult& result) {
    sum.worst_seed = run.seed;
    sum.worst_value = result.value;
    sum.worst_has_value = result.verdict != Verdict::no_values;
    sum.worst_margin_ppb = result.margin_ppb;
}

RepeatedGate gate_over(const std::vector<SeedRun>& runs, const Gate& gate) {
    RepeatedGate sum{.gate = gate};
    std::vector<std::int64_t> values;
    bool has_any = false;
    for (const SeedRun& run : runs) {
        const GateResult* const result = result_of(run, gate.name);
        if (result == nullptr) continue;
        const bool has_value = result->verdict != Verdict::no_values;
        sum.is_counted = result->verdict != Verdict::not_counted;
        if (has_value) values.push_back(result->value);
        if (!has_value) ++sum.without_values;
        if (result->verdict == Verdict::fail || !has_value) ++sum.failed;
        if (!has_any || is_worse(sum, *result)) take_worst(sum, run, *result);
        has_any = true;
    }
    std::sort(values.begin(), values.end());
    sum.values = values.size();
    if (values.empty()) return sum;
    sum.min = values.front();
    sum.p50 = at_rank(values, 50);
    sum.p95 = at_rank(values, 95);
    sum.max = values.back();
    return sum;
}

std::string gate_line(const RepeatedGate& sum, const ReportOptions& options) {
    const Dimension dimension = sum.gate.dimension;
    std::string failed = sum.is_counted ? grouped(sum.failed) : "cost";
    failed = pad_left(failed, 9);
    if (sum.failed > 0 && options.colour) failed = "\x1b[31m" + failed + "\x1b[0m";
    std::string line = pad_right(sum.gate.name, gate_name_width) + failed;
    for (const std::int64_t value : {sum.min, sum.p50, sum.p95, sum.max})
        line += pad_left(sum.values == 0 ? "-" : format_value(dimension, value), 12);
    return line + pad_left(std::to_string(sum.worst_seed), 9) + "   " + format_bound(sum.gate) +
           "\n";
}

std::string drawn_text(const std::vector<Drawn>& drawn) {
    std::string text;
    for (const Drawn& each : drawn)
        text += "        drawn  " + each.path + " = " + each.value + "\n";
    return text;
}

// The worst seed of a gate, what was drawn for it, and how to see it again.
std::string worst_text(const Scenario& scenario, const Repetition& repetition,
                       const RepeatedGate& sum, const ReportOptions& options) {
    std::string text = "WORST   " + sum.gate.name + ", seed " + std::to_string(sum.worst_seed) +
                       ": " +
                       (sum.worst_has_value ? format_value(sum.gate.dimension, sum.worst_value)
                                            : std::string("no values in scope")) +
                       " (" + format_bound(sum.gate) + ")\n";
    for (const SeedRun& run : repetition.runs) {
        if (run.seed == sum.worst_seed) text += drawn_text(run.drawn);
    }
    return text + "repeat  " + repeat_command_of(scenario, sum.worst_seed, options.file) + "\n";
}

// Of the gates that hold in every seed the one that came nearest to its bound.
std::string closest_text(const std::vector<RepeatedGate>& gates) {
    const RepeatedGate* closest = nullptr;
    for (const RepeatedGate& sum : gates) {
        // Of an exact bound there is nothing to spare.
        const bool has_margin = sum.gate.watch.bound.compare != Compare::equal &&
                                sum.gate.watch.bound.compare != Compare::not_equal;
        if (!sum.is_counted || sum.failed > 0 || sum.values == 0 || !has_margin) continue;
        if (closest == nullptr || sum.worst_margin_ppb < closest->worst_margin_ppb) closest = &sum;
    }
    if (closest == nullptr) return "";
    return "CLOSEST " + closest->gate.name + ", seed " + std::to_string(closest->worst_seed) +
           ": " + format_value(Dimension::share, closest->worst_margin_ppb) + " to spare\n";
}

const char* stop_words(Stopped stopped) {
    switch (stopped) {
        case Stopped::at_end:
            return "";
        case Stopped::interrupted:
            return "INTERRUPTED";
        case Stopped::max_wall:
            return "STOPPED by --max-wall";
        case Stopped::fail_fast:
            return "STOPPED by --fail-fast";
        case Stopped::out_of_memory:
            return "OUT OF MEMORY";
    }
    return "";
}

}  // namespace

SeedRun seed_run(const Scenario& scenario, const RunResult& result) {
    return {.seed = result.seed,
            .exit_code = result.exit_code(),
            .digest = result.digest,
            .drawn = scenario.drawn,
            .gates = result.gates,
            .wall_ns = result.cost.wall_ns};
}

std::uint64_t Repetition::failed() const {
    return static_cast<std::uint64_t>(
        std::count_if(runs.begin(), runs.end(), [](const SeedRun& r) { return r.exit_code != 0; }));
}

int Repetition::exit_code() const {
    int code = stopped == Stopped::max_wall ? 1 : 0;
    for (const SeedRun& run : runs)
        code = std::max(code, run.exit_code);
    return stopped == Stopped::interrupted ? code_interrupted : code;
}

std::vector<RepeatedGate> Repetition::gates() const {
    std::vector<Gate> known;
    for (const SeedRun& run : runs) {
        for (const GateResult& result : run.gates) {
            const bool is_known = std::any_of(known.begin(), known.end(), [&](const Gate& gate) {
                return gate.name == result.gate.name;
            });
            if (!is_known) known.push_back(result.gate);
        }
    }
    std::vector<RepeatedGate> sums;
    for (const Gate& gate : known)
        sums.push_back(gate_over(runs, gate));
    return sums;
}

std::string repetition_text(const Scenario& scenario, const Repetition& repetition,
                            const ReportOptions& options) {
    const std::uint64_t ran = repetition.runs.size();
    const std::uint64_t failed = repetition.failed();
    std::string text;
    if (repetition.stopped != Stopped::at_end) {
        text += std::string(stop_words(repetition.stopped)) + " after " + grouped(ran) + " of " +
                grouped(repetition.asked) + " seeds\n";
    }
    if (ran == 0) return text;
    const std::vector<RepeatedGate> gates = repetition.gates();
    if (!gates.empty()) {
        text +=
            "GATE                   failed         min         p50         p95         max"
            "    worst   bound\n";
    }
    for (const RepeatedGate& sum : gates)
        text += gate_line(sum, options);
    text += "\n";
    std::size_t shown = 0;
    for (const RepeatedGate& sum : gates) {
        if (sum.failed == 0 || !sum.is_counted || shown++ >= worst_shown_max) continue;
        text += worst_text(scenario, repetition, sum, options);
    }
    if (shown == 0) text += closest_text(gates);
    // A seed can fail without a gate: an exact fault that hit nothing, a bug.
    for (const SeedRun& run : repetition.runs) {
        if (run.exit_code < 2 || shown++ >= worst_shown_max) continue;
        text += std::string("WORST   seed ") + std::to_string(run.seed) + ": " +
                verdict_word(run.exit_code) + "\nrepeat  " +
                repeat_command_of(scenario, run.seed, options.file) + "\n";
    }
    const std::string red = options.colour && failed > 0 ? "\x1b[31m" : "";
    const std::string plain = red.empty() ? "" : "\x1b[0m";
    std::int64_t wall = 0;
    for (const SeedRun& run : repetition.runs)
        wall += run.wall_ns;
    text += red + (failed > 0 ? "FAILED" : "PASSED") + plain + "   " +
            (failed > 0 ? grouped(failed) + " of " : std::string()) + grouped(ran) +
            (ran == 1 ? " seed" : " seeds");
    if (wall > 0) {
        constexpr std::uint64_t billion = 1'000'000'000;
        text += "   " + format_quotient(ran * billion, static_cast<std::uint64_t>(wall)) +
                " seeds a second";
    }
    return text + "\n";
}

}  // namespace wt::sim
