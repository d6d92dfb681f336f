// SPDX-License-Identifier: MIT
//
// `wavetank diff A B`: the first record that is not the same, or why the question makes no sense.
#include <algorithm>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/cli/trace_input.hpp"
#include "simulator/report/format.hpp"
#include "simulator/run/common_causes.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/difference.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

constexpr std::uint64_t records_before = 3;
constexpr std::uint64_t records_after = 2;

std::string line_of(const trace::TraceFile& file, std::uint64_t number) {
    if (number >= file.record_count()) return "(no more records)";
    const trace::Record record = file.record(number);
    return pad_left(trace::clock_text(record.time, 6), 14) + "  " + record_text(file, record);
}

// Which tick of the server an instant lies in.
std::uint64_t tick_of(const trace::TraceFile& file, std::int64_t at_ns) {
    const Frequency rate{file.header().tick_rate};
    // Only a damaged record's time lies outside of a run.
    const std::int64_t sane = std::clamp<std::int64_t>(at_ns, 0, file.header().end);
    const std::uint64_t next = rate.first_tick_at_or_after(Instant{sane + 1});
    return file.header().initial_tick + (next == 0 ? 0 : next - 1);
}

// What of two records is not the same, by name.
std::string differing_fields(const trace::Record& a, const trace::Record& b) {
    std::uint8_t left[trace::Record::stored_bytes];
    std::uint8_t right[trace::Record::stored_bytes];
    a.store(left);
    b.store(right);
    std::string text;
    for (const trace::FieldText& field : trace::Record::fields) {
        const bool is_same = std::equal(left + field.offset, left + field.offset + field.bytes,
                                        right + field.offset);
        if (!is_same) text += (text.empty() ? "" : ", ") + std::string(field.name);
    }
    return text;
}

std::string first_text(const trace::TraceFile& a, const trace::TraceFile& b, std::uint64_t first) {
    const trace::TraceFile& has = first < a.record_count() ? a : b;
    const trace::Record record = has.record(first);
    std::string text =
        "DIFFERENT  from record " + grouped(first) + " on: " + trace::clock_text(record.time, 6) +
        ", tick " + grouped(tick_of(has, record.time)) + ", " + has.peer_name(record.peer) + ", " +
        type_text(has.about(), record) + " " + kind_text(has.about(), record) + "\n";
    const std::uint64_t begin = first < records_before ? 0 : first - records_before;
    for (std::uint64_t number = begin; number < first; ++number)
        text += "  = " + pad_left(grouped(number), 11) + "  " + line_of(a, number) + "\n";
    for (const auto& [name, file] : {std::pair("A", &a), std::pair("B", &b)}) {
        for (std::uint64_t number = first; number < first + records_after; ++number) {
            text += std::string("  ") + name + " " + pad_left(grouped(number), 11) + "  " +
                    line_of(*file, number) + "\n";
            if (number >= file->record_count()) break;
        }
    }
    if (first < a.record_count() && first < b.record_count())
        text += "differs    " + differing_fields(a.record(first), b.record(first)) + "\n";
    return text;
}

// One line of what is common, in 100 columns.
std::string common_text(const std::string& line) {
    std::string text;
    for (const std::string& piece : wrapped(line, 89))
        text += (text.empty() ? "common     " : "           ") + piece + "\n";
    return text;
}

std::string statistics_text(const trace::TraceFile& a, const trace::TraceFile& b) {
    const trace::TraceStatistics left = trace::statistics_of(a);
    const trace::TraceStatistics right = trace::statistics_of(b);
    std::string text = pad_right("STATISTICS", 20) + pad_left("A", 16) + pad_left("B", 16) + "\n";
    const auto line = [&](const std::string& name, std::uint64_t x, std::uint64_t y) {
        text +=
            "  " + pad_right(name, 18) + pad_left(grouped(x), 16) + pad_left(grouped(y), 16) + "\n";
    };
    line("records", a.record_count(), b.record_count());
    line("bytes sent", left.sent_bytes, right.sent_bytes);
    for (std::size_t type = 0; type < left.by_type.size(); ++type) {
        if (left.by_type[type] == 0 && right.by_type[type] == 0) continue;
        line(trace::word_of(a.about().types, static_cast<std::uint32_t>(type)), left.by_type[type],
             right.by_type[type]);
    }
    line("anomalies", a.anomalies().size(), b.anomalies().size());
    return text;
}

}  // namespace

int diff_command(const Options& options) {
    const std::optional<trace::TraceFile> a = open_trace(options.files[0]);
    const std::optional<trace::TraceFile> b = open_trace(options.files[1]);
    if (!a || !b) return exit_bad_input;
    const trace::Difference difference = trace::difference_of(*a, *b);
    std::string text = "A " + options.files[0] + "\nB " + options.files[1] + "\n";
    for (const std::string& note : difference.notes)
        text += "note       " + note + "\n";
    if (!difference.reasons.empty()) {
        for (const std::string& reason : difference.reasons)
            text += "no records are compared: " + reason + "\n";
        print(text + statistics_text(*a, *b));
        return exit_failed;
    }
    if (!difference.damage.empty()) {
        print(text);
        print_error("wavetank: error: " + difference.damage + "; equal up to there\n");
        return exit_bad_input;
    }
    if (difference.first) {
        text += first_text(*a, *b, *difference.first);
        for (const std::string& line : common_causes(*a, *b, difference))
            text += common_text(line);
        print(text + statistics_text(*a, *b));
        return exit_failed;
    }
    print(text + "EQUAL      " + grouped(difference.equal) + " records\n");
    return exit_passed;
}

}  // namespace wt::sim
