// SPDX-License-Identifier: MIT
//
// Names, time points, gate texts, and the checks that need the whole scenario.
#include <algorithm>
#include <array>

#include "engine/arena/player.hpp"
#include "engine/prediction/input_message.hpp"
#include "engine/replication/schema.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t gates_max = 500;

std::vector<std::string> phase_names(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const Phase& phase : scenario.phases)
        names.push_back(phase.name);
    return names;
}

void check_phases(const Node& document, Reading& reading) {
    reading.section = "scenario";
    const Scenario& scenario = reading.scenario;
    const Node* section = document.find("scenario");
    const Node* list = section != nullptr ? section->find("phases") : nullptr;
    const std::int64_t tick = 1'000'000'000 / scenario.server.tick_rate.per_second;
    for (std::size_t i = 0; i < scenario.phases.size(); ++i) {
        const Phase& phase = scenario.phases[i];
        if ((phase.end - phase.start).ns >= tick) continue;
        const bool listed = list != nullptr && i < list->items.size() &&
                            list->items.size() == scenario.phases.size();
        reading.add(listed ? list->items[i].place : reading.phases_place,
                    "phase \"" + phase.name + "\" is shorter than one tick",
                    exact_time(phase.end - phase.start) + " at " +
                        std::to_string(scenario.server.tick_rate.per_second) + " Hz");
    }
}

// Where a key stands, or its section, or the file's beginning.
Place place_of_key(const Node& document, std::string_view section, std::string_view key) {
    const Node* table = document.find(section);
    if (table == nullptr) return document.place;
    const Member* member = table->member(key);
    return member != nullptr ? member->value.place : table->place;
}

// What the sample game can do at all.
void check_game(const Node& document, Reading& reading) {
    // Head, application's block and an absolute state or two.
    constexpr std::uint32_t budget_min = 256;
    // Some slots wait for somebody to confirm a despawn.
    constexpr std::uint32_t slots_spare = 64;
    constexpr std::uint32_t slots_max = replication::slots_max - slots_spare;
    using arena::tick_rate_max;
    using arena::tick_rate_min;
    using prediction::commands_max;
    const Scenario& scenario = reading.scenario;
    if (scenario.world.game != GameKind::arena) return;
    const std::string advice = "or [world] game = \"none\"";
    reading.section = "server";
    const ServerSettings& server = scenario.server;
    const std::uint32_t rate = server.tick_rate.per_second;
    if (rate < tick_rate_min || rate > tick_rate_max) {
        reading.add(place_of_key(document, "server", "tick_rate"),
                    "the game does not run at " + std::to_string(rate) + " Hz",
                    std::to_string(tick_rate_min) + "Hz to " + std::to_string(tick_rate_max) +
                        "Hz, " + advice);
        return;
    }
    if (server.snapshot_budget < budget_min) {
        reading.add(place_of_key(document, "server", "snapshot_budget"),
                    "a snapshot of the game does not fit " + exact_bytes(server.snapshot_budget),
                    "at least " + exact_bytes(budget_min) + ", " + advice);
    }
    // A message names so many ticks: those since the last one, and each repeat as many.
    const std::uint32_t ratio = rate / std::max(server.input_rate.per_second, 1u);
    const std::uint32_t commands = (scenario.transport.input_repeats + 1) * std::max(ratio, 1u);
    if (commands > commands_max) {
        reading.add(place_of_key(document, "transport", "input_repeats"),
                    "an input of " + std::to_string(commands) + " ticks is too long",
                    "(input_repeats + 1) x tick_rate / input_rate is at most " +
                        std::to_string(commands_max));
    }
    reading.section = "world";
    if (std::uint64_t{scenario.world.objects} + server.max_peers > slots_max) {
        reading.add(place_of_key(document, "world", "objects"),
                    std::to_string(std::uint64_t{scenario.world.objects} + server.max_peers) +
                        " objects and players are too many",
                    "at most " + std::to_string(slots_max) + " together, " + advice);
    }
}

// Who needs what: scripts and crooks play the game, and some need a transport that is worth
// fooling.
void check_behaviours(const Node& document, Reading& reading) {
    reading.section = "bots";
    const Scenario& scenario = reading.scenario;
    for (const BotGroup& group : scenario.groups) {
        const bool is_special = group.behaviour >= BehaviourKind::scripted;
        if (is_special && scenario.world.game != GameKind::arena) {
            reading.add(place_of_key(document, "bots", group.name),
                        "[bots." + group.name + "] needs the game",
                        "[world] game = \"arena\", the default");
        }
        const bool is_secure = scenario.transport.kind == TransportKind::secure;
        if (group.is_hostile() && !is_secure) {
            reading.add(place_of_key(document, "bots", group.name),
                        "[bots." + group.name + "] has nothing to attack on " +
                            (scenario.transport.kind == TransportKind::own ? "your own protocol"
                                                                           : "loopback"),
                        "[transport] kind = \"secure\"");
        }
    }
}

// Each firing of an exact fault is looked at with each datagram while the run lasts.
void check_faults(const Node& document, Reading& reading) {
    constexpr std::int64_t firings_max = 10'000;
    reading.section = "at";
    std::int64_t firings = 0;
    for (const Act& act : reading.scenario.acts) {
        if (!act.fault.has_value()) continue;
        const bool repeats = act.every > Duration{} && act.every_until > act.start;
        firings += repeats ? (act.every_until - act.start).ns / act.every.ns + 1 : 1;
    }
    const Node* acts = document.find("at");
    if (firings <= firings_max || acts == nullptr) return;
    reading.add(acts->place, "the exact faults fire " + std::to_string(firings) + " times",
                "at most 10,000 in all: a longer every");
}

void warn_unused_links(const Node& document, Reading& reading) {
    reading.section = "links";
    const Node* links = document.find("links");
    if (links == nullptr || !links->is_table()) return;
    for (const Member& member : links->members) {
        const auto& used = reading.used_links;
        if (std::find(used.begin(), used.end(), member.key) != used.end()) continue;
        reading.scenario.warnings.push_back(reading.make(
            member.key_place, "link \"" + member.key + "\" is not used by anybody", ""));
    }
}

}  // namespace

bool is_name(std::string_view word) {
    if (word.empty() || word.size() > 40 || word[0] < 'a' || word[0] > 'z') return false;
    return std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

bool is_reserved_word(std::string_view word) {
    constexpr auto words = std::to_array<std::string_view>(
        {"in",   "from", "to",   "after", "of",  "on",     "for",    "every", "up",
         "down", "both", "peer", "per",   "all", "phase",  "server", "any",   "total",
         "min",  "mean", "max",  "last",  "off", "second", "minute"});
    return std::find(words.begin(), words.end(), word) != words.end();
}

const Phase* find_phase(const Scenario& scenario, std::string_view name) {
    for (const Phase& phase : scenario.phases) {
        if (phase.name == name) return &phase;
    }
    return nullptr;
}

bool read_time_point(const Node& value, Reading& reading, Instant& into) {
    if (!value.is_string()) {
        reading.add(value.place, "a point in time is a text",
                    "e.g. \"5s\", \"play\" or \"play+5s\"");
        return false;
    }
    const std::string& text = value.text;
    const bool has_phase = !text.empty() && text[0] >= 'a' && text[0] <= 'z';
    Instant base{};
    std::size_t offset = 0;
    if (has_phase) {
        const std::size_t plus = text.find('+');
        const std::string name = text.substr(0, plus);
        const Phase* phase = find_phase(reading.scenario, name);
        if (phase == nullptr) {
            const std::vector<std::string> names = phase_names(reading.scenario);
            Problem& problem =
                reading.add(place_inside(value, 0, name.size()), "unknown phase \"" + name + "\"",
                            did_you_mean(name, names));
            problem.notes.push_back("phases of this file: " + joined(names) + " (line " +
                                    std::to_string(reading.phases_place.line) + ")");
            return false;
        }
        base = phase->start;
        if (plus == std::string::npos) {
            into = base;
            return true;
        }
        offset = plus + 1;
    }
    const Result<Quantity, QuantityError> parsed =
        parse_quantity(std::string_view(text).substr(offset), {Dimension::time});
    if (!parsed) {
        reading.add(place_inside(value, offset, text.size() - offset), parsed.error().message,
                    parsed.error().hint);
        return false;
    }
    if (parsed->base < 0) {
        reading.add(value.place, "a point in time cannot be negative");
        return false;
    }
    into = base + parsed->duration();
    return true;
}

void read_gates(const Node& document, Reading& reading) {
    reading.section = "gates";
    const Node* gates = document.find("gates");
    if (gates == nullptr) return;
    if (!gates->is_table() || gates->members.size() > gates_max) {
        reading.add(gates->place, "gates is a section of at most 500 lines",
                    "[gates] and lines of NAME = \"...\"");
        return;
    }
    for (const Member& member : gates->members) {
        if (!member.value.is_string()) {
            reading.add(member.value.place, "a gate is a text",
                        "e.g. \"peers.rtt p95 < 150ms in play\"");
            continue;
        }
        GateText gate;
        gate.name = member.key;
        gate.text = member.value.text;
        gate.place = member.value.place;
        gate.verbatim = member.value.verbatim;
        gate.source_line = reading.sources.line(member.value.place);
        reading.scenario.gates.push_back(std::move(gate));
    }
}

void check_scenario(const Node& document, Reading& reading) {
    check_phases(document, reading);
    Scenario& scenario = reading.scenario;
    if (scenario.server.max_peers == 0) scenario.server.max_peers = scenario.bot_count() + 16;
    if (scenario.transport.kind != TransportKind::secure &&
        scenario.transport.cipher == CipherKind::null) {
        const Node* transport = document.find("transport");
        const Member* cipher = transport != nullptr ? transport->member("cipher") : nullptr;
        if (cipher != nullptr) {
            reading.section = "transport";
            reading.add(cipher->value.place, "only \"secure\" has a cipher of ours",
                        "leave the key out");
        }
    }
    // A protocol of somebody's own need not have what a game needs.
    if (scenario.transport.kind == TransportKind::own) {
        const Node* const world = document.find("world");
        const bool says_game = world != nullptr && world->is_table() && world->find("game");
        if (!says_game) scenario.world.game = GameKind::none;
    }
    check_game(document, reading);
    check_behaviours(document, reading);
    check_faults(document, reading);
    warn_unused_links(document, reading);
}

}  // namespace wt::sim
