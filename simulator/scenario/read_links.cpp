// SPDX-License-Identifier: MIT
//
// [links.NAME]: a chain of profiles, then the keys of the table for both directions, then those of
// `up` and `down`. A link is resolved when somebody first asks for it, so order in the file does
// not matter; a circle of profiles is found by its link being asked for while it is resolved.
#include <algorithm>
#include <map>

#include "simulator/link/presets.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/link_keys.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "simulator/scenario/reader.hpp"
#include "simulator/scenario/recording.hpp"

namespace wt::sim {

namespace {

enum class State : std::uint8_t { untouched, in_progress, done };

struct Entry {
    const Member* member = nullptr;
    State state = State::untouched;
    LinkConfig link{};
};

using Entries = std::map<std::string, Entry, std::less<>>;

std::vector<std::string> names_of(const Entries& entries) {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries)
        names.push_back(name);
    for (const Preset& preset : all_presets())
        names.push_back(preset.name);
    return names;
}

std::string title_of(const std::string& name) {
    return "[links." + name + "]";
}

void read_nat(Keys& outer, LinkConfig& link) {
    const Node* value = outer.take("nat");
    if (value == nullptr) return;
    if (value->is_string() && value->text == "none") {
        link.nat.reset();
        return;
    }
    const Node* table = outer.table("nat");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " nat", outer.reading());
    NatConfig nat;
    constexpr TimeRange lives{Duration::millis(100), Duration::seconds(24 * 3'600)};
    const bool has_idle = keys.time("idle", nat.idle, lives);
    const bool has_every = keys.time("every", nat.every, lives);
    read_rebind_kind(keys, nat.gives);
    keys.finish("[links.NAME] nat");
    if (!has_idle && !has_every && table->find("idle") == nullptr &&
        table->find("every") == nullptr) {
        keys.problem(*table, "nat needs idle or every",
                     "e.g. nat = { idle = \"30s\", new = \"port\" }");
        return;
    }
    link.nat = nat;
}

// Everything but the profile: `share`, `via`, and the keys of the directions.
void read_own_keys(const Node& table, const std::string& name, LinkConfig& link, Reading& reading) {
    Keys keys(table, title_of(name), reading);
    keys.take("profile");
    if (const Node* share = keys.take("share")) {
        if (share->is_string() && share->text == "all") {
            link.share = {ShareConfig::Kind::all, 0};
        } else if (share->is_string() && share->text == "each") {
            link.share = {};
        } else if (share->kind == Node::Kind::integer) {
            std::uint32_t count = 1;
            if (keys.integer("share", count, {1, 100'000}))
                link.share = {ShareConfig::Kind::count, count};
        } else {
            keys.problem(*share, "share is a number of bots, \"all\" or \"each\"");
        }
    }
    keys.text("via", link.via);
    read_nat(keys, link);
    apply_link_keys(keys, link);
    read_cross_traffic(keys, link);
    keys.finish("[links.NAME]");
}

// Seed 001's own link: a table of integers, and nothing beside it.
bool read_n1(const Node& table, const std::string& name, LinkConfig& link, Reading& reading) {
    const Node* model = table.find("model");
    if (model == nullptr) return false;
    Keys keys(table, title_of(name), reading);
    std::size_t word = 0;
    const std::vector<std::string> models{"n1"};
    keys.choice("model", word, models);
    N1Config n1;
    std::int64_t value = 0;
    if (keys.integer("delay_us", value, {0, 3'600'000'000}))
        n1.delay_us = static_cast<std::uint64_t>(value);
    keys.integer("jitter_us", n1.jitter_us, {0, 3'600'000'000});
    if (keys.integer("loss", value, {0, 10'000}))
        n1.loss_per_ten_thousand = static_cast<std::uint16_t>(value);
    if (keys.integer("duplicate", value, {0, 10'000}))
        n1.duplicate_per_ten_thousand = static_cast<std::uint16_t>(value);
    keys.integer("capacity", value, {32, 32});
    keys.finish("[links.NAME] with model = \"n1\"");
    link.n1 = n1;
    return true;
}

class Resolver {
public:
    Resolver(Entries& entries, Reading& reading) : entries_(entries), reading_(reading) {}

    // Chains of profiles are bounded by the number of links: a circle ends at `in_progress`.
    void resolve(Entry& entry) {
        if (entry.state == State::done) return;
        entry.state = State::in_progress;
        const Node& table = entry.member->value;
        const std::string& name = entry.member->key;
        const Node* profile = table.find("profile");
        if (profile != nullptr) take_profile(*profile, name, entry.link);
        entry.link.name = name;
        if (profile == nullptr || table.members.size() > 1) {
            entry.link.source = reading_.scenario.file == entry.member->key_place.file
                                    ? "this file:"
                                    : entry.member->key_place.file + ":";
            entry.link.source += std::to_string(entry.member->key_place.line);
        }
        if (!read_n1(table, name, entry.link, reading_)) {
            read_own_keys(table, name, entry.link, reading_);
            check_link(table, entry.member->key_place, title_of(name), entry.link, reading_);
        }
        entry.state = State::done;
    }

private:
    void take_profile(const Node& value, const std::string& own_name, LinkConfig& into) {
        if (!value.is_string()) {
            reading_.add(value.place, "profile is the name of a link or a preset");
            return;
        }
        const std::string& wanted = value.text;
        if (wanted.ends_with(".toml")) {
            take_file(value, own_name, into);
            return;
        }
        // A link may bear the name of the preset that it starts from.
        const auto found = entries_.find(wanted);
        if (found != entries_.end() && wanted != own_name) {
            if (found->second.state == State::in_progress) {
                reading_.add(value.place, "the profiles go round in a circle");
                return;
            }
            resolve(found->second);
            into = found->second.link;
            return;
        }
        if (const Preset* preset = find_preset(wanted)) {
            into = preset->config;
            return;
        }
        if (wanted == own_name) {
            reading_.add(value.place, "link \"" + wanted + "\" is its own profile");
            return;
        }
        const std::vector<std::string> names = names_of(entries_);
        reading_.add(value.place, "no link or preset \"" + wanted + "\"",
                     did_you_mean(wanted, names));
    }

    // A file with one link, as `wavetank links NAME` writes it: keys of its directions, and a
    // preset to start from at most.
    void take_file(const Node& value, const std::string& own_name, LinkConfig& into) {
        const std::string path = path_beside(value, reading_);
        const std::optional<std::string> text =
            read_beside(value, "profile", scenario_bytes_max, reading_);
        if (!text) return;
        reading_.sources.add(path, *text);
        const Result<Node, Problem> parsed = parse_toml(*text, path);
        if (!parsed) {
            reading_.problems.push_back(parsed.error());
            return;
        }
        const Node* links = parsed->find("links");
        const bool is_one = links != nullptr && links->is_table() && links->members.size() == 1 &&
                            links->members.front().value.is_table() && parsed->members.size() == 1;
        if (!is_one) {
            reading_.add(value.place, path + " is no profile",
                         "a profile is a file with one [links.NAME] and nothing else");
            return;
        }
        const Member& link = links->members.front();
        Keys keys(link.value, title_of(link.key), reading_);
        if (const Node* base = keys.take("profile")) {
            if (!base->is_string() || base->text.ends_with(".toml") ||
                find_preset(base->text) == nullptr) {
                keys.problem(*base, "a profile's own profile is a preset", "e.g. \"wifi-bad\"");
                return;
            }
            take_profile(*base, own_name, into);
        }
        apply_link_keys(keys, into);
        keys.finish("a profile's [links.NAME]");
        into.source = path;
        keep_hash(value, *text, reading_);
    }

    Entries& entries_;
    Reading& reading_;
};

// Follows `via` from each link: a circle, or more than four links in a row.
void check_chains(const Entries& entries, Reading& reading) {
    constexpr unsigned depth_max = 4;
    for (const auto& [name, entry] : entries) {
        if (entry.link.via.empty()) continue;
        const Node* via = entry.member->value.find("via");
        const Place place = via != nullptr ? via->place : entry.member->key_place;
        const auto next = entries.find(entry.link.via);
        if (next == entries.end()) {
            std::vector<std::string> names;
            for (const auto& [other, unused] : entries)
                names.push_back(other);
            reading.add(place, "no link \"" + entry.link.via + "\" in this file",
                        did_you_mean(entry.link.via, names));
            continue;
        }
        if (entry.link.n1 || next->second.link.n1) {
            reading.add(place, "a link with model \"n1\" stands alone", "it has no via");
            continue;
        }
        unsigned depth = 1;
        const Entry* at = &next->second;
        while (at != nullptr && depth <= depth_max && at != &entry) {
            ++depth;
            const auto found = entries.find(at->link.via);
            at = found == entries.end() ? nullptr : &found->second;
        }
        if (at == &entry) {
            reading.add(place, "via goes round in a circle");
        } else if (depth > depth_max) {
            reading.add(place, "more than 4 links in a row");
        }
    }
}

}  // namespace

void read_links(const Node& document, Reading& reading) {
    reading.section = "links";
    Entries entries;
    const Node* links = document.find("links");
    if (links != nullptr && !links->is_table()) {
        reading.add(links->place, "links is a section", "[links.NAME]");
        links = nullptr;
    }
    if (links != nullptr) {
        for (const Member& member : links->members) {
            if (!member.value.is_table()) {
                reading.add(member.key_place, "a link is a table", "[links." + member.key + "]");
                continue;
            }
            entries[member.key] = {.member = &member, .state = State::untouched, .link = {}};
        }
    }
    Resolver resolver(entries, reading);
    if (links != nullptr) {
        // In the order of the file, so that problems come in that order too.
        for (const Member& member : links->members) {
            if (member.value.is_table()) resolver.resolve(entries[member.key]);
        }
    }
    check_chains(entries, reading);
    for (const auto& [name, entry] : entries) {
        reading.scenario.links.push_back(entry.link);
        if (!entry.link.via.empty()) reading.used_links.push_back(entry.link.via);
        const Node* profile = entry.member->value.find("profile");
        if (profile != nullptr && profile->is_string()) reading.used_links.push_back(profile->text);
    }
    if (entries.find("default") == entries.end()) {
        LinkConfig perfect;
        perfect.name = "default";
        perfect.source = "perfect";
        reading.scenario.links.push_back(perfect);
        std::sort(reading.scenario.links.begin(), reading.scenario.links.end(),
                  [](const LinkConfig& a, const LinkConfig& b) { return a.name < b.name; });
    }
}

const LinkConfig* find_link(const Node& value, Reading& reading) {
    if (!value.is_string()) {
        reading.add(value.place, "the name of a link goes here");
        return nullptr;
    }
    std::vector<std::string> names;
    for (const LinkConfig& link : reading.scenario.links) {
        if (link.name == value.text) {
            reading.used_links.push_back(link.name);
            return &link;
        }
        names.push_back(link.name);
    }
    if (const Preset* preset = find_preset(value.text)) return &preset->config;
    for (const Preset& preset : all_presets())
        names.push_back(preset.name);
    reading.add(value.place, "no link or preset \"" + value.text + "\"",
                did_you_mean(value.text, names));
    return nullptr;
}

}  // namespace wt::sim
