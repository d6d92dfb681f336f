// SPDX-License-Identifier: MIT
#include "simulator/scenario/recording.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"
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

}  // namespace

Result<OpportunityTrace, RecordingError> parse_mahimahi(std::string_view text) {
    OpportunityTrace trace{.times = {}, .period = {}, .bytes = opportunity_bytes, .wraps = true};
    std::size_t line = 0;
    while (!text.empty()) {
        const std::string_view word = take_line(text);
        ++line;
        if (word.empty() && text.empty()) break;
        std::uint64_t ms = 0;
        if (!read_number(word, ms)) return unexpected(RecordingError{line, "no millisecond"});
        const std::int64_t at = static_cast<std::int64_t>(ms) * millisecond;
        if (!trace.times.empty() && at < trace.times.back())
            return unexpected(RecordingError{line, "time goes back"});
        if (trace.times.size() == opportunities_max)
            return unexpected(RecordingError{line, "more than 2,000,000 opportunities"});
        trace.times.push_back(at);
        trace.period = {at};
    }
    return finished(std::move(trace), line);
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

std::shared_ptr<const OpportunityTrace> read_recording(const Node& value, bool wraps,
                                                       Reading& reading) {
    const std::string& name = value.text;
    const std::size_t dot = name.find_last_of('.');
    const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
    const bool is_csv = ending == "csv";
    if (!is_csv && ending != "up" && ending != "down" && ending != "mahimahi") {
        reading.add(value.place, "\"" + name + "\" is no kind of recording that is known",
                    "by its ending: .up, .down, .mahimahi (Mahimahi) or .csv");
        return nullptr;
    }
    const std::string& home = value.place.line == 0 || value.place.file.starts_with("--")
                                  ? reading.scenario.file
                                  : value.place.file;
    const std::string path = beside(home, name);
    const Result<std::string, std::string> text = read_text_file(path, recording_bytes_max);
    if (!text) {
        reading.add(value.place, "cannot read the recording " + path, text.error());
        return nullptr;
    }
    Result<OpportunityTrace, RecordingError> trace =
        is_csv ? parse_rate_csv(*text) : parse_mahimahi(*text);
    if (!trace) {
        reading.add(value.place,
                    path + ":" + std::to_string(trace.error().line) + ": " + trace.error().message,
                    is_csv ? "time_ms,kbit_s and lines like 250,4800"
                           : "a line is a whole number of milliseconds");
        return nullptr;
    }
    reading.scenario.resolved_text +=
        "# " + name + ": hash " + std::to_string(hash_bytes(bytes_of(*text), 0)) + "\n";
    trace->wraps = wraps;
    return std::make_shared<const OpportunityTrace>(std::move(*trace));
}

}  // namespace wt::sim
