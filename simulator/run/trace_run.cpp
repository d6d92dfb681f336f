// SPDX-License-Identifier: MIT
#include "simulator/run/trace_run.hpp"

#include <algorithm>

#include "engine/arena/schemas.hpp"
#include "simulator/report/build_info.hpp"
#include "simulator/report/format.hpp"
#include "simulator/run/act_expansion.hpp"

namespace wt::sim {

namespace {

void add_peers(const TraceOptions& options, const Scenario& scenario, const BuiltWorld& built,
               std::uint64_t seed, trace::About& about) {
    std::vector<std::uint8_t> is_full(built.names.size(), options.peers.empty() ? 1 : 0);
    if (!options.peers.empty()) {
        const HostIndex index(scenario);
        for (const std::uint32_t host : index.resolve(options.peers, seed, "trace", 0))
            is_full[host] = 1;
    }
    about.groups.emplace_back("server");
    for (const BotGroup& group : scenario.groups)
        about.groups.push_back(group.name);
    for (std::size_t host = 0; host < built.names.size(); ++host) {
        const std::string& group = built.names[host].group;
        const auto found = std::find(about.groups.begin() + 1, about.groups.end(), group);
        trace::PeerEntry& peer = about.peers.emplace_back();
        peer.name = text_of(built.names[host]);
        peer.group =
            host == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(found - about.groups.begin());
        // What the server says of itself is little.
        peer.is_full = host == 0 || is_full[host] != 0;
    }
}

void add_acts(const Scenario& scenario, std::uint64_t seed, trace::About& about) {
    const HostIndex index(scenario);
    for (const Firing& firing : firings_of(scenario, index, seed)) {
        trace::ActEntry& act = about.acts.emplace_back();
        act.name = firing.act->name;
        act.verb = name_of(firing.act->what);
        act.link = firing.act->link;
        act.start = firing.start.ns;
        act.end = firing.end.ns;
        for (const std::uint32_t host : firing.hosts)
            act.targets.push_back(static_cast<std::uint16_t>(host));
    }
    std::stable_sort(
        about.acts.begin(), about.acts.end(),
        [](const trace::ActEntry& a, const trace::ActEntry& b) { return a.start < b.start; });
    // Their numbers are 16 bits in records; a scenario with more repetitions keeps the first ones.
    constexpr std::size_t acts_max = 65'535;
    if (about.acts.size() > acts_max) about.acts.resize(acts_max);
}

// A gate that failed, as something to jump to.
std::optional<trace::Anomaly> anomaly_of(const trace::GateOutcome& gate, std::size_t number) {
    if (!gate.is_failed() || gate.worst_time < 0) return std::nullopt;
    return trace::Anomaly{.time = gate.worst_time,
                          .record = trace::no_record,
                          .value = gate.worst_number,
                          .peer = gate.worst_peer,
                          .anomaly = static_cast<std::uint16_t>(trace::AnomalyKind::gate),
                          .detail = static_cast<std::uint32_t>(number)};
}

}  // namespace

trace::About about_run(const TraceOptions& options, const Scenario& scenario,
                       const BuiltWorld& built, std::uint64_t seed) {
    trace::About about;
    about.scenario = scenario.name;
    about.file = scenario.file;
    about.text = scenario.resolved_text;
    about.build = version_line();
    const bool is_secure = scenario.transport.kind == TransportKind::secure;
    const bool is_own = scenario.transport.kind == TransportKind::own;
    about.transport = is_secure ? "secure" : is_own ? "own" : "loopback";
    if (is_secure)
        about.cipher = scenario.transport.cipher == CipherKind::null ? "null" : "chacha20-poly1305";
    about.input_rate = scenario.server.input_rate.per_second;
    about.snapshot_rate = scenario.server.snapshot_rate.per_second;
    about.last_ns = options.last.ns;
    about.has_payload = options.payload;
    add_peers(options, scenario, built, seed, about);
    for (const Phase& phase : scenario.phases)
        about.phases.push_back({phase.name, phase.start.ns, phase.end.ns});
    add_acts(scenario, seed, about);
    for (const GateText& gate : scenario.gates)
        about.gates.push_back({gate.name, gate.text});
    trace::add_words(about);
    return about;
}

trace::Header header_of(const Scenario& scenario, const BuiltWorld& built, std::uint64_t seed) {
    trace::Header header;
    header.seed = seed;
    if (built.game != GameKind::none) header.schema_hash = arena::schemas().hash();
    header.end = scenario.end().ns;
    header.digest_version = static_cast<std::uint32_t>(digest_version);
    header.tick_rate = scenario.server.tick_rate.per_second;
    header.initial_tick = scenario.transport.initial_tick;
    header.peers = static_cast<std::uint32_t>(built.names.size());
    return header;
}

trace::Outcome outcome_of(const RunResult& result) {
    trace::Outcome outcome;
    outcome.ran_until = result.ran_until.ns;
    outcome.digest = result.digest;
    outcome.events = result.events;
    outcome.last_draw = result.last_draw;
    outcome.exit_code = static_cast<std::uint8_t>(result.exit_code());
    for (const GateResult& gate : result.gates) {
        // The wall clock's verdicts are no part of what two traces of one run share.
        if (metric(gate.gate.watch.metric).is_cost()) continue;
        trace::GateOutcome& out = outcome.gates.emplace_back();
        out.name = gate.gate.name;
        out.subject = gate.gate.subject;
        out.verdict = name_of(gate.verdict);
        out.value = format_gate_value(gate);
        out.bound = format_bound(gate.gate);
        out.number = gate.value;
        if (!gate.worst.any) continue;
        out.worst_number = gate.worst.value;
        out.worst_time = gate.worst.at.ns;
        if (gate.worst.bot != no_bot)
            out.worst_peer = static_cast<std::uint16_t>(gate.worst.bot + 1);
    }
    return outcome;
}

TraceRun::TraceRun(const TraceOptions& options, const Scenario& scenario, const BuiltWorld& built,
                   std::uint64_t seed)
    : output_(options.memory != nullptr ? trace::Output(*options.memory)
                                        : trace::Output(options.path)),
      writer_(header_of(scenario, built, seed), about_run(options, scenario, built, seed), output_),
      capture_(writer_, {scenario.server.tick_rate, scenario.transport.initial_tick},
               {.datagram = scenario.server.cost.datagram,
                .join = scenario.server.cost.handshake,
                .object = scenario.server.cost.object}) {}

bool TraceRun::finish(const RunResult& result, bool has_cost) {
    trace::Writer::Ending ending;
    ending.end_ns = result.ran_until.ns;
    ending.outcome = outcome_of(result);
    for (std::size_t i = 0; i < ending.outcome.gates.size(); ++i) {
        if (const auto anomaly = anomaly_of(ending.outcome.gates[i], i))
            writer_.add_anomaly(*anomaly);
    }
    if (has_cost) {
        ending.wall = capture_.wall();
        ending.wall->wall_ns = result.cost.wall_ns;
        ending.wall->cpu_ns = result.cost.cpu_ns;
        ending.wall->memory_bytes = result.cost.memory_bytes;
    }
    return writer_.finish(ending);
}

}  // namespace wt::sim
