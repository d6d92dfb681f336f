// SPDX-License-Identifier: MIT
#include "simulator/scenario/recording.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/base/hash.hpp"
#include "engine/base/wide.hpp"
#include "simulator/scenario/read_scenario.hpp"

namespace wt::sim {

namespace {

constexpr std::size_t recording_bytes_max = std::size_t{16} << 20;
constexpr std::size_t opportunities_max = 2'000'000;
constexpr std::uint64_t number_max = 1'000'000'000'000;
constexpr std::int64_t millisecond = 1'000'000;

// The next line of `text`, without its end and without spaces around it.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
        line.remove_suffix(1);
    while (!line.empty() && line.front() == ' ')
        line.remove_prefix(1);
    return line;
}

bool read_number(std::string_view text, std::uint64_t& into) {
    if (text.empty() || text.size() > 12) return false;
    into = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        into = into * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return into < number_max;
}

Result<OpportunityTrace, RecordingError> finished(OpportunityTrace trace, std::size_t line) {
    if (trace.times.empty()) return unexpected(RecordingError{line, "nothing ever passes"});
    if (trace.period <= Duration{})
        return unexpected(RecordingError{line, "the recording has no length"});
    return trace;
}

std::string beside(const std::string& file, const std::string& name) {
    const std::size_t slash = file.find_last_of('/');
    if (name.starts_with('/') || slash == std::string::npos) return name;
    return file.substr(0, slash + 1) + name;
}

// A whole millisecond a line, as ns.
Result<std::vector<std::int64_t>, RecordingError> parse_milliseconds(std::string_view text) {
    std::vector<std::int64_t> instants;
    std::size_t line = 0;
    while (!text.empty()) {
        const std::string_view word = take_line(text);
        ++line;
        if (word.empty() && text.empty()) break;
        std::uint64_t ms = 0;
        if (!read_number(word, ms)) return unexpected(RecordingError{line, "no millisecond"});
        if (instants.size() == opportunities_max)
            return unexpected(RecordingError{line, "more than 2,000,000 lines"});
        instants.push_back(static_cast<std::int64_t>(ms) * millisecond);
    }
    return instants;
}

}  // namespace

Result<OpportunityTrace, RecordingError> parse_mahimahi(std::string_view text) {
    Result<std::vector<std::int64_t>, RecordingError> instants = parse_milliseconds(text);
    if (!instants) return unexpected(instants.error());
    const auto back = std::adjacent_find(instants->begin(), instants->end(), std::greater<>());
    if (back != instants->end()) {
        // Of the two the second.
        const std::size_t line = static_cast<std::size_t>(back - instants->begin()) + 2;
        return unexpected(RecordingError{line, "time goes back"});
    }
    const std::size_t lines = instants->size();
    const Duration period{instants->empty() ? 0 : instants->back()};
    return finished({std::move(*instants), period, opportunity_bytes, true}, lines);
}

Result<OpportunityTrace, RecordingError> parse_rate_csv(std::string_view text) {
    OpportunityTrace trace{.times = {}, .period = {}, .bytes = opportunity_bytes, .wraps = true};
    if (take_line(text) != "time_ms,kbit_s")
        return unexpected(RecordingError{1, "the first line is time_ms,kbit_s"});
    std::size_t line = 1;
    std::uint64_t since = 0;
    std::uint64_t rate = 0;
    std::uint64_t bits = 0;  // Of the next opportunity, so far.
    bool has_any = false;
    constexpr std::uint64_t needed = std::uint64_t{opportunity_bytes} * 8;
    while (!text.empty()) {
        const std::string_view words = take_line(text);
        ++line;
        if (words.empty() && text.empty()) break;
        const std::size_t comma = words.find(',');
        std::uint64_t at = 0;
        std::uint64_t next_rate = 0;
        // A kbit/s is a bit a millisecond.
        if (comma == std::string_view::npos || !read_number(words.substr(0, comma), at) ||
            !read_number(words.substr(comma + 1), next_rate))
            return unexpected(RecordingError{line, "no millisecond and rate"});
        if ((has_any && at <= since) || (!has_any && at != 0))
            return unexpected(
                RecordingError{line, has_any ? "time goes back" : "the first time is 0"});
        if (has_any) {
            const std::uint64_t more = (at - since) * rate;
            const std::uint64_t count = (bits + more) / needed;
            if (trace.times.size() + count > opportunities_max)
                return unexpected(RecordingError{line, "more than 2,000,000 opportunities"});
            for (std::uint64_t i = 1; i <= count; ++i) {
                // When the bits of one more opportunity have come together.
                const std::uint64_t ns =
                    (i * needed - bits) * static_cast<std::uint64_t>(millisecond) / rate;
                trace.times.push_back(static_cast<std::int64_t>(since) * millisecond +
                                      static_cast<std::int64_t>(ns));
            }
            bits = bits + more - count * needed;
        }
        has_any = true;
        since = at;
        rate = next_rate;
        trace.period = {static_cast<std::int64_t>(at) * millisecond};
    }
    return finished(std::move(trace), line);
}

Result<LatenessList, RecordingError> parse_arrivals(std::string_view text) {
    Result<std::vector<std::int64_t>, RecordingError> instants = parse_milliseconds(text);
    if (!instants) return unexpected(instants.error());
    LatenessList list{.late = std::move(*instants)};
    const std::size_t lines = list.late.size();
    const std::int64_t count = static_cast<std::int64_t>(lines);
    if (count < 2) return unexpected(RecordingError{lines, "fewer than two arrivals"});
    const std::int64_t whole = list.late.back() - list.late.front();
    if (whole <= 0) return unexpected(RecordingError{lines, "the last one came before the first"});
    // Their sum stays exact: each place is worked out from the whole.
    for (std::int64_t i = 0; i < count; ++i) {
        const SignedWide sent = static_cast<SignedWide>(whole) * i / (count - 1);
        list.late[static_cast<std::size_t>(i)] -= static_cast<std::int64_t>(sent);
    }
    const std::int64_t least = *std::min_element(list.late.begin(), list.late.end());
    for (std::int64_t& late : list.late)
        late -= least;
    return list;
}

Result<DelayTable, RecordingError> parse_delay_table(std::string_view text) {
    constexpr std::size_t values_max = 16'384;  // As in netem.
    DelayTable table;
    std::size_t line = 0;
    while (!text.empty()) {
        std::string_view rest = take_line(text);
        ++line;
        rest = rest.substr(0, rest.find('#'));
        while (!rest.empty()) {
            const std::size_t start = rest.find_first_not_of(" \t");
            if (start == std::string_view::npos) break;
            rest.remove_prefix(start);
            const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
            std::string_view word = rest.substr(0, end);
            rest.remove_prefix(end);
            const bool is_negative = word.starts_with('-');
            if (is_negative) word.remove_prefix(1);
            std::uint64_t size = 0;
            if (!read_number(word, size) || size > (is_negative ? 32'768u : 32'767u))
                return unexpected(RecordingError{line, "no whole number from -32,768 to 32,767"});
            if (table.above_least.size() == values_max)
                return unexpected(RecordingError{line, "more than 16,384 values"});
            const std::int64_t value = static_cast<std::int64_t>(size);
            table.above_least.push_back(is_negative ? -value : value);
        }
    }
    if (table.above_least.size() < 2)
        return unexpected(RecordingError{line, "fewer than two values"});
    std::sort(table.above_least.begin(), table.above_least.end());
    const std::int64_t least = table.above_least.front();
    for (std::int64_t& value : table.above_least)
        value -= least;
    if (table.median() == 0)
        return unexpected(RecordingError{line, "half of the values are the least one"});
    return table;
}

std::string path_beside(const Node& value, const Reading& reading) {
    const bool is_setting = value.place.line == 0 || value.place.file.starts_with("--");
    return beside(is_setting ? reading.scenario.file : value.place.file, value.text);
}

std::optional<std::string> read_beside(const Node& value, const char* what, std::size_t bytes_max,
                                       Reading& reading) {
    const std::string path = path_beside(value, reading);
    Result<std::string, std::string> text = read_text_file(path, bytes_max);
    if (!text) {
        reading.add(value.place, std::string("cannot read the ") + what + " " + path, text.error());
        return std::nullopt;
    }
    return std::move(*text);
}

void keep_hash(const Node& value, const std::string& text, Reading& reading) {
    reading.scenario.resolved_text +=
        "# " + value.text + ": hash " + std::to_string(hash_bytes(bytes_of(text), 0)) + "\n";
}

namespace {

// What the parser made of it. The text's hash becomes part of the scenario's.
template <class Parsed>
std::shared_ptr<Parsed> kept(Result<Parsed, RecordingError> parsed, const Node& value,
                             const std::string& text, const char* hint, Reading& reading) {
    if (!parsed) {
        reading.add(value.place,
                    path_beside(value, reading) + ":" + std::to_string(parsed.error().line) + ": " +
                        parsed.error().message,
                    hint);
        return nullptr;
    }
    keep_hash(value, text, reading);
    return std::make_shared<Parsed>(std::move(*parsed));
}

}  // namespace

bool read_recording(const Node& value, bool wraps, Reading& reading, TraceConfig& into) {
    const std::size_t dot = value.text.find_last_of('.');
    const std::string ending = dot == std::string::npos ? "" : value.text.substr(dot + 1);
    const bool is_csv = ending == "csv";
    const bool is_list = ending == "txt";
    if (!is_csv && !is_list && ending != "up" && ending != "down" && ending != "mahimahi") {
        reading.add(value.place, "\"" + value.text + "\" is no kind of recording that is known",
                    "by its ending: .up, .down, .mahimahi (Mahimahi), .csv or .txt (arrivals)");
        return false;
    }
    const std::optional<std::string> text =
        read_beside(value, "recording", recording_bytes_max, reading);
    if (!text) return false;
    const char* const a_line = "a line is a whole number of milliseconds";
    if (is_list) {
        const std::shared_ptr<LatenessList> list =
            kept(parse_arrivals(*text), value, *text, a_line, reading);
        if (list != nullptr) list->wraps = wraps;
        into.lateness = list;
        return list != nullptr;
    }
    const std::shared_ptr<OpportunityTrace> trace =
        kept(is_csv ? parse_rate_csv(*text) : parse_mahimahi(*text), value, *text,
             is_csv ? "time_ms,kbit_s and lines like 250,4800" : a_line, reading);
    if (trace != nullptr) trace->wraps = wraps;
    into.opportunities = trace;
    return trace != nullptr;
}

std::shared_ptr<const DelayTable> read_delay_table(const Node& value, Reading& reading) {
    if (!value.text.ends_with(".dist")) {
        reading.add(value.place, "\"" + value.text + "\" is no table of a distribution",
                    "a file of netem's kind, by its ending .dist");
        return nullptr;
    }
    const std::optional<std::string> text =
        read_beside(value, "table", recording_bytes_max, reading);
    if (!text) return nullptr;
    return kept(parse_delay_table(*text), value, *text,
                "whole numbers of 16 bits with spaces between them", reading);
}

}  // namespace wt::sim
