// SPDX-License-Identifier: MIT
//
// The GATES block: one line a gate, and the reasons below a failed one.
#include "simulator/report/gate_text.hpp"

#include <algorithm>

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t columns_max = 100;
constexpr std::size_t passed_shown_in_failure = 2;

// Whether the worst value is one value at an instant; sums and rates are of the whole scope.
bool has_instant(const GateResult& result) {
    switch (metric(result.gate.watch.metric).type) {
        case MetricType::sample:
        case MetricType::level:
        case MetricType::event:
            return true;
        case MetricType::share:
        case MetricType::count:
            return false;
    }
    return false;
}

bool has_failed(const GateResult& result) {
    return result.verdict == Verdict::fail || result.verdict == Verdict::no_values;
}

struct Widths {
    std::size_t name = 12;
    std::size_t value = 12;
    std::size_t bound = 14;  // Longer bounds push their own subject aside, not everybody's.
};

Widths widths_of(const std::vector<GateResult>& gates) {
    Widths widths;
    for (const GateResult& gate : gates) {
        widths.name = std::max(widths.name, std::min<std::size_t>(gate.gate.name.size(), 24));
        widths.value = std::max(widths.value, format_gate_value(gate).size());
        widths.bound =
            std::max(widths.bound, std::min<std::size_t>(format_bound(gate.gate).size(), 16));
    }
    return widths;
}

std::string gate_line(const GateResult& result, const Widths& widths, bool colour) {
    std::string mark;
    switch (result.verdict) {
        case Verdict::ok:
            mark = "ok  ";
            break;
        case Verdict::fail:
        case Verdict::no_values:
            mark = colour ? "\x1b[31mFAIL\x1b[0m" : "FAIL";
            break;
        case Verdict::not_counted:
            mark = "cost";
            break;
    }
    std::string rest = "  " + pad_right(result.gate.name, widths.name) + "  " +
                       pad_right(format_gate_value(result), widths.value) + "  " +
                       pad_right(format_bound(result.gate), widths.bound) + "  ";
    std::string subject = result.gate.subject;
    if (result.gate.watch.each_peer && !result.worst_bot.empty())
        subject += " (worst: " + result.worst_bot + ")";
    if (result.verdict == Verdict::not_counted) subject += " (wall clock, see --cost)";
    const std::size_t used = 2 + 4 + rest.size();
    if (used + subject.size() > columns_max) {
        while (rest.ends_with(' '))
            rest.pop_back();
        return "  " + mark + rest + "\n        " + subject + "\n";
    }
    return "  " + mark + rest + subject + "\n";
}

}  // namespace

std::string in_phase(const Scenario& scenario, Instant at) {
    for (const Phase& phase : scenario.phases) {
        if (at >= phase.start && at < phase.end)
            return phase.name + "+" + exact_time({(at - phase.start).ns / 1'000'000 * 1'000'000});
    }
    return "end";
}

std::vector<std::string> failure_lines(const Scenario& scenario, const GateResult& result) {
    std::vector<std::string> lines;
    if (result.verdict == Verdict::no_values) {
        lines.push_back("why        no values in scope: a gate that sees nothing proves nothing");
        if (result.windows > 0)
            lines.push_back("window     from " + format_time(result.window_start.ns) + " (" +
                            in_phase(scenario, result.window_start) + ")");
        if (result.bots_left_out > 0)
            lines.push_back("left out   " + std::to_string(result.bots_left_out) +
                            " peers with less than 1 s of Active time in scope");
        return lines;
    }
    const Taken& worst = result.worst;
    if (worst.any) {
        std::string line = "worst      ";
        if (!result.worst_bot.empty()) line += result.worst_bot + ", ";
        if (has_instant(result)) {
            line += "tick " + grouped(result.worst_tick) + " (" + format_time(worst.at.ns) + ", " +
                    in_phase(scenario, worst.at) +
                    "): " + format_value(result.gate.dimension, worst.value);
        } else if (metric(result.gate.watch.metric).type == MetricType::count &&
                   result.gate.statistic.kind == Statistic::Kind::total) {
            line += "the first at " + format_time(worst.at.ns) + " (" +
                    in_phase(scenario, worst.at) + ")";
        } else {
            line += format_value(result.gate.dimension, worst.value);
        }
        if (worst.lane != Spot::no_lane) line += std::string(", lane ") + lane_name(worst.lane);
        if (worst.way == Way::up) line += ", up";
        if (worst.way == Way::down) line += ", down";
        lines.push_back(line);
    }
    if (result.windows > 0) {
        lines.push_back("window     from " + format_time(result.window_start.ns) + " (" +
                        in_phase(scenario, result.window_start) + "); " +
                        std::to_string(result.windows_breaking) + " of " +
                        std::to_string(result.windows) + " windows over the bound");
    }
    if (result.bots_in_scope > 0) {
        lines.push_back("how many   " + std::to_string(result.bots_breaking) + " of " +
                        std::to_string(result.bots_in_scope) + " peers over the bound");
    }
    if (result.bots_left_out > 0) {
        lines.push_back("left out   " + std::to_string(result.bots_left_out) +
                        " peers with less than 1 s of Active time in scope");
    }
    if (!result.weather.empty()) lines.push_back("then       " + result.weather);
    return lines;
}

const char* verdict_word(int exit_code) {
    switch (exit_code) {
        case 0:
            return "passed";
        case 2:
            return "idle_fault";
        case 3:
            return "bug";
        case 130:
            return "interrupted";
        default:
            return "failed";
    }
}

GateCounts count_gates(const std::vector<GateResult>& gates) {
    GateCounts counts;
    for (const GateResult& gate : gates) {
        if (has_failed(gate))
            ++counts.failed;
        else if (gate.verdict == Verdict::not_counted)
            ++counts.not_counted;
        else
            ++counts.passed;
    }
    return counts;
}

std::string gates_text(const Scenario& scenario, const RunResult& result,
                       const ReportOptions& options) {
    if (result.gates.empty()) {
        const bool has_others = result.real_time && !result.real_time->unseen_gates.empty();
        return has_others ? "GATES   none that this side can see\n"
                          : "GATES   none in this scenario\n";
    }
    const GateCounts counts = count_gates(result.gates);
    std::string text = "GATES   " + std::to_string(counts.passed) + " passed, " +
                       std::to_string(counts.failed) + " failed";
    if (counts.not_counted > 0) text += ", " + std::to_string(counts.not_counted) + " not counted";
    text += "\n";
    const Widths widths = widths_of(result.gates);
    for (const GateResult& gate : result.gates) {
        if (!has_failed(gate)) continue;
        text += gate_line(gate, widths, options.colour);
        for (const std::string& line : failure_lines(scenario, gate))
            text += "        " + line + "\n";
    }
    std::size_t passed = 0;
    std::size_t hidden = 0;
    for (const GateResult& gate : result.gates) {
        if (has_failed(gate)) continue;
        const bool shorten = counts.failed > 0 && !options.all_gates;
        if (shorten && passed++ >= passed_shown_in_failure)
            ++hidden;
        else
            text += gate_line(gate, widths, options.colour);
    }
    if (hidden > 0) text += "  ... " + std::to_string(hidden) + " more passed (--all)\n";
    return text;
}

}  // namespace wt::sim
