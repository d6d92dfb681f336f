// SPDX-License-Identifier: MIT
//
// [bots.NAME], and the words that name bots: groups, numbers, targets.
#include <algorithm>
#include <array>

#include "simulator/link/presets.hpp"
#include "simulator/scenario/reader.hpp"

namespace wt::sim {

namespace {

constexpr std::int64_t bots_max = 100'000;

struct BehaviourWord {
    std::string_view text;
    BehaviourKind kind;
};
constexpr auto behaviours = std::to_array<BehaviourWord>({
    {"idle", BehaviourKind::idle},
    {"runner", BehaviourKind::runner},
    {"chatter", BehaviourKind::chatter},
    {"joiner", BehaviourKind::joiner},
    {"hoarder", BehaviourKind::hoarder},
    {"reporter", BehaviourKind::reporter},
    {"fighter", BehaviourKind::fighter},
    {"laggard", BehaviourKind::laggard},
    {"scripted", BehaviourKind::scripted},
    {"flooder", BehaviourKind::flooder},
    {"ticket_thief", BehaviourKind::ticket_thief},
    {"never_reads", BehaviourKind::never_reads},
    {"forger", BehaviourKind::forger},
    {"replayer", BehaviourKind::replayer},
});

bool is_playing(BehaviourKind kind) {
    return kind < BehaviourKind::scripted;
}

const BehaviourWord* find_behaviour(std::string_view word) {
    const auto found = std::find_if(behaviours.begin(), behaviours.end(),
                                    [&](const BehaviourWord& each) { return each.text == word; });
    return found == behaviours.end() ? nullptr : &*found;
}

std::vector<std::string> behaviour_words() {
    std::vector<std::string> words;
    for (const BehaviourWord& each : behaviours)
        words.emplace_back(each.text);
    return words;
}

// The group's own behaviour: every word of the language.
void read_own_behaviour(Keys& keys, const Member& member, BotGroup& group) {
    Reading& reading = keys.reading();
    const std::vector<std::string> words = behaviour_words();
    if (const Node* value = keys.take("behaviour")) {
        const BehaviourWord* const found =
            value->is_string() ? find_behaviour(value->text) : nullptr;
        if (found != nullptr) {
            group.behaviour = found->kind;
            return;
        }
        if (!value->is_string()) {
            keys.problem(*value, "a behaviour is a word", joined(words));
            return;
        }
        std::string hint = did_you_mean(value->text, words);
        if (hint.empty()) hint = "one of: " + joined(words);
        keys.problem(*value, "unknown behaviour \"" + value->text + "\"", hint);
    } else if (const BehaviourWord* const named = find_behaviour(member.key)) {
        group.behaviour = named->kind;
    } else {
        Problem& problem =
            reading.add(member.key_place, "[bots." + member.key + "] needs a behaviour",
                        did_you_mean(member.key, words));
        problem.notes.push_back("one of: " + joined(words));
    }
}

void read_reconnect(Keys& outer, BotGroup& group) {
    const Node* table = outer.table("reconnect");
    if (table == nullptr) return;
    Keys keys(*table, outer.title() + " reconnect", outer.reading());
    ReconnectSettings reconnect;
    keys.time("after", reconnect.after);
    keys.time("over", reconnect.over);
    keys.integer("tries", reconnect.tries, {1, 1'000'000});
    keys.finish("[bots.NAME] reconnect");
    group.reconnect = reconnect;
}

void read_link_of(Keys& keys, BotGroup& group) {
    const Node* value = keys.take("link");
    Reading& reading = keys.reading();
    if (value == nullptr) {
        reading.used_links.push_back(group.link);
        return;
    }
    const LinkConfig* link = find_link(*value, reading);
    if (link == nullptr) return;
    group.link = value->text;
    std::vector<LinkConfig>& links = reading.scenario.links;
    const bool own = std::any_of(links.begin(), links.end(), [&](const LinkConfig& candidate) {
        return candidate.name == value->text;
    });
    if (own) return;
    // A preset used directly becomes a link of its own name.
    LinkConfig preset = *link;
    preset.name = value->text;
    links.insert(
        std::upper_bound(links.begin(), links.end(), preset,
                         [](const LinkConfig& a, const LinkConfig& b) { return a.name < b.name; }),
        preset);
}

void read_group(const Member& member, Reading& reading) {
    BotGroup group;
    group.name = member.key;
    Keys keys(member.value, "[bots." + member.key + "]", reading);
    if (!is_name(member.key) || is_reserved_word(member.key)) {
        reading.add(member.key_place, "\"" + member.key + "\" cannot name a group",
                    "small letters, digits and _, and no word of the gate language");
    }
    keys.integer("count", group.count, {1, bots_max});
    read_own_behaviour(keys, member, group);
    read_link_of(keys, group);
    if (const Node* join_at = keys.take("join_at")) {
        if (read_time_point(*join_at, reading, group.join_at) &&
            group.join_at >= reading.scenario.end()) {
            reading.add(join_at->place, "the group joins when the run is over");
        }
    }
    if (keys.time("join_over", group.join_over, {Duration{}, Duration::seconds(86'400)}) &&
        group.join_at + group.join_over > reading.scenario.end()) {
        reading.add(member.value.find("join_over")->place,
                    "the last bots would join when the run is over");
    }
    read_reconnect(keys, group);
    keys.frequency("frame_rate", group.frame_rate, {1, 1'000});
    read_clock(keys, group);
    read_stall(keys, group);
    keys.bytes("receive_buffer", group.receive_buffer, {1'500, 1'073'741'824});
    read_script(keys, group);
    keys.not_built({"clients"});
    keys.finish("[bots.NAME]");
    reading.scenario.groups.push_back(std::move(group));
}

std::vector<std::string> group_names(const std::vector<BotGroup>& groups) {
    std::vector<std::string> names{"all", "server"};
    for (const BotGroup& group : groups)
        names.push_back(group.name);
    return names;
}

bool take_number(std::string_view& text, std::uint32_t& into) {
    std::uint64_t number = 0;
    std::size_t digits = 0;
    while (digits < text.size() && digits < 9 && text[digits] >= '0' && text[digits] <= '9')
        number = number * 10 + static_cast<std::uint64_t>(text[digits++] - '0');
    if (digits == 0) return false;
    text.remove_prefix(digits);
    into = static_cast<std::uint32_t>(number);
    return true;
}

TextError group_error(std::size_t offset, std::string_view word,
                      const std::vector<BotGroup>& groups) {
    const std::vector<std::string> names = group_names(groups);
    return {offset, word.size(), "unknown bots \"" + std::string(word) + "\"",
            did_you_mean(word, names)};
}

const BotGroup* find_group(const std::vector<BotGroup>& groups, std::string_view name) {
    for (const BotGroup& group : groups) {
        if (group.name == name) return &group;
    }
    return nullptr;
}

// "any K of GROUP", the word "any" already seen.
Result<Target, TextError> parse_any(std::string_view word, std::size_t offset,
                                    const std::vector<BotGroup>& groups) {
    std::string_view rest = word.substr(4);
    Target target{.kind = Target::Kind::any};
    if (!take_number(rest, target.any) || !rest.starts_with(" of ")) {
        return unexpected(TextError{
            offset, word.size(), "\"" + std::string(word) + "\" is no target", "any K of GROUP"});
    }
    rest.remove_prefix(4);
    const BotGroup* group = find_group(groups, rest);
    if (group == nullptr)
        return unexpected(group_error(offset + word.size() - rest.size(), rest, groups));
    if (target.any == 0 || target.any > group->count) {
        return unexpected(TextError{
            offset, word.size(),
            "any " + std::to_string(target.any) + " of " + std::to_string(group->count) + " bots",
            "1 to " + std::to_string(group->count)});
    }
    target.group = group->name;
    return target;
}

// "all", "server", GROUP, GROUP-N, GROUP-N..M.
Result<Target, TextError> parse_target(std::string_view word, std::size_t offset,
                                       const std::vector<BotGroup>& groups) {
    if (word == "all") return Target{.kind = Target::Kind::all};
    if (word == "server") return Target{.kind = Target::Kind::server};
    if (word.starts_with("any ")) return parse_any(word, offset, groups);
    const std::size_t dash = word.find('-');
    const BotGroup* group = find_group(groups, word.substr(0, dash));
    if (group == nullptr) return unexpected(group_error(offset, word, groups));
    Target target{.kind = Target::Kind::group, .group = group->name};
    if (dash == std::string_view::npos) return target;
    target.kind = Target::Kind::range;
    std::string_view rest = word.substr(dash + 1);
    bool good = take_number(rest, target.first);
    target.last = target.first;
    if (good && rest.starts_with("..")) {
        rest.remove_prefix(2);
        good = take_number(rest, target.last);
    }
    if (!good || !rest.empty() || target.last < target.first) {
        return unexpected(TextError{offset, word.size(),
                                    "\"" + std::string(word) + "\" is no target",
                                    "GROUP, GROUP-N or GROUP-N..M"});
    }
    if (target.last >= group->count) {
        return unexpected(TextError{offset, word.size(),
                                    "\"" + std::string(word) + "\" is outside the group",
                                    group->name + " has " + std::to_string(group->count) +
                                        " bots, numbers 0.." + std::to_string(group->count - 1)});
    }
    return target;
}

}  // namespace

bool is_behaviour_name(std::string_view word) {
    return find_behaviour(word) != nullptr;
}

bool find_playing_behaviour(std::string_view word, BehaviourKind& into) {
    const BehaviourWord* const found = find_behaviour(word);
    if (found == nullptr || !is_playing(found->kind)) return false;
    into = found->kind;
    return true;
}

std::vector<std::string> playing_behaviours() {
    std::vector<std::string> words;
    for (const BehaviourWord& each : behaviours) {
        if (is_playing(each.kind)) words.emplace_back(each.text);
    }
    return words;
}

bool read_behaviour(const Node& value, Reading& reading, BehaviourKind& into) {
    const std::vector<std::string> words = playing_behaviours();
    if (!value.is_string()) {
        reading.add(value.place, "a behaviour is a word", joined(words));
        return false;
    }
    if (find_playing_behaviour(value.text, into)) return true;
    if (is_behaviour_name(value.text)) {
        reading.add(value.place, "nobody turns " + value.text + " in the middle of a run",
                    "one of: " + joined(words));
        return false;
    }
    std::string hint = did_you_mean(value.text, words);
    if (hint.empty()) hint = "one of: " + joined(words);
    reading.add(value.place, "unknown behaviour \"" + value.text + "\"", hint);
    return false;
}

Result<std::vector<Target>, TextError> parse_targets(std::string_view text,
                                                     const std::vector<BotGroup>& groups) {
    std::vector<Target> targets;
    std::size_t offset = 0;
    for (;;) {
        const std::size_t comma = std::min(text.find(',', offset), text.size());
        std::size_t first = offset;
        while (first < comma && text[first] == ' ')
            ++first;
        std::size_t last = comma;
        while (last > first && text[last - 1] == ' ')
            --last;
        if (first == last) {
            return unexpected(TextError{first, 1, "a target is missing",
                                        "all, server, GROUP, GROUP-N or any K of GROUP"});
        }
        Result<Target, TextError> target =
            parse_target(text.substr(first, last - first), first, groups);
        if (!target) return unexpected(target.error());
        targets.push_back(*target);
        if (comma == text.size()) return targets;
        offset = comma + 1;
    }
}

void read_bots(const Node& document, Reading& reading) {
    reading.section = "bots";
    const Node* bots = document.find("bots");
    if (bots != nullptr && !bots->is_table()) {
        reading.add(bots->place, "bots is a section", "[bots.NAME]");
        return;
    }
    if (bots == nullptr || bots->members.empty()) {
        reading.add({reading.scenario.file, 0, 0, 0}, "the scenario has no bots",
                    "write e.g. [bots.runner] count = 8");
        return;
    }
    for (const Member& member : bots->members) {
        if (member.value.is_table()) {
            read_group(member, reading);
        } else {
            reading.add(member.key_place, "a group of bots is a table",
                        "[bots." + member.key + "]");
        }
    }
    std::vector<BotGroup>& groups = reading.scenario.groups;
    std::sort(groups.begin(), groups.end(),
              [](const BotGroup& a, const BotGroup& b) { return a.name < b.name; });
    std::uint64_t total = 0;
    for (const BotGroup& group : groups)
        total += group.count;
    if (total > static_cast<std::uint64_t>(bots_max)) {
        reading.add(bots->members.front().key_place,
                    "the groups add up to " + std::to_string(total) + " bots", "at most 100,000");
    }
}

}  // namespace wt::sim
