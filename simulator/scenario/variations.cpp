// SPDX-License-Identifier: MIT
#include "simulator/scenario/variations.hpp"

#include <algorithm>

#include "engine/base/mutated.hpp"
#include "engine/base/rng.hpp"
#include "simulator/scenario/settings.hpp"
#include "simulator/scenario/vary_range.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t variants_max = 64;
constexpr std::size_t varied_max = 64;
constexpr std::size_t choices_max = 1'000;

// A path of the document that stands as a key: no column of it is known.
SettingPath path_of(const Member& member) {
    return setting_path(member.key, member.key_place, false);
}

bool is_path(const Member& member, const char* section, Reading& reading) {
    if (member.key.find('.') != std::string::npos) return true;
    reading.add(member.key_place, "\"" + member.key + "\" is not a path",
                std::string("a path in quotes, as of --set: [") + section +
                    "] \"links.default.rtt\" = ...");
    return false;
}

void choose_variant(const Node& variants, const std::string& name, Node& document,
                    Reading& reading) {
    const Node* const chosen = variants.find(name);
    if (chosen == nullptr) {
        reading.sources.add("--variant", name);
        const Place place{"--variant", 1, 1,
                          static_cast<std::uint32_t>(std::max<std::size_t>(name.size(), 1))};
        std::string hint = did_you_mean(name, reading.scenario.variants);
        if (hint.empty() && !reading.scenario.variants.empty())
            hint = "one of: " + joined(reading.scenario.variants);
        if (hint.empty()) hint = "the file has no [variants.NAME]";
        reading.add(place, "no variant \"" + name + "\" in " + reading.scenario.file, hint);
        return;
    }
    if (!chosen->is_table()) return;
    for (const Member& member : chosen->members) {
        if (!is_path(member, "variants.NAME", reading)) continue;
        put_at(document, path_of(member), member.value, reading);
        reading.fixed_paths.push_back(path_of(member).parts);
    }
}

// The range that a member of [vary] says; none after a problem.
std::optional<VaryRange> range_of(const Member& member, Reading& reading) {
    const Node& value = member.value;
    if (value.is_string()) {
        Result<VaryRange, TextError> range = VaryRange::parse(value.text);
        if (range) return *range;
        const TextError& error = range.error();
        reading.add(place_inside(value, error.offset, error.length), error.message, error.hint);
        return std::nullopt;
    }
    const auto is_choice = [](const Node& item) {
        return item.is_string() || item.kind == Node::Kind::integer ||
               item.kind == Node::Kind::boolean;
    };
    const bool is_list = value.kind == Node::Kind::array && !value.items.empty() &&
                         value.items.size() <= choices_max &&
                         std::all_of(value.items.begin(), value.items.end(), is_choice);
    if (is_list) return VaryRange::of_choices(value.items);
    reading.add(value.place, "a varied path takes a range or a list of 1 to 1,000 values",
                "\"10ms..300ms\", \"0%..10% step 1%\" or [\"keep\", \"free\"]");
    return std::nullopt;
}

void draw_one(const Member& member, Node& document, std::uint64_t seed, Reading& reading) {
    if (!is_path(member, "vary", reading)) return;
    const SettingPath path = path_of(member);
    if (path.parts[0] == "vars" || path.parts[0] == "vary" || path.parts[0] == "scenario") {
        reading.add(member.key_place, "[" + path.parts[0] + "] cannot be varied",
                    "vary what it is used for");
        return;
    }
    const std::optional<VaryRange> range = range_of(member, reading);
    if (!range) return;
    const LuckKey luck = LuckKey::root(seed).with("vary").with(member.key);
    Node value = range->value(uniform_below(luck.draw(0), range->count()));
    const auto at_home = [&](Node node) {
        node.place = member.value.place;
        node.verbatim = false;
        return node;
    };
    if (!put_at(document, path, at_home(value), reading)) return;
    Drawn& drawn = reading.scenario.drawn.emplace_back();
    drawn.path = member.key;
    drawn.value = value.is_string() ? value.text : print_value(value);
    drawn.place = member.value.place;
    drawn.source_line = reading.sources.line(member.value.place);
    // A range is as good as its ends; a list as each of its values.
    const bool is_list = member.value.kind == Node::Kind::array;
    const std::uint64_t stride = is_list ? 1 : range->count() - 1;
    for (std::uint64_t i = 0; i < range->count(); i += stride) {
        const Node end = range->value(i);
        drawn.extremes.push_back(end.is_string() ? end.text : print_value(end));
    }
}

}  // namespace

void apply_variant(Node& document, const std::string& name, Reading& reading) {
    reading.section = "variants";
    Node variants;
    if (const Node* section = document.find("variants")) {
        if (!section->is_table() || section->members.size() > variants_max) {
            reading.add(section->place, "variants are at most 64 tables", "[variants.NAME]");
        } else {
            variants = *section;
        }
    }
    for (const Member& member : variants.members) {
        reading.scenario.variants.push_back(member.key);
        if (!member.value.is_table())
            reading.add(member.key_place, "a variant is a table", "[variants." + member.key + "]");
        else if (!is_name(member.key))
            reading.add(member.key_place, "\"" + member.key + "\" cannot name a variant",
                        "small letters, digits and _, a letter first");
    }
    if (name.empty()) return;
    reading.scenario.variant = name;
    document.erase("variants");
    choose_variant(variants, name, document, reading);
}

void fix_varied_paths(Node& document, const std::vector<std::string>& settings, Reading& reading) {
    Node* const vary = document.find("vary");
    if (vary == nullptr || !vary->is_table() || mutated<"vary-fixed">()) return;
    for (const std::string& setting : settings) {
        const SettingPath path = setting_path(setting.substr(0, setting.find('=')), {}, false);
        reading.fixed_paths.push_back(path.parts);
    }
    std::erase_if(vary->members, [&](const Member& member) {
        return std::find(reading.fixed_paths.begin(), reading.fixed_paths.end(),
                         path_of(member).parts) != reading.fixed_paths.end();
    });
}

void draw_varied(Node& document, std::uint64_t seed, Reading& reading) {
    reading.section = "vary";
    document.erase("variants");
    const Node* const section = document.find("vary");
    if (section == nullptr) return;
    if (!section->is_table() || section->members.size() > varied_max) {
        reading.add(section->place, "vary is a section of at most 64 paths",
                    "[vary] and lines of \"PATH\" = \"A..B\"");
        return;
    }
    const Node vary = *section;
    document.erase("vary");
    for (const Member& member : vary.members)
        draw_one(member, document, seed, reading);
}

}  // namespace wt::sim
