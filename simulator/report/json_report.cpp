// SPDX-License-Identifier: MIT
//
// The JSON report, section by section, in the order of its documentation. Everything that knows
// the wall clock or the machine is in `cost` and `wavetank`.
#include <array>

#include "engine/crypto/sha256.hpp"
#include "simulator/report/build_info.hpp"
#include "simulator/report/file_reports.hpp"
#include "simulator/report/format.hpp"
#include "simulator/report/gate_text.hpp"
#include "simulator/report/json_writer.hpp"

namespace wt::sim {

namespace {

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
    json.array(name);
    for (const std::string& text : texts)
        json.value(text);
    json.end_array();
}

std::string sha256_of(const std::string& text) {
    crypto::Mac hash{};
    crypto::sha256(bytes_of(text), hash);
    std::string digits;
    for (const std::uint8_t byte : hash)
        digits += format_hex(byte, 2);
    return digits;
}

void write_stats(JsonWriter& json, const Metric& metric, const Stats& stats) {
    json.begin_object();
    switch (metric.type) {
        case MetricType::count:
            json.member("total", stats.total);
            break;
        case MetricType::share:
            json.member("numerator", stats.numerator);
            json.member("denominator", stats.denominator);
            json.member("mean", stats.mean);
            break;
        case MetricType::sample:
        case MetricType::level:
        case MetricType::event:
            json.member("count", stats.count);
            json.member("min", stats.min);
            json.member("mean", stats.mean);
            json.member("p50", stats.p50);
            json.member("p90", stats.p90);
            json.member("p95", stats.p95);
            json.member("p99", stats.p99);
            json.member("p999", stats.p999);
            json.member("max", stats.max);
            if (stats.censored > 0) json.member("censored", stats.censored);
            break;
    }
    json.end_object();
}

void write_metrics(JsonWriter& json, const std::vector<MetricSummary>& summaries) {
    json.object("metrics");
    for (const MetricSummary& summary : summaries) {
        const Metric& entry = metric(summary.id);
        json.object(entry.name);
        json.member("type", name_of(entry.type));
        json.member("unit", base_unit(entry.dimension));
        json.key("run");
        write_stats(json, entry, summary.run);
        const auto list = [&](std::string_view name, const std::vector<NamedStats>& parts) {
            if (parts.empty()) return;
            json.object(name);
            for (const NamedStats& part : parts) {
                json.key(part.name);
                write_stats(json, entry, part.stats);
            }
            json.end_object();
        };
        list("phases", summary.phases);
        list("groups", summary.groups);
        list("lanes", summary.lanes);
        list("directions", summary.directions);
        json.end_object();
    }
    json.end_object();
}

std::string statistic_text(const Statistic& statistic) {
    static constexpr std::array<const char*, 14> picks{"min", "mean", "max", "last", "p01",
                                                       "p05", "p10",  "p25", "p50",  "p75",
                                                       "p90", "p95",  "p99", "p99.9"};
    const std::string pick = picks[static_cast<std::size_t>(statistic.pick)];
    switch (statistic.kind) {
        case Statistic::Kind::pick:
            return pick;
        case Statistic::Kind::total:
            return "total";
        case Statistic::Kind::per_second:
            return "per second " + pick;
        case Statistic::Kind::per_minute:
            return "per minute " + pick;
    }
    return "";
}

const char* way_text(Way way) {
    switch (way) {
        case Way::both:
            return "both";
        case Way::up:
            return "up";
        case Way::down:
            return "down";
    }
    return "";
}

void write_gate(JsonWriter& json, const GateResult& result) {
    const Gate& gate = result.gate;
    const bool cost = gate.needs_cost;
    json.begin_object();
    json.member("name", gate.name);
    json.member("text", gate.text);
    json.member("metric", metric(gate.watch.metric).name);
    json.member("statistic", statistic_text(gate.statistic));
    json.object("scope");
    json.member("start", gate.watch.start.ns);
    json.member("end", gate.watch.end.ns);
    json.member("direction", way_text(gate.watch.way));
    if (gate.watch.lane)
        json.member("lane", lane_name(static_cast<std::uint8_t>(*gate.watch.lane)));
    if (gate.watch.each_peer) json.member("every_peer", true);
    if (gate.window != Duration{}) json.member("window", gate.window.ns);
    json.end_object();
    // Values of cost.* are on the wall clock: they stand in `cost`.
    if (!cost && result.verdict != Verdict::no_values) json.member("value", result.value);
    json.member("comparison", text_of(gate.watch.bound.compare));
    json.member("bound", gate.watch.bound.value);
    if (gate.watch.bound.tolerance > 0) json.member("tolerance", gate.watch.bound.tolerance);
    json.member("unit", base_unit(gate.dimension));
    if (!cost) {
        json.member("verdict", name_of(result.verdict));
        if (result.verdict != Verdict::no_values) json.member("margin_ppb", result.margin_ppb);
        json.member("values", result.values);
        if (result.worst.any) {
            json.object("worst");
            if (!result.worst_bot.empty()) json.member("peer", result.worst_bot);
            json.member("tick", result.worst_tick);
            json.member("time", result.worst.at.ns);
            json.member("value", result.worst.value);
            if (result.worst.lane != Spot::no_lane)
                json.member("lane", lane_name(result.worst.lane));
            json.member("direction", way_text(result.worst.way));
            json.end_object();
        }
        json.member("peers", result.bots_in_scope);
        json.member("breaking_peers", result.bots_breaking);
        json.member("left_out_peers", result.bots_left_out);
        if (result.windows > 0) {
            json.member("windows", result.windows);
            json.member("breaking_windows", result.windows_breaking);
            json.member("deciding_window", result.window_start.ns);
        }
        if (!result.weather.empty()) json.member("weather", result.weather);
    }
    json.end_object();
}

}  // namespace

void write_build(JsonWriter& json) {
    const BuildInfo build = build_info();
    json.object("wavetank");
    json.member("version", build.version);
    json.member("commit", build.commit);
    json.member("compiler", build.compiler);
    json.member("options", build.options);
    json.end_object();
}

void write_drawn(JsonWriter& json, const std::vector<Drawn>& drawn) {
    if (drawn.empty()) return;
    json.object("drawn");
    for (const Drawn& each : drawn)
        json.member(each.path, each.value);
    json.end_object();
}

void write_scenario_head(JsonWriter& json, const Scenario& scenario) {
    json.member("name", scenario.name);
    json.member("file", scenario.file);
    json.member("about", scenario.about);
    json.member("language", language_version);
    json.member("sha256", sha256_of(scenario.resolved_text));
    write_texts(json, "parents", scenario.parents);
    write_texts(json, "settings", scenario.settings);
    if (!scenario.variant.empty()) json.member("variant", scenario.variant);
}

namespace {

void write_counts(JsonWriter& json, std::string_view name, const std::vector<NamedCount>& counts) {
    json.object(name);
    for (const NamedCount& count : counts)
        json.member(count.name, count.count);
    json.end_object();
}

void write_real_time(JsonWriter& json, const RealTimeResult& real) {
    json.object("real_time");
    json.member("side", real.side);
    json.member("address", real.address);
    write_texts(json, "unseen_gates", real.unseen_gates);
    write_texts(json, "left_out", real.left_out);
    write_counts(json, "sockets", real.counts);
    write_counts(json, "refused", real.refusals);
    json.member("late_ns_max", real.late_max.ns);
    json.member("late_steps", real.late_steps);
    json.end_object();
}

void write_run(JsonWriter& json, const Scenario& scenario, const RunResult& result) {
    json.object("run");
    json.member("seed", result.seed);
    const bool secure = scenario.transport.kind == TransportKind::secure;
    const bool own = scenario.transport.kind == TransportKind::own;
    json.member("transport", secure ? "secure" : own ? "own" : "loopback");
    const bool real = scenario.transport.cipher == CipherKind::chacha20_poly1305;
    json.member("cipher", !secure ? "none" : real ? "chacha20-poly1305" : "null");
    json.member("insecure", !secure || !real);
    json.member("profile", scenario.transport.profile);
    json.object("bots");
    for (const BotGroup& group : scenario.groups)
        json.member(group.name, group.count);
    json.end_object();
    json.array("phases");
    for (const Phase& phase : scenario.phases) {
        json.begin_object();
        json.member("name", phase.name);
        json.member("start", phase.start.ns);
        json.member("end", phase.end.ns);
        json.end_object();
    }
    json.end_array();
    json.member("virtual_ns", result.ran_until.ns);
    if (result.real_time.has_value()) write_real_time(json, *result.real_time);
    json.end_object();
}

void write_verdict(JsonWriter& json, const RunResult& result) {
    const GateCounts counts = count_gates(result.gates);
    const int code = result.exit_code();
    json.object("verdict");
    json.member("verdict", verdict_word(code));
    json.member("exit_code", code);
    json.member("passed", counts.passed);
    json.member("failed", counts.failed);
    json.member("not_counted", counts.not_counted);
    if (!result.bug.empty()) json.member("bug", result.bug);
    if (!result.idle_faults.empty()) write_texts(json, "idle_faults", result.idle_faults);
    json.end_object();
}

void write_peers(JsonWriter& json, const RunResult& result, bool all) {
    json.array("peers");
    for (const std::size_t index : peers_shown(result, all)) {
        const PeerResult& peer = result.peers[index];
        const RunResult::PeerFigures& figures = result.figures[index];
        json.begin_object();
        json.member("name", peer.name);
        json.member("group", peer.group);
        json.member("state", peer.state);
        if (!peer.close_reason.empty()) json.member("close_reason", peer.close_reason);
        json.member("queue_age_max", figures.queue_age_max);
        json.member("rtt_max", figures.rtt_max);
        json.member("latency_max", figures.latency_max);
        json.member("snapshot_age_max", figures.snapshot_age_max);
        json.member("silence_max", figures.silence_max);
        json.member("retransmits", figures.retransmits);
        json.member("datagrams_up", figures.datagrams_up);
        json.member("datagrams_down", figures.datagrams_down);
        json.member("bytes_up", figures.bytes_up);
        json.member("bytes_down", figures.bytes_down);
        json.member("drops", figures.drops);
        json.member("disconnects", figures.disconnects);
        json.end_object();
    }
    json.end_array();
}

void write_direction(JsonWriter& json, std::string_view name, const LinkDirectionResult& link) {
    json.object(name);
    json.member("sent", link.sent);
    json.member("delivered", link.delivered);
    json.member("duplicated", link.duplicated);
    json.member("reordered", link.reordered);
    json.member("in_flight", link.in_flight);
    json.object("drops");
    for (const NamedCount& drop : link.drops)
        json.member(drop.name, drop.count);
    json.end_object();
    json.key("delay");
    write_stats(json, metric(MetricId::links_delay), link.delay);
    json.end_object();
}

void write_links(JsonWriter& json, const RunResult& result) {
    json.object("links");
    for (const LinkResult& link : result.links) {
        json.object(link.name);
        json.member("instances", link.instances);
        json.member("shared", link.shared);
        write_direction(json, "up", link.up);
        write_direction(json, "down", link.down);
        json.end_object();
    }
    json.end_object();
}

void write_acts(JsonWriter& json, const RunResult& result) {
    json.array("acts");
    for (const ActResult& act : result.acts) {
        json.begin_object();
        json.member("name", act.name);
        json.member("do", act.what);
        json.member("start", act.start.ns);
        if (act.end != Instant::never()) json.member("end", act.end.ns);
        write_texts(json, "targets", act.targets);
        json.member("hits", act.hits);
        if (!act.selector.empty()) {
            json.member("what", act.selector);
            json.object("also_lost");
            for (const NamedCount& kind : act.also_lost)
                json.member(kind.name, kind.count);
            json.end_object();
        }
        json.end_object();
    }
    json.end_array();
}

void write_conservation(JsonWriter& json, const RunResult& result) {
    json.object("conservation");
    const auto direction = [&](std::string_view name, const Conservation& sums) {
        json.object(name);
        json.member("sent", sums.sent);
        json.member("duplicated", sums.duplicated);
        json.member("delivered", sums.delivered);
        json.member("dropped", sums.dropped);
        json.member("in_flight", sums.in_flight);
        json.member("holds", sums.holds());
        json.end_object();
    };
    direction("up", result.up);
    direction("down", result.down);
    json.end_object();
}

void write_digest(JsonWriter& json, const RunResult& result) {
    json.object("digest");
    json.member("version", digest_version);
    json.member("value", format_hex(result.digest.high, 16) + format_hex(result.digest.low, 16));
    json.member("events", result.events);
    json.member("last_draw", format_hex(result.last_draw, 16));
    json.end_object();
}

void write_cost(JsonWriter& json, const RunResult& result) {
    const CostResult& cost = result.cost;
    json.object("cost");
    json.member("wall_ns", cost.wall_ns);
    json.member("cpu_ns", cost.cpu_ns);
    json.member("memory_bytes", cost.memory_bytes);
    // Each worker has pools of its own.
    json.member("pool_growth", result.pool_growth);
    json.array("gates");
    for (const GateResult& gate : result.gates) {
        if (!gate.gate.needs_cost) continue;
        json.begin_object();
        json.member("name", gate.gate.name);
        json.member("verdict", name_of(gate.verdict));
        json.member("holds", gate.holds);
        json.member("value", gate.value);
        json.member("values", gate.values);
        json.end_object();
    }
    json.end_array();
    write_metrics(json, cost.metrics);
    json.end_object();
}

}  // namespace

std::string json_report(const Scenario& scenario, const RunResult& result,
                        const ReportOptions& options) {
    JsonWriter json;
    json.begin_object();
    json.member("schema", json_schema);
    write_build(json);
    json.object("scenario");
    write_scenario_head(json, scenario);
    write_drawn(json, scenario.drawn);
    json.end_object();
    write_run(json, scenario, result);
    write_verdict(json, result);
    json.array("gates");
    for (const GateResult& gate : result.gates)
        write_gate(json, gate);
    json.end_array();
    write_metrics(json, result.metrics);
    write_peers(json, result, options.all_peers);
    write_links(json, result);
    write_acts(json, result);
    write_conservation(json, result);
    if (!result.real_time.has_value()) write_digest(json, result);
    json.object("repeat");
    json.member("run", repeat_command(scenario, result, options.file));
    json.end_object();
    write_cost(json, result);
    json.end_object();
    return json.take();
}

}  // namespace wt::sim
