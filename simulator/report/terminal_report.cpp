// SPDX-License-Identifier: MIT
//
// Header, tables and closing lines of a run's report.
#include "simulator/report/terminal_report.hpp"

#include <algorithm>
#include <array>

#include "simulator/report/build_info.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/report/link_figures.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t peers_shown_max = 5;
constexpr std::size_t left_width = 71;  // Of the PEERS table, beside LINK.
constexpr std::size_t name_shown_max = 12;
constexpr std::size_t links_shown_max = 8;

std::string seconds(Duration length) {
    return format_time(length.ns);
}

const MetricSummary* find(const RunResult& result, MetricId id) {
    for (const MetricSummary& summary : result.metrics) {
        if (summary.id == id) return &summary;
    }
    return nullptr;
}

std::string trimmed(std::string line) {
    while (line.ends_with(' '))
        line.pop_back();
    return line + "\n";
}

struct Row {
    const char* name;
    MetricId id;
};
constexpr std::array peer_rows{
    Row{"rtt", MetricId::peers_rtt},
    Row{"latency", MetricId::peers_latency},
    Row{"snapshot age", MetricId::peers_snapshot_age},
    Row{"queue age", MetricId::peers_queue_age},
    Row{"join", MetricId::peers_join_time},
};

std::vector<std::string> peer_lines(const Scenario& scenario, const RunResult& result) {
    std::vector<std::string> lines{
        "PEERS               p50        p95        p99        max   worst"};
    for (const Row& row : peer_rows) {
        const MetricSummary* summary = find(result, row.id);
        if (summary == nullptr || summary->run.count == 0) continue;
        const Stats& stats = summary->run;
        std::string line = "  " + pad_right(row.name, 12);
        for (const std::int64_t value : {stats.p50, stats.p95, stats.p99, stats.max})
            line += pad_left(format_time(value), line.size() == 14 ? 9 : 11);
        if (summary->largest.bot != no_bot)
            line += "   " + bot_name(scenario, summary->largest.bot).substr(0, name_shown_max);
        lines.push_back(line);
    }
    return lines;
}

// Sums over all links.
struct LinkSums {
    std::uint64_t sent = 0;
    std::uint64_t lost = 0;
    std::uint64_t reordered = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t in_flight = 0;

    void add(const LinkDirectionResult& link) {
        sent += link.sent;
        lost += link.dropped();
        reordered += link.reordered;
        duplicated += link.duplicated;
        in_flight += link.in_flight;
    }
};

std::vector<std::string> link_lines(const RunResult& result) {
    LinkSums up;
    LinkSums down;
    for (const LinkResult& link : result.links) {
        up.add(link.up);
        down.add(link.down);
    }
    const auto number = [](std::uint64_t count) {
        constexpr std::uint64_t million = 1'000'000;
        if (count < 10 * million) return grouped(count);
        return format_quotient(count, million) + " M";
    };
    const auto line = [&](const char* name, std::uint64_t a, std::uint64_t b) {
        return pad_right(name, 10) + pad_left(number(a), 9) + pad_left(number(b), 10);
    };
    return {pad_right("LINK", 10) + pad_left("up", 9) + pad_left("down", 10),
            line("sent", up.sent, down.sent),
            line("lost", up.lost, down.lost),
            line("duplicated", up.duplicated, down.duplicated),
            line("reordered", up.reordered, down.reordered),
            line("in flight", up.in_flight, down.in_flight)};
}

std::string tables_text(const Scenario& scenario, const RunResult& result) {
    const std::vector<std::string> left = peer_lines(scenario, result);
    // A server in real time has no links: they are where the bots are.
    const std::vector<std::string> right =
        result.links.empty() ? std::vector<std::string>{} : link_lines(result);
    std::string text;
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const std::string a = i < left.size() ? left[i] : "";
        const std::string b = i < right.size() ? right[i] : "";
        text += trimmed(pad_right(a, left_width) + b);
    }
    return text;
}

std::string worst_text(const RunResult& result, const ReportOptions& options) {
    std::string text = options.all_peers ? "EVERY PEER       " : "FIVE WORST       ";
    text += " queue age max    rtt max  snapshot age max  retransmits       lost  disconnects\n";
    for (const std::size_t index : peers_shown(result, options.all_peers)) {
        const RunResult::PeerFigures& figures = result.figures[index];
        const std::uint64_t datagrams = figures.datagrams_up + figures.datagrams_down;
        const std::string lost =
            datagrams == 0
                ? "-"
                : format_value(Dimension::share, static_cast<std::int64_t>(
                                                     figures.drops * 1'000'000'000 / datagrams));
        std::string line = "  " + pad_right(result.peers[index].name, 15) +
                           pad_left(format_time(figures.queue_age_max), 14) +
                           pad_left(format_time(figures.rtt_max), 11) +
                           pad_left(format_time(figures.snapshot_age_max), 18) +
                           pad_left(grouped(figures.retransmits), 13) + pad_left(lost, 11) +
                           pad_left(grouped(figures.disconnects), 13);
        text += trimmed(line);
    }
    return text;
}

std::string drops_text(const RunResult& result) {
    std::vector<NamedCount> causes;
    const auto add = [&](const LinkDirectionResult& direction) {
        for (const NamedCount& drop : direction.drops) {
            const auto found =
                std::find_if(causes.begin(), causes.end(),
                             [&](const NamedCount& known) { return known.name == drop.name; });
            if (found == causes.end())
                causes.push_back(drop);
            else
                found->count += drop.count;
        }
    };
    for (const LinkResult& link : result.links) {
        add(link.up);
        add(link.down);
    }
    std::string text = "DROPS  ";
    for (const NamedCount& cause : causes)
        text += " " + cause.name + " " + grouped(cause.count) + "  ";
    if (causes.empty()) text += " none  ";
    const bool holds = result.up.holds() && result.down.holds();
    return trimmed(text + "   conserved: " + (holds ? "yes" : "NO"));
}

// Exact faults: what each one hit, firings of one act together.
std::string faults_text(const RunResult& result) {
    struct Line {
        const ActResult* act = nullptr;
        std::uint64_t hits = 0;
        std::vector<NamedCount> also{};
    };
    std::vector<Line> lines;
    for (const ActResult& act : result.acts) {
        if (act.selector.empty()) continue;
        if (lines.empty() || lines.back().act->name != act.name) lines.push_back({.act = &act});
        Line& line = lines.back();
        line.hits += act.hits;
        for (const NamedCount& kind : act.also_lost) {
            const auto found =
                std::find_if(line.also.begin(), line.also.end(),
                             [&](const NamedCount& known) { return known.name == kind.name; });
            if (found == line.also.end())
                line.also.push_back(kind);
            else
                found->count += kind.count;
        }
    }
    std::string text;
    for (const Line& line : lines) {
        std::string also;
        for (const NamedCount& kind : line.also)
            also += " " + kind.name + " " + grouped(kind.count);
        text += (text.empty() ? "FAULTS  " : "        ") + pad_right(line.act->name, 16) + "  " +
                pad_right(line.act->what + " " + line.act->selector, 36) + "  hit " +
                grouped(line.hits) + (also.empty() ? "" : ", in them" + also) + "\n";
    }
    return text;
}

// What stands in the digest's place where there can be none.
std::string real_time_text(const RealTimeResult& real) {
    const bool is_server = real.side == "server";
    std::string text = "sockets  ";
    for (const NamedCount& count : real.counts)
        text += " " + count.name + " " + grouped(count.count) + "  ";
    text = trimmed(text);
    if (!real.refusals.empty()) {
        text += "refused  ";
        for (const NamedCount& count : real.refusals)
            text += " " + count.name + " " + grouped(count.count) + "  ";
        text = trimmed(text);
    }
    if (real.late_steps > 0) {
        text += "late      " + grouped(real.late_steps) + " steps of this process, by up to " +
                format_time(real.late_max.ns) + ": figures are of this machine too\n";
    }
    if (!real.unseen_gates.empty()) {
        std::string names;
        for (const std::string& name : real.unseen_gates)
            names += " " + name;
        text += std::string("unseen   ") + names + "   (by " + (is_server ? "bots" : "serve") +
                ", or in a run)\n";
    }
    for (const std::string& what : real.left_out)
        text += "left out  " + what + "\n";
    return text + "no digest: real time, " + (is_server ? "served at " : "bots of ") +
           real.address + "\n";
}

std::string speed_text(const RunResult& result) {
    if (result.real_time.has_value()) return format_time(result.ran_until.ns) + " in real time";
    const std::int64_t wall = result.cost.wall_ns;
    std::string text = grouped(result.events) + " events";
    if (wall <= 0) return text;
    text += " in " + format_time(wall) + ", x" +
            format_quotient(static_cast<std::uint64_t>(result.ran_until.ns),
                            static_cast<std::uint64_t>(wall)) +
            " of real time";
    return text;
}

// What was written, and where to look first.
std::string trace_text(const RunResult& result, const ReportOptions& options) {
    std::string text = "trace    " + shell_word(options.trace) + "   " +
                       grouped(result.trace_records) + " records";
    if (result.trace_dropped > 0)
        text += ", " + grouped(result.trace_dropped) + " older ones not kept";
    text += "\n";
    for (const GateResult& gate : result.gates) {
        const bool failed = gate.verdict == Verdict::fail && gate.worst.any;
        if (!failed || gate.worst_bot.empty()) continue;
        return text + "look     wavetank-viewer " + shell_word(options.trace) +
               " --at tick:" + std::to_string(gate.worst_tick) + " --peer " + gate.worst_bot + "\n";
    }
    return text;
}

std::string verdict_text(const Scenario& scenario, const RunResult& result,
                         const ReportOptions& options) {
    const GateCounts counts = count_gates(result.gates);
    const std::string red = options.colour ? "\x1b[31m" : "";
    const std::string plain = options.colour ? "\x1b[0m" : "";
    std::string text;
    if (!result.bug.empty()) {
        text = red + "BUG" + plain + "   " + result.bug + "\n";
    } else if (!result.up.holds() || !result.down.holds()) {
        text = red + "BUG" + plain + "   datagrams were not conserved\n";
    } else if (counts.failed > 0) {
        text = red + "FAILED" + plain + "   " + std::to_string(counts.failed) + " of " +
               std::to_string(counts.failed + counts.passed) + " gates   ";
    } else if (result.exit_code() == 0) {
        text = "PASSED   ";
    }
    if (!result.idle_faults.empty()) {
        std::string names;
        for (const std::string& name : result.idle_faults)
            names += " " + name;
        const bool is_allowed = result.allows_idle_faults;
        text = (is_allowed ? std::string("idle") : red + "IDLE" + plain) +
               "     exact faults that hit nothing:" + names +
               (is_allowed ? "\n" : "   (--allow-idle-faults lets them)\n") + text;
    }
    switch (result.stopped) {
        case Stopped::at_end:
            break;
        case Stopped::interrupted:
            text += "INTERRUPTED at " + format_time(result.ran_until.ns) + "   ";
            break;
        case Stopped::max_wall:
            text += "STOPPED by --max-wall at " + format_time(result.ran_until.ns) + "   ";
            break;
        case Stopped::fail_fast:
            text += "STOPPED by --fail-fast at " + format_time(result.ran_until.ns) + "   ";
            break;
        case Stopped::out_of_memory:
            text += "OUT OF MEMORY at " + format_time(result.ran_until.ns) + "   ";
            break;
    }
    text += speed_text(result) + "\n";
    if (result.real_time.has_value()) {
        return text + real_time_text(*result.real_time) + "repeat   " +
               repeat_command(scenario, result, options.file) + "\n";
    }
    text += "digest   " + format_digest(result.digest) + "   last draw 0x" +
            format_hex(result.last_draw >> 32, 8) + "\n";
    // Who has no trace of a failure will want one.
    const bool is_ours = scenario.transport.kind != TransportKind::own;
    const bool wants_trace = counts.failed > 0 && options.trace.empty() && is_ours;
    return text + "repeat   " +
           (wants_trace ? traced_run_command(scenario, result, options.file)
                        : repeat_command(scenario, result, options.file)) +
           "\n" + (options.trace.empty() ? "" : trace_text(result, options));
}

std::string command_of(const std::string& command, const Scenario& scenario, std::uint64_t seed,
                       const std::string& file) {
    std::string text =
        "wavetank " + command + " " + shell_word(file) + " --seed " + std::to_string(seed);
    if (!scenario.variant.empty()) text += " --variant " + shell_word(scenario.variant);
    for (const std::string& setting : scenario.settings)
        text += " --set " + shell_word(setting);
    return text;
}

std::string transport_words(const Scenario& scenario) {
    if (scenario.transport.kind == TransportKind::loopback) return "loopback";
    if (scenario.transport.kind == TransportKind::own) return "a protocol of its own";
    return scenario.transport.cipher == CipherKind::null ? "secure, NULL CIPHER (protects nothing)"
                                                         : "secure, chacha20-poly1305";
}

// Links that datagrams of this scenario go through, by name.
std::vector<const LinkConfig*> used_links(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const BotGroup& group : scenario.groups)
        names.push_back(group.link);
    if (!scenario.server.via.empty()) names.push_back(scenario.server.via);
    std::vector<const LinkConfig*> links;
    // A link reached by `via` is appended, and followed in its turn.
    for (std::size_t i = 0; i < names.size() && links.size() < scenario.links.size(); ++i) {
        for (const LinkConfig& link : scenario.links) {
            if (link.name != names[i]) continue;
            if (std::find(links.begin(), links.end(), &link) != links.end()) continue;
            links.push_back(&link);
            if (!link.via.empty()) names.push_back(link.via);
        }
    }
    return links;
}

}  // namespace

std::string header_text(const Scenario& scenario, std::uint64_t seed, std::uint64_t seeds) {
    const std::uint32_t bots = scenario.bot_count();
    const std::string last = seeds > 1 ? ".." + std::to_string(seed + seeds - 1) : "";
    std::string line = scenario.name + (scenario.variant.empty() ? "" : " " + scenario.variant) +
                       (seeds > 1 ? "   seeds " : "   seed ") + std::to_string(seed) + last +
                       "   " + transport_words(scenario) + "   " + grouped(bots) +
                       (bots == 1 ? " bot" : " bots") + "   " +
                       seconds(Duration{scenario.end().ns});
    const std::string version = version_line();
    constexpr std::size_t columns = 100;
    std::string text = line.size() + 3 + version.size() <= columns
                           ? pad_right(line, columns - version.size()) + version + "\n"
                           : line + "\n  " + version + "\n";
    std::size_t width = 8;
    const std::vector<const LinkConfig*> links = used_links(scenario);
    for (const LinkConfig* link : links)
        width = std::max(width, std::min<std::size_t>(link->name.size(), 20));
    for (std::size_t i = 0; i < links.size() && i < links_shown_max; ++i) {
        text += "  " + pad_right(links[i]->name, width) + "  " + describe_link(*links[i]) + "\n";
    }
    if (links.size() > links_shown_max)
        text += "  ... " + std::to_string(links.size() - links_shown_max) + " more links\n";
    text += "  " + pad_right("phases", width) + "  ";
    for (std::size_t i = 0; i < scenario.phases.size(); ++i) {
        const Phase& phase = scenario.phases[i];
        text += (i == 0 ? "" : " | ") + phase.name + " " + seconds(phase.end - phase.start);
    }
    text += "\n";
    if (seeds > 1) return text;
    for (std::size_t i = 0; i < scenario.drawn.size(); ++i) {
        text += "  " + pad_right(i == 0 ? "drawn" : "", width) + "  " + scenario.drawn[i].path +
                " = " + scenario.drawn[i].value + "\n";
    }
    return text;
}

std::string repeat_command(const Scenario& scenario, const RunResult& result,
                           const std::string& file) {
    if (scenario.transport.kind == TransportKind::own) {
        std::string own =
            "this program with " + shell_word(file) + ", seed " + std::to_string(result.seed);
        if (!scenario.variant.empty()) own += ", variant " + scenario.variant;
        for (const std::string& setting : scenario.settings)
            own += ", " + setting;
        return own;
    }
    if (!result.real_time.has_value()) return repeat_command_of(scenario, result.seed, file);
    const RealTimeResult& real = *result.real_time;
    return command_of(real.command, scenario, result.seed, file) +
           (real.command == "serve" ? " --listen " : " --connect ") + shell_word(real.address);
}

std::string repeat_command_of(const Scenario& scenario, std::uint64_t seed,
                              const std::string& file) {
    return command_of("run", scenario, seed, file);
}

std::string traced_run_command(const Scenario& scenario, const RunResult& result,
                               const std::string& file) {
    return repeat_command(scenario, result, file) + " --trace " +
           shell_word(scenario.name + "-" + std::to_string(result.seed) + ".wtrace");
}

std::vector<std::size_t> peers_shown(const RunResult& result, bool all_peers) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(result.figures.size(), result.peers.size()); ++i)
        order.push_back(i);
    if (all_peers) return order;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return result.figures[a].queue_age_max > result.figures[b].queue_age_max;
    });
    std::vector<std::size_t> shown;
    const auto add = [&](std::size_t index) {
        if (shown.size() < peers_shown_max && index < result.figures.size() &&
            std::find(shown.begin(), shown.end(), index) == shown.end()) {
            shown.push_back(index);
        }
    };
    for (const GateResult& gate : result.gates) {
        if (gate.verdict == Verdict::fail && gate.worst.bot != no_bot) add(gate.worst.bot);
    }
    for (const std::size_t index : order)
        add(index);
    return shown;
}

std::string report_text(const Scenario& scenario, const RunResult& result,
                        const ReportOptions& options) {
    std::string text = "\n" + gates_text(scenario, result, options) + "\n";
    text += tables_text(scenario, result) + "\n";
    const bool failed = count_gates(result.gates).failed > 0;
    if ((failed || options.all_peers) && !result.figures.empty() && !result.peers.empty())
        text += worst_text(result, options);
    if (!result.links.empty()) text += drops_text(result) + "\n";
    text += faults_text(result);
    return text + verdict_text(scenario, result, options);
}

}  // namespace wt::sim
