// SPDX-License-Identifier: MIT
//
// Problems with their places, and typed access to the keys of one table.
#include "simulator/scenario/reader.hpp"

#include <algorithm>

#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

// What was written, in words for a message.
std::string written(const Node& value) {
    switch (value.kind) {
        case Node::Kind::string:
            return in_quotes(value.text);
        case Node::Kind::table:
            return "a table";
        case Node::Kind::array:
            return "an array";
        case Node::Kind::integer:
        case Node::Kind::boolean:
        case Node::Kind::real:
        case Node::Kind::date:
            return print_value(value);
    }
    return "";
}

std::string_view usual_unit(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "ms";
        case Dimension::bytes:
            return "B";
        case Dimension::rate:
            return "Mbit/s";
        case Dimension::share:
            return "%";
        case Dimension::frequency:
            return "Hz";
        case Dimension::packets:
            return " packets";
        case Dimension::length:
            return "mm";
        case Dimension::ratio:
            return "x";
        case Dimension::count:
            return "";
    }
    return "";
}

// `write e.g. rtt = "200ms"`: with the number that was written, where it is a plain one.
std::string usual_text(std::string_view key, std::string_view number, Dimension dimension) {
    const bool plain = !number.empty() && number.size() <= 6 &&
                       number.find_first_not_of("0123456789") == std::string_view::npos;
    const std::string shown = plain ? std::string(number) : "20";
    std::string note = "write e.g. " + std::string(key) + " = ";
    if (dimension == Dimension::count) return note + shown;
    note += in_quotes(shown + std::string(usual_unit(dimension)));
    if (key == "rtt") note += "   (one_way_delay for a single direction)";
    return note;
}

}  // namespace

Problem Reading::make(const Place& place, std::string message, std::string hint) const {
    Problem problem;
    problem.place = place;
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    problem.source_line = sources.line(place);
    problem.section = section;
    if (!place.file.empty() && place.file != scenario.file && place.file != "--set") {
        const std::vector<std::string>& parents = scenario.parents;
        const bool is_parent =
            std::find(parents.begin(), parents.end(), place.file) != parents.end();
        problem.notes.push_back((is_parent ? "in a parent of " : "in a profile of ") +
                                scenario.file);
    }
    return problem;
}

Problem& Reading::add(const Place& place, std::string message, std::string hint) {
    problems.push_back(make(place, std::move(message), std::move(hint)));
    return problems.back();
}

Place place_inside(const Node& value, std::size_t offset, std::size_t length) {
    if (!value.verbatim) return value.place;
    Place place = value.place;
    place.column += 1 + static_cast<std::uint32_t>(offset);
    place.length = static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
    return place;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::string near = nearest_name(word, candidates);
    return near.empty() ? "" : "did you mean " + in_quotes(near) + "?";
}

std::string joined(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string not_built_yet(std::string_view word) {
    return in_quotes(word) + " is not built yet";
}

const Node* Keys::take(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
    return table_.find(key);
}

bool Keys::out_of_range(std::string_view key, const Node& value, const std::string& range) {
    problem(value, std::string(key) + " = " + written(value) + " is out of range", range);
    return false;
}

bool Keys::quantity(std::string_view key, const Node& value,
                    std::initializer_list<Dimension> accepted, Quantity& into) {
    const Dimension first = *accepted.begin();
    if (value.kind == Node::Kind::integer) {
        Problem& found = problem(value, written(value) + " has no unit", units_of(first));
        found.notes.insert(found.notes.begin(),
                           usual_text(key, std::to_string(value.integer), first));
        return false;
    }
    if (value.kind == Node::Kind::real) {
        Problem& found = problem(value, written(value) + " is a bare float", units_of(first));
        found.notes.insert(found.notes.begin(), usual_text(key, "", first));
        return false;
    }
    if (!value.is_string()) {
        Problem& found =
            problem(value, std::string(key) + " cannot be " + written(value), units_of(first));
        found.notes.insert(found.notes.begin(), usual_text(key, "", first));
        return false;
    }
    Result<Quantity, QuantityError> parsed = parse_quantity(value.text, accepted);
    if (!parsed) {
        Problem& found = problem(value, parsed.error().message, parsed.error().hint);
        found.notes.insert(found.notes.begin(), usual_text(key, value.text, first));
        return false;
    }
    into = *parsed;
    return true;
}

bool Keys::time(std::string_view key, Duration& into, TimeRange range) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::time}, found)) return false;
    if (found.duration() < range.least || found.duration() > range.most) {
        return out_of_range(key, *value, exact_time(range.least) + " to " + exact_time(range.most));
    }
    into = found.duration();
    return true;
}

bool Keys::share(std::string_view key, Chance& into) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::share}, found)) return false;
    if (found.negative || found.base > 1'000'000'000) {
        return out_of_range(key, *value, "0% to 100%");
    }
    into = found.chance();
    return true;
}

bool Keys::event_rate(std::string_view key, std::uint64_t& into, std::int64_t most) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::frequency}, found)) return false;
    if (found.negative || found.base > most) {
        return out_of_range(key, *value, "0/s to " + std::to_string(most / 3'600) + "/s");
    }
    into = static_cast<std::uint64_t>(found.base);
    return true;
}

bool Keys::length(std::string_view key, std::uint32_t& into, IntegerRange range) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::length}, found)) return false;
    if (found.negative || found.base < range.least || found.base > range.most) {
        return out_of_range(
            key, *value,
            std::to_string(range.least) + "mm to " + std::to_string(range.most) + "mm");
    }
    into = static_cast<std::uint32_t>(found.base);
    return true;
}

bool Keys::bytes(std::string_view key, std::uint32_t& into, IntegerRange range) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::bytes}, found)) return false;
    if (found.base < range.least || found.base > range.most) {
        return out_of_range(key, *value,
                            exact_bytes(static_cast<std::uint64_t>(range.least)) + " to " +
                                exact_bytes(static_cast<std::uint64_t>(range.most)));
    }
    into = static_cast<std::uint32_t>(found.base);
    return true;
}

bool Keys::rate(std::string_view key, BitRate& into) {
    const Node* value = take(key);
    if (value == nullptr) return false;
    if (value->is_string() && value->text == "none") {
        into = {};
        return true;
    }
    Quantity found;
    if (!quantity(key, *value, {Dimension::rate}, found)) return false;
    constexpr std::int64_t most = 1'000'000'000'000;
    if (found.base < 1 || found.base > most)
        return out_of_range(key, *value, "1bit/s to 1000Gbit/s, or \"none\" for no limit");
    into = {static_cast<std::uint64_t>(found.base)};
    return true;
}

bool Keys::frequency(std::string_view key, Frequency& into, IntegerRange range) {
    const Node* value = take(key);
    Quantity found;
    if (value == nullptr || !quantity(key, *value, {Dimension::frequency}, found)) return false;
    constexpr std::int64_t seconds_an_hour = 3'600;
    const std::int64_t per_second = found.base / seconds_an_hour;
    if (found.base % seconds_an_hour != 0 || per_second < range.least || per_second > range.most) {
        return out_of_range(key, *value,
                            "whole numbers from " + std::to_string(range.least) + "Hz to " +
                                std::to_string(range.most) + "Hz");
    }
    into = {static_cast<std::uint32_t>(per_second)};
    return true;
}

bool Keys::integer(std::string_view key, std::int64_t& into, IntegerRange range) {
    const Node* value = take(key);
    if (value == nullptr) return false;
    if (value->kind != Node::Kind::integer) {
        Problem& found =
            problem(*value, std::string(key) + " = " + written(*value) + " is not a whole number",
                    "a bare integer, without quotes or unit");
        found.notes.insert(
            found.notes.begin(),
            usual_text(key, value->is_string() ? value->text : "", Dimension::count));
        return false;
    }
    if (value->integer < range.least || value->integer > range.most) {
        return out_of_range(
            key, *value,
            std::to_string(range.least) + " to " + grouped(static_cast<std::uint64_t>(range.most)));
    }
    into = value->integer;
    return true;
}

bool Keys::integer(std::string_view key, std::uint32_t& into, IntegerRange range) {
    std::int64_t value = 0;
    if (!integer(key, value, range)) return false;
    into = static_cast<std::uint32_t>(value);
    return true;
}

bool Keys::flag(std::string_view key, bool& into) {
    const Node* value = take(key);
    if (value == nullptr) return false;
    if (value->kind != Node::Kind::boolean) {
        problem(*value, std::string(key) + " = " + written(*value) + " is not true or false");
        return false;
    }
    into = value->boolean;
    return true;
}

bool Keys::text(std::string_view key, std::string& into) {
    const Node* value = take(key);
    if (value == nullptr) return false;
    if (!value->is_string()) {
        problem(*value, std::string(key) + " cannot be " + written(*value), "a text in quotes");
        return false;
    }
    into = value->text;
    return true;
}

bool Keys::choice(std::string_view key, std::size_t& into, std::span<const std::string> words,
                  std::span<const std::string> later) {
    std::string word;
    if (!text(key, word)) return false;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) {
        into = static_cast<std::size_t>(found - words.begin());
        return true;
    }
    const Node& value = *table_.find(key);
    if (std::find(later.begin(), later.end(), word) != later.end()) {
        problem(value, not_built_yet(word), "this build has: " + joined(words));
        return false;
    }
    std::string hint = did_you_mean(word, words);
    if (hint.empty()) hint = "one of: " + joined(words);
    problem(value, "unknown " + std::string(key) + " " + in_quotes(word), std::move(hint));
    return false;
}

const Node* Keys::table(std::string_view key) {
    const Node* value = take(key);
    if (value == nullptr) return nullptr;
    if (value->is_table()) return value;
    problem(*value, std::string(key) + " is a table, not " + written(*value));
    return nullptr;
}

void Keys::not_built(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (take(key) == nullptr) continue;
        reading_.add(table_.member(key)->key_place, not_built_yet(key) + " in " + title_);
    }
}

void Keys::finish(std::string_view kind) {
    std::vector<std::string> sorted = known_;
    std::sort(sorted.begin(), sorted.end());
    for (const Member& member : table_.members) {
        if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
        Problem& found =
            reading_.add(member.key_place, "unknown key " + in_quotes(member.key) + " in " + title_,
                         did_you_mean(member.key, sorted));
        std::string knows = std::string(kind) + " knows: ";
        constexpr std::size_t shown_max = 40;
        const std::size_t shown = std::min(sorted.size(), shown_max);
        knows += joined(std::span(sorted).first(shown));
        if (shown < sorted.size()) knows += ", ...";
        found.notes.insert(found.notes.begin(), knows);
    }
}

}  // namespace wt::sim
