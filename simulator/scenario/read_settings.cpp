// SPDX-License-Identifier: MIT
//
// The sections of fixed keys: [scenario], [server], [world], [transport], [initial].
#include <algorithm>
#include <array>

#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

constexpr Duration phase_max = Duration::seconds(24 * 3'600);
constexpr Duration run_max = Duration::seconds(7 * 24 * 3'600);
constexpr std::size_t phases_max = 64;
constexpr IntegerRange rate_range{1, 1'000};
constexpr std::int64_t u32_max = 4'294'967'295;
constexpr std::int64_t events_per_hour_max = 10'000ll * 3'600;
constexpr std::uint32_t cell_mm = 16'384;

// One "NAME DURATION" of the phases.
bool read_phase(const Node& item, Keys& keys, Phase& phase) {
    if (!item.is_string()) {
        keys.problem(item, "a phase is a text", "\"NAME DURATION\", e.g. \"join 5s\"");
        return false;
    }
    const std::size_t space = item.text.find(' ');
    if (space == std::string::npos) {
        keys.problem(item, "a phase needs a name and a duration",
                     "\"NAME DURATION\", e.g. \"join 5s\"");
        return false;
    }
    phase.name = item.text.substr(0, space);
    if (!is_name(phase.name)) {
        keys.reading().add(place_inside(item, 0, space),
                           "\"" + phase.name + "\" cannot name a phase",
                           "small letters, digits and _, a letter first");
        return false;
    }
    if (is_reserved_word(phase.name)) {
        keys.reading().add(place_inside(item, 0, space),
                           "\"" + phase.name + "\" is a word of the gate language",
                           "call the phase something else");
        return false;
    }
    const std::size_t start = item.text.find_first_not_of(' ', space);
    const std::string duration = start == std::string::npos ? "" : item.text.substr(start);
    const Place place = place_inside(item, std::min(start, item.text.size()), duration.size());
    const Result<Quantity, QuantityError> parsed = parse_quantity(duration, {Dimension::time});
    if (!parsed) {
        keys.reading().add(place, parsed.error().message, parsed.error().hint);
        return false;
    }
    if (parsed->base <= 0 || parsed->duration() > phase_max) {
        keys.reading().add(place, "a phase of \"" + duration + "\" is out of range",
                           "more than 0s, at most 24h");
        return false;
    }
    phase.end = Instant{parsed->base};  // The caller makes it follow the phase before.
    return true;
}

void read_phases(const Node& list, Keys& keys) {
    Scenario& scenario = keys.reading().scenario;
    keys.reading().phases_place = list.place;
    if (list.kind != Node::Kind::array || list.items.empty() || list.items.size() > phases_max) {
        keys.problem(list, "phases is a list of 1 to 64 texts",
                     "e.g. phases = [\"join 5s\", \"play 50s\"]");
        return;
    }
    Instant now{};
    for (const Node& item : list.items) {
        Phase phase;
        if (!read_phase(item, keys, phase)) continue;
        if (find_phase(scenario, phase.name) != nullptr) {
            keys.problem(item, "there are two phases \"" + phase.name + "\"");
            continue;
        }
        phase.start = now;
        phase.end = now + Duration{phase.end.ns};
        now = phase.end;
        scenario.phases.push_back(std::move(phase));
    }
    if (Duration{now.ns} > run_max) keys.problem(list, "the run is too long", "at most 168h");
}

std::string stem_of(const std::string& file) {
    const std::size_t slash = file.find_last_of('/');
    std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
    const std::size_t dot = stem.find_last_of('.');
    if (dot != std::string::npos && dot > 0) stem.erase(dot);
    return stem;
}

const Node& empty_table() {
    static const Node none{};
    return none;
}

// The section's table; an empty one where the file has none or something else stands there.
const Node& section_of(const Node& document, std::string_view name, Reading& reading) {
    reading.section = name;
    const Node* section = document.find(name);
    if (section == nullptr) return empty_table();
    if (section->is_table()) return *section;
    reading.add(section->place, std::string(name) + " is a section", "[" + std::string(name) + "]");
    return empty_table();
}

void read_pacing(Keys& keys, secure::Reliability& reliability) {
    const Node* value = keys.take("pacing");
    if (value == nullptr) return;
    if (value->is_string() && value->text == "none") {
        reliability.pacing = secure::Pacing::none;
        return;
    }
    if (value->is_string() && value->text == "window") {
        reliability.pacing = secure::Pacing::window_over_srtt;
        return;
    }
    BitRate rate;
    if (!keys.rate("pacing", rate)) return;
    reliability.pacing = secure::Pacing::rate;
    reliability.pacing_rate = rate;
}

void read_reliability(Keys& keys, TransportSettings& transport) {
    const std::vector<std::string> profiles{"default", "literal", "tuned"};
    std::size_t profile = 0;
    if (keys.choice("profile", profile, profiles)) transport.profile = profiles[profile];
    if (profile == 1) transport.reliability = secure::Reliability::profile_literal();
    if (profile == 2) transport.reliability = secure::Reliability::profile_tuned();

    secure::Reliability& reliability = transport.reliability;
    std::size_t word = 0;
    const std::vector<std::string> matching{"latest", "any"};
    if (keys.choice("ack_matching", word, matching))
        reliability.ack_matching =
            word == 0 ? secure::AckMatching::latest : secure::AckMatching::any;
    const std::vector<std::string> backoff{"carry", "per_fragment"};
    if (keys.choice("rto_backoff", word, backoff)) {
        reliability.rto_backoff =
            word == 0 ? secure::RtoBackoff::carry : secure::RtoBackoff::per_fragment;
    }
    keys.integer("fast_retransmit", reliability.fast_retransmit, {0, 255});
    keys.integer("send_window", reliability.send_window, {0, 32'767});
    read_pacing(keys, reliability);
    if (reliability.pacing == secure::Pacing::window_over_srtt && reliability.send_window == 0) {
        const Member* member = keys.member("pacing");
        if (member == nullptr) member = keys.member("send_window");
        if (member != nullptr) {
            keys.reading().add(member->key_place, "pacing \"window\" without a send_window",
                               "send_window fragments are spread over a round trip");
        }
    }
}

}  // namespace

void read_scenario_section(const Node& document, Reading& reading) {
    Scenario& scenario = reading.scenario;
    const Node& section = section_of(document, "scenario", reading);
    Keys keys(section, "[scenario]", reading);
    scenario.name = stem_of(scenario.file);
    std::int64_t language = language_version;
    keys.integer("language", language, {1, language_version});
    if (keys.text("name", scenario.name) && scenario.name.empty())
        keys.problem(*section.find("name"), "the name is empty");
    keys.text("about", scenario.about);
    std::int64_t seed = 1;
    if (keys.integer("seed", seed, {0, INT64_MAX}))
        scenario.seed = static_cast<std::uint64_t>(seed);

    const Node* phases = keys.take("phases");
    const Node* duration = keys.take("duration");
    if (phases != nullptr && duration != nullptr) {
        keys.problem(*duration, "phases and duration stand together",
                     "the phases add up to the duration: say one of them");
    } else if (phases != nullptr) {
        read_phases(*phases, keys);
    } else if (duration != nullptr) {
        reading.phases_place = duration->place;
        Duration length{};
        if (keys.time("duration", length, {Duration::nanos(1), phase_max}))
            scenario.phases.push_back({"all", Instant{}, Instant{} + length});
    } else {
        reading.add({scenario.file, 0, 0, 0}, "the scenario has no phases",
                    "write e.g. [scenario] phases = [\"join 5s\", \"play 50s\"]");
    }
    keys.finish("[scenario]");
}

void read_server(const Node& document, Reading& reading) {
    ServerSettings& server = reading.scenario.server;
    const Node& section = section_of(document, "server", reading);
    Keys keys(section, "[server]", reading);
    keys.frequency("tick_rate", server.tick_rate, rate_range);
    keys.frequency("input_rate", server.input_rate, rate_range);
    keys.frequency("snapshot_rate", server.snapshot_rate, rate_range);
    keys.bytes("snapshot_budget", server.snapshot_budget, {32, 1'076});
    keys.integer("max_peers", server.max_peers, {1, 200'000});
    keys.integer("pending_joins", server.pending_joins, {1, 100'000});
    keys.bytes("receive_buffer", server.receive_buffer, {1'500, 1'073'741'824});
    if (keys.text("via", server.via)) {
        if (find_link(*section.find("via"), reading) == nullptr) server.via.clear();
    }
    std::size_t memory = 0;
    const std::vector<std::string> memories{"survives", "lost"};
    if (keys.choice("ticket_memory", memory, memories)) server.tickets_are_forgotten = memory == 1;
    read_cost(keys, server.cost);
    keys.finish("[server]");

    const auto divides = [&](std::string_view key, Frequency rate) {
        if (server.tick_rate.per_second % rate.per_second == 0) return;
        const Member* member = section.member(key);
        if (member == nullptr) member = section.member("tick_rate");
        if (member == nullptr) return;
        reading.add(member->value.place, std::string(key) + " " + std::to_string(rate.per_second) +
                                             " Hz does not divide tick_rate " +
                                             std::to_string(server.tick_rate.per_second) + " Hz");
    };
    divides("input_rate", server.input_rate);
    divides("snapshot_rate", server.snapshot_rate);
}

void read_world(const Node& document, Reading& reading) {
    WorldSettings& world = reading.scenario.world;
    Keys keys(section_of(document, "world", reading), "[world]", reading);
    std::size_t game = 0;
    const std::vector<std::string> games{"arena", "none"};
    if (keys.choice("game", game, games)) {
        world.game = game == 0 ? GameKind::arena : GameKind::none;
    }
    // Slots of 14 bits, of which the avatars and those that wait for a confirmation need some.
    const bool is_arena = world.game == GameKind::arena;
    keys.integer("objects", world.objects, {0, is_arena ? 12'000 : 65'535});
    keys.share("moving", world.moving);
    keys.event_rate("teleport", world.teleports_per_hour, events_per_hour_max);
    keys.event_rate("spawn", world.spawns_per_hour, events_per_hour_max);
    // A cell of the grid is 16,384 mm wide.
    std::uint32_t interest = 0;
    if (keys.length("interest", interest, {1, 16 * cell_mm})) {
        world.interest_cells = static_cast<std::uint8_t>((interest + cell_mm - 1) / cell_mm);
    }
    keys.finish("[world]");
}

void read_transport(const Node& document, Reading& reading) {
    TransportSettings& transport = reading.scenario.transport;
    {
        Keys keys(section_of(document, "transport", reading), "[transport]", reading);
        std::size_t word = 0;
        const std::vector<std::string> kinds{"secure", "loopback", "own"};
        const std::vector<std::string> later{"enet"};
        if (keys.choice("kind", word, kinds, later))
            transport.kind = static_cast<TransportKind>(word);
        if (transport.kind == TransportKind::own && !reading.has_own_protocol) {
            keys.problem(*keys.node().find("kind"), "\"own\" is a protocol of your own",
                         "run the program that brings it: simulator/own/README.md");
        }
        const std::vector<std::string> ciphers{"chacha20-poly1305", "null"};
        if (keys.choice("cipher", word, ciphers))
            transport.cipher = word == 0 ? CipherKind::chacha20_poly1305 : CipherKind::null;
        read_reliability(keys, transport);
        constexpr TimeRange quantum{Duration{}, Duration::seconds(1)};
        keys.time("flush", transport.flush, quantum);
        keys.time("poll", transport.poll, quantum);
        if (const Node* table = keys.table("authorisation")) {
            Keys inner(*table, "[transport.authorisation]", reading);
            inner.time("delay", transport.authorisation_delay, {Duration{}, Duration::seconds(60)});
            inner.integer("at_once", transport.authorisations_at_once, {1, 100'000});
            inner.finish("[transport.authorisation]");
        }
        keys.integer("input_repeats", transport.input_repeats, {0, 16});
        keys.time("timeout", transport.timeout, {Duration::millis(100), Duration::seconds(3'600)});
        keys.time("keepalive", transport.keepalive, {Duration::millis(10), Duration::seconds(600)});
        const std::vector<std::string> rebinds{"challenge", "refuse"};
        if (keys.choice("rebind", word, rebinds)) {
            transport.rebind = word == 0 ? secure::Rebind::challenge : secure::Rebind::refuse;
        }
        keys.not_built({"clients"});
        keys.finish("[transport]");
        if (transport.keepalive >= transport.timeout) {
            const Member* member = keys.member("keepalive");
            if (member == nullptr) member = keys.member("timeout");
            if (member != nullptr) {
                reading.add(
                    member->value.place, "keepalive is not shorter than timeout",
                    exact_time(transport.keepalive) + " and " + exact_time(transport.timeout));
            }
        }
    }
    secure::InitialCounters& initial = transport.initial;
    Keys keys(section_of(document, "initial", reading), "[initial]", reading);
    std::int64_t value = 0;
    if (keys.integer("transmission_sequence", value, {0, 65'535}))
        initial.transmission_sequence = static_cast<std::uint16_t>(value);
    if (keys.integer("message_id", value, {0, 65'535}))
        initial.message_id = static_cast<std::uint16_t>(value);
    if (keys.integer("packet_number", value, {0, INT64_MAX}))
        initial.packet_number = static_cast<std::uint64_t>(value);
    if (keys.integer("record_counter", value, {0, INT64_MAX}))
        initial.record_counter = static_cast<std::uint64_t>(value);
    keys.integer("tick", transport.initial_tick, {0, u32_max});
    // 1 is every negotiation's own.
    if (keys.integer("epoch", value, {2, INT64_MAX}))
        transport.initial_epoch = static_cast<std::uint64_t>(value);
    keys.finish("[initial]");
}

}  // namespace wt::sim
