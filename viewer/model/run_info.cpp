// SPDX-License-Identifier: MIT
#include "viewer/model/run_info.hpp"

#include <algorithm>

#include "simulator/scenario/read_scenario.hpp"
#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

std::string title_of(const std::string& key) {
    std::string title = key;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

sim::Dimension dimension_of(const std::string& unit) {
    if (unit == "us") return sim::Dimension::time;
    if (unit == "B") return sim::Dimension::bytes;
    return unit == "mm" ? sim::Dimension::length : sim::Dimension::count;
}

bool is_servers(const std::string& key) {
    return key == "objects_visited" || key.starts_with("tick_");
}

// What the scenario inside a trace declares; a text that this build cannot read declares nothing.
WorkCosts costs_of(const trace::About& about) {
    WorkCosts costs;
    const sim::HostCost declared =
        sim::read_text_partly(about.text, about.file, {}).scenario.server.cost;
    if (declared.datagram == Duration{} && declared.object == Duration{}) return costs;
    return {declared.datagram.ns, declared.object.ns, true};
}

void add_series(const trace::About& about, RunInfo& info, std::vector<SeriesOrigin>& origins) {
    for (std::size_t i = 0; i < about.series.size(); ++i) {
        const trace::SeriesEntry& entry = about.series[i];
        const bool is_sum = entry.fold == trace::Fold::sum;
        info.series.push_back({.key = entry.name,
                               .title = title_of(entry.name),
                               .dimension = dimension_of(entry.unit),
                               .is_sum = is_sum,
                               .is_servers = is_servers(entry.name)});
        origins.push_back({.first = static_cast<std::uint32_t>(i),
                           .second = -1,
                           .scale = entry.unit == "us" ? 1'000 : 1,
                           .is_sum = is_sum});
    }
    // Both directions as one: what a person asks for first.
    struct Joined {
        const char* key;
        const char* title;
        const char* first;
        const char* second;
    };
    constexpr Joined joined[] = {
        {"queue_age", "queue age", "queue_age_up", "queue_age_down"},
        {"lost", "lost", "lost_up", "lost_down"},
        {"bytes", "bytes", "bytes_up", "bytes_down"},
    };
    for (const Joined& one : joined) {
        const int first = info.find_series(one.first);
        const int second = info.find_series(one.second);
        if (first < 0 || second < 0) continue;
        const SeriesInfo like = info.series[static_cast<std::size_t>(first)];
        SeriesOrigin origin = origins[static_cast<std::size_t>(first)];
        origin.second = second;
        info.series.push_back({.key = one.key,
                               .title = one.title,
                               .dimension = like.dimension,
                               .is_sum = like.is_sum});
        origins.push_back(origin);
    }
}

// "peers.queue_age p99 <= 50ms in play": the series, and the bound in base units, where the gate
// holds single values of one below something.
void read_bound(const std::string& text, RunInfo& info, GateInfo& gate) {
    if (!text.starts_with("peers.") || text.find(" on ") != std::string::npos) return;
    const std::size_t space = text.find(' ');
    const std::size_t less = text.find('<');
    if (space == std::string::npos || less == std::string::npos || less < space) return;
    const std::string statistic = text.substr(space + 1, less - space - 1);
    if (!statistic.starts_with("p") && !statistic.starts_with("max")) return;
    if (statistic.starts_with("per ")) return;
    const std::string key = text.substr(6, space - 6);
    const int series = info.find_series(key);
    if (series < 0) return;
    std::size_t from = less + 1;
    while (from < text.size() && (text[from] == '=' || text[from] == ' '))
        ++from;
    const std::string bound = text.substr(from, text.find(' ', from) - from);
    const auto parsed =
        sim::parse_quantity(bound, {info.series[static_cast<std::size_t>(series)].dimension});
    if (!parsed) return;
    gate.series = key;
    gate.series_bound = parsed->base;
}

}  // namespace

RunInfo run_info_of(const trace::Header& header, const trace::About& about,
                    std::vector<SeriesOrigin>& origins) {
    RunInfo info;
    info.title = about.scenario;
    info.scenario = about.scenario;
    info.seed = header.seed;
    info.build = about.build;
    info.transport = about.transport + (about.cipher.empty() ? "" : ", " + about.cipher);
    if (header.tick_rate > 0) info.tick_ns = 1'000'000'000 / header.tick_rate;
    info.cell_ns = trace::cell_ns;
    info.initial_tick = header.initial_tick;
    info.costs = costs_of(about);
    for (const trace::PeerEntry& peer : about.peers) {
        const bool has_group = peer.group < about.groups.size();
        info.peers.push_back({peer.name, has_group ? about.groups[peer.group] : "", peer.is_full});
        if (info.peers.size() > first_bot && peer.is_full) ++info.recorded_bots;
    }
    for (const trace::PhaseEntry& phase : about.phases)
        info.phases.push_back({phase.name, {{phase.start}, {phase.end}}});
    for (const trace::ActEntry& act : about.acts) {
        const std::int64_t end = std::min(act.end, header.end);
        info.acts.push_back(
            {act.name, act.verb + (act.link.empty() ? "" : " " + act.link), {{act.start}, {end}}});
    }
    add_series(about, info, origins);
    for (const trace::GateEntry& entry : about.gates) {
        GateInfo gate;
        gate.name = entry.name;
        gate.text = entry.text;
        read_bound(entry.text, info, gate);
        info.gates.push_back(std::move(gate));
    }
    for (const trace::Word& word : about.anomalies) {
        if (word.value >= info.anomaly_kinds.size() && word.value < 256)
            info.anomaly_kinds.resize(word.value + 1);
        if (word.value < info.anomaly_kinds.size())
            info.anomaly_kinds[word.value] = title_of(word.name);
    }
    return info;
}

void add_outcome(const trace::Outcome& outcome, RunInfo& info) {
    for (std::size_t i = 0; i < outcome.gates.size() && i < info.gates.size(); ++i) {
        const trace::GateOutcome& from = outcome.gates[i];
        GateInfo& gate = info.gates[i];
        gate.value = from.value;
        gate.bound = from.bound;
        gate.state = from.is_failed()                ? GateInfo::State::fail
                     : from.verdict == "ok"          ? GateInfo::State::ok
                     : from.verdict == "not_counted" ? GateInfo::State::not_counted
                                                     : GateInfo::State::pending;
        if (from.worst_peer < info.peers.size()) gate.worst_peer = from.worst_peer;
        if (from.worst_time >= 0) gate.worst_at = {from.worst_time};
    }
}

AnomalyInfo anomaly_of(const trace::Anomaly& anomaly, const trace::About& about,
                       const RunInfo& info) {
    AnomalyInfo out;
    out.kind = anomaly.anomaly < info.anomaly_kinds.size() ? anomaly.anomaly : std::uint16_t{0};
    out.at = {anomaly.time};
    out.peer = anomaly.peer < info.peers.size() ? anomaly.peer : no_peer;
    out.record = anomaly.record;
    const std::uint64_t value =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, anomaly.value));
    switch (static_cast<trace::AnomalyKind>(anomaly.anomaly)) {
        case trace::AnomalyKind::gate:
            if (anomaly.detail < info.gates.size()) out.text = info.gates[anomaly.detail].name;
            break;
        case trace::AnomalyKind::disconnect:
            out.text = trace::word_of(about.reasons, anomaly.detail);
            break;
        case trace::AnomalyKind::backpressure:
            out.text = trace::word_of(about.statuses, anomaly.detail);
            break;
        case trace::AnomalyKind::loss_burst:
            out.text = count_text(value) + " in a row";
            break;
        case trace::AnomalyKind::backoff:
            out.text = "transmission " + count_text(value);
            break;
        case trace::AnomalyKind::queue_age:
        case trace::AnomalyKind::rtt_spike:
            out.text = value_text(sim::Dimension::time, anomaly.value * 1'000);
            break;
        case trace::AnomalyKind::correction:
            out.text = value_text(sim::Dimension::length, anomaly.value);
            break;
        case trace::AnomalyKind::input_missing:
            out.text = count_text(value) + " ticks";
            break;
        case trace::AnomalyKind::refused:
            out.text = count_text(value) + " at once";
            break;
        case trace::AnomalyKind::tick_overrun:
            out.text = value_text(sim::Dimension::time, anomaly.value * 1'000);
            break;
        case trace::AnomalyKind::trace_drop:
            out.text = count_text(value) + " records";
            break;
        case trace::AnomalyKind::baseline_miss:
        case trace::AnomalyKind::desync:
        case trace::AnomalyKind::ticket_refused:
            break;
    }
    return out;
}

}  // namespace wt::viewer
