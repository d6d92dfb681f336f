// SPDX-License-Identifier: MIT
#include "simulator/trace/html_report.hpp"

#include <algorithm>

#include "simulator/report/build_info.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/html_charts.hpp"

namespace wt::sim {

namespace {

// Light or dark as the reader's system is; both are readable in print.
constexpr std::string_view style = R"(<style>
:root { --paper: #fcfcfa; --ink: #1c1c1a; --soft: #6a6a64; --rule: #d8d8d0; --good: #1a7f37;
  --bad: #b3261e; --line: #1f5fae; --second: #8aa9cf; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171a; --ink: #e6e6e1; --soft: #9a9a94;
  --rule: #36373c; --good: #56c271; --bad: #ff6f61; --line: #7db3f2; --second: #48658a; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.2rem; font-size: 1.15rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
td.n, th.n { text-align: right; }
small, .soft { color: var(--soft); } pre, code { font-family: ui-monospace, monospace; }
pre { white-space: pre-wrap; margin: .2rem 0; }
.ok { color: var(--good); } .fail { color: var(--bad); font-weight: 600; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
.phase { stroke: var(--rule); } .label { fill: var(--soft); font-size: 11px; }
.largest, .middle { fill: none; stroke-width: 1.5; }
.largest { stroke: var(--line); } .middle { stroke: var(--second); }
</style>
)";

std::string cell(const std::string& text, const char* kind = "") {
    return std::string("<td") + (*kind == '\0' ? "" : std::string(" class=\"") + kind + "\"") +
           ">" + markup_text(text) + "</td>";
}

std::string head_row(std::initializer_list<const char*> names, std::size_t words) {
    std::string row = "<tr>";
    std::size_t place = 0;
    for (const char* const name : names)
        row += std::string(place++ < words ? "<th>" : "<th class=\"n\">") + name + "</th>";
    return row + "</tr>\n";
}

std::string verdict_of(const RunResult& result) {
    const int code = result.exit_code();
    const std::string word = verdict_word(code);
    return "<p class=\"" + std::string(code == 0 ? "ok" : "fail") + "\">" + word +
           (result.bug.empty() ? "" : ": " + markup_text(result.bug)) + "</p>\n";
}

std::string head_of(const Scenario& scenario, const RunResult& result) {
    std::string html = "<h1>" + markup_text(scenario.name) +
                       (scenario.variant.empty() ? "" : " " + markup_text(scenario.variant)) +
                       "</h1>\n" + verdict_of(result);
    if (!scenario.about.empty()) html += "<p>" + markup_text(scenario.about) + "</p>\n";
    html += "<p class=\"soft\">seed " + std::to_string(result.seed) + ", " +
            grouped(scenario.bot_count()) + " bots, " + format_time(result.ran_until.ns) + " of " +
            format_time(scenario.end().ns) + ", " + markup_text(version_line()) + "</p>\n";
    for (const Drawn& drawn : scenario.drawn)
        html +=
            "<p class=\"soft\">drawn: " + markup_text(drawn.path + " = " + drawn.value) + "</p>\n";
    return html;
}

std::string gates_of(const Scenario& scenario, const RunResult& result) {
    std::string html =
        "<h2>Gates</h2>\n<table>\n" + head_row({"", "name", "value", "bound", "what"}, 5);
    for (const GateResult& gate : result.gates) {
        const bool failed = gate.verdict == Verdict::fail || gate.verdict == Verdict::no_values;
        html += "<tr>" + cell(name_of(gate.verdict), failed ? "fail" : "ok") +
                cell(gate.gate.name) + cell(format_gate_value(gate)) +
                cell(format_bound(gate.gate)) + "<td>" + markup_text(gate.gate.subject);
        if (failed) {
            html += "<pre>";
            for (const std::string& line : failure_lines(scenario, gate))
                html += markup_text(line) + "\n";
            html += "</pre>";
        }
        html += "</td></tr>\n";
    }
    return html + "</table>\n";
}

std::string metrics_of(const RunResult& result) {
    std::string html =
        "<h2>Figures of the whole run</h2>\n<table>\n" +
        head_row({"metric", "values", "least", "mean", "p50", "p95", "p99", "largest"}, 1);
    for (const MetricSummary& summary : result.metrics) {
        const Metric& entry = metric(summary.id);
        const Stats& stats = summary.run;
        html += "<tr>" + cell(std::string(entry.name));
        const auto value = [&](std::int64_t number) {
            return cell(format_value(entry.dimension, number), "n");
        };
        if (entry.type == MetricType::count) {
            html += cell(grouped(stats.total), "n") + "<td colspan=\"6\"></td>";
        } else if (entry.type == MetricType::share) {
            html += cell(grouped(stats.denominator), "n") + "<td></td>" + value(stats.mean) +
                    "<td colspan=\"4\"></td>";
        } else {
            html += cell(grouped(stats.count), "n");
            for (const std::int64_t number :
                 {stats.min, stats.mean, stats.p50, stats.p95, stats.p99, stats.max})
                html += value(number);
        }
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

std::string links_of(const RunResult& result) {
    std::string html =
        "<h2>Links</h2>\n<table>\n" +
        head_row({"link", "direction", "sent", "delivered", "lost", "reordered", "by cause"}, 2);
    for (const LinkResult& link : result.links) {
        for (const bool is_up : {true, false}) {
            const LinkDirectionResult& way = is_up ? link.up : link.down;
            std::string causes;
            for (const NamedCount& drop : way.drops)
                causes += (causes.empty() ? "" : ", ") + drop.name + " " + grouped(drop.count);
            html += "<tr>" + cell(link.name) + cell(is_up ? "up" : "down") +
                    cell(grouped(way.sent), "n") + cell(grouped(way.delivered), "n") +
                    cell(grouped(way.dropped()), "n") + cell(grouped(way.reordered), "n") +
                    cell(causes, "n") + "</tr>\n";
        }
    }
    return html + "</table>\n";
}

std::string acts_of(const Scenario& scenario, const RunResult& result) {
    constexpr std::size_t acts_shown_max = 200;
    if (result.acts.empty()) return "";
    std::string html =
        "<h2>Acts</h2>\n<table>\n" + head_row({"at", "for", "do", "name", "hits"}, 4);
    for (std::size_t i = 0; i < std::min(result.acts.size(), acts_shown_max); ++i) {
        const ActResult& act = result.acts[i];
        const std::string length = act.end == Instant::never() || act.end <= act.start
                                       ? ""
                                       : format_time((act.end - act.start).ns);
        html += "<tr>" + cell(in_phase(scenario, act.start)) + cell(length) +
                cell(act.what + (act.selector.empty() ? "" : " " + act.selector)) + cell(act.name) +
                cell(grouped(act.hits), "n") + "</tr>\n";
    }
    html += "</table>\n";
    if (result.acts.size() > acts_shown_max)
        html += "<p class=\"soft\">" + grouped(result.acts.size() - acts_shown_max) +
                " more acts</p>\n";
    return html;
}

std::string peers_of(const RunResult& result, bool all) {
    if (result.figures.empty() || result.peers.empty()) return "";
    std::string html = std::string("<h2>") + (all ? "Every player" : "Five worst players") +
                       "</h2>\n<table>\n" +
                       head_row({"name", "at the end", "queue age", "round trip", "snapshot age",
                                 "silence", "lost", "disconnects"},
                                2);
    for (const std::size_t index : peers_shown(result, all)) {
        const RunResult::PeerFigures& figures = result.figures[index];
        html += "<tr>" + cell(result.peers[index].name) + cell(result.peers[index].state) +
                cell(format_time(figures.queue_age_max), "n") +
                cell(format_time(figures.rtt_max), "n") +
                cell(format_time(figures.snapshot_age_max), "n") +
                cell(format_time(figures.silence_max), "n") + cell(grouped(figures.drops), "n") +
                cell(grouped(figures.disconnects), "n") + "</tr>\n";
    }
    return html + "</table>\n";
}

}  // namespace

std::string html_report(const Scenario& scenario, const RunResult& result,
                        const ReportOptions& options, const trace::TraceFile& series) {
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>" +
        markup_text(scenario.name) + ", seed " + std::to_string(result.seed) + "</title>\n" +
        std::string(style) + "</head>\n<body>\n";
    html += head_of(scenario, result) + gates_of(scenario, result);
    html += "<h2>Over time</h2>\n" + html_charts(scenario, result.ran_until, series);
    html += metrics_of(result) + peers_of(result, options.all_peers) + links_of(result) +
            acts_of(scenario, result);
    const bool holds = result.up.holds() && result.down.holds();
    html += "<h2>The same again</h2>\n<pre>" +
            markup_text(repeat_command(scenario, result, options.file)) + "\ndigest " +
            format_digest(result.digest) + "\nconserved: " + (holds ? "yes" : "NO") + "</pre>\n";
    return html + "</body>\n</html>\n";
}

}  // namespace wt::sim
