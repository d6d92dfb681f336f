// SPDX-License-Identifier: MIT
//
// `wavetank trace`: info, show, cut, export, format.
#include <algorithm>
#include <filesystem>
#include <map>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/cli/trace_input.hpp"
#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/trace/difference.hpp"
#include "simulator/trace/documentation.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

// Beyond this other programs grow slow: Chrome JSON is about 100 B a record.
constexpr std::uint64_t records_many = 1'000'000;
constexpr std::size_t anomalies_shown = 8;

std::string head_text(const trace::TraceFile& file, const std::string& path) {
    const trace::About& about = file.about();
    std::string text = about.scenario + "   seed " + std::to_string(file.header().seed) + "   " +
                       about.transport + (about.cipher.empty() ? "" : ", " + about.cipher) + "   " +
                       grouped(file.peer_count() - 1) + " bots   " +
                       trace::clock_text(file.header().end) + "\n";
    text += "file       " + path + ", " + grouped(file.file_bytes()) + " B, written by " +
            about.build + "\n";
    text += "records    " + grouped(file.record_count()) + " in " + grouped(file.block_count()) +
            " blocks, " + trace::clock_text(file.first_ns()) + " to " +
            trace::clock_text(file.last_ns());
    if (file.counts().dropped > 0)
        text += "; " + grouped(file.counts().dropped) + " more were not kept";
    const auto full = std::count_if(about.peers.begin() + 1, about.peers.end(),
                                    [](const trace::PeerEntry& peer) { return peer.is_full; });
    if (full + 1 < static_cast<std::ptrdiff_t>(file.peer_count()))
        text += "\ncapture    records of " + std::to_string(full) + " bots, series of all";
    text += "\nschemas    " + format_hex(file.header().schema_hash, 16) +
            (file.header().schema_hash == 0 ? " (no game)" : "") + "\n";
    if (about.has_payload) text += "payload    captured\n";
    return text;
}

std::string outcome_text(const trace::TraceFile& file) {
    if (!file.outcome()) return "result     none: the run did not come to its end\n";
    const trace::Outcome& outcome = *file.outcome();
    std::string text = "digest     " + format_digest(outcome.digest) + "   exit code " +
                       std::to_string(outcome.exit_code) + "\n";
    for (const trace::GateOutcome& gate : outcome.gates) {
        text += "  " + pad_right(gate.is_failed() ? "FAIL" : gate.verdict, 4) + "  " +
                pad_right(gate.name, 16) + "  " + pad_right(gate.value, 12) + "  " +
                pad_right(gate.bound, 14) + "  " + gate.subject + "\n";
    }
    return text;
}

std::string types_text(const trace::TraceFile& file) {
    const trace::TraceStatistics statistics = trace::statistics_of(file);
    std::string text = "types     ";
    std::size_t column = text.size();
    for (std::size_t type = 0; type < statistics.by_type.size(); ++type) {
        if (statistics.by_type[type] == 0) continue;
        const std::string part =
            " " + trace::word_of(file.about().types, static_cast<std::uint32_t>(type)) + " " +
            grouped(statistics.by_type[type]);
        if (column + part.size() > 98) {
            text += "\n          ";
            column = 10;
        }
        text += part + " ";
        column += part.size() + 1;
    }
    return text + "\n";
}

std::string anomalies_text(const trace::TraceFile& file) {
    if (file.anomalies().empty()) return "anomalies  none\n";
    struct Kind {
        std::uint64_t count = 0;
        trace::Anomaly first{};
    };
    std::map<std::uint16_t, Kind> kinds;
    for (const trace::Anomaly& anomaly : file.anomalies()) {
        Kind& kind = kinds[anomaly.anomaly];
        if (kind.count++ == 0) kind.first = anomaly;
    }
    std::string text = "anomalies  " + grouped(file.anomalies().size()) + "\n";
    std::size_t shown = 0;
    for (const auto& [number, kind] : kinds) {
        if (shown++ == anomalies_shown) break;
        text += "  " + pad_left(grouped(kind.count), 8) + "  " +
                pad_right(trace::word_of(file.about().anomalies, number), 16) + "  first at " +
                trace::clock_text(kind.first.time) + ", " + file.peer_name(kind.first.peer) + "\n";
    }
    return text;
}

// Reads every byte.
std::string soundness_text(const trace::TraceFile& file) {
    std::string text;
    for (std::size_t block = 0; block < file.block_count(); ++block) {
        if (file.is_block_sound(block)) continue;
        const trace::Block& bad = file.block(block);
        text += "DAMAGED    records " + grouped(bad.first_record) + " to " +
                grouped(bad.first_record + bad.count - 1) + ", at byte " +
                std::to_string(bad.offset) + "\n";
    }
    return text;
}

int info(const Options& options, const trace::TraceFile& file) {
    const std::string damage = soundness_text(file);
    print(head_text(file, options.files.front()) + outcome_text(file) + types_text(file) +
          anomalies_text(file) + damage);
    return damage.empty() && file.damage().empty() ? exit_passed : exit_bad_input;
}

int show(const Options& options, const trace::TraceFile& file, const trace::Selection& selection) {
    std::uint64_t shown = 0;
    bool is_more = false;
    trace::for_each_record(file, selection.filter, selection.range,
                           [&](std::uint64_t number, const std::uint8_t* stored) {
                               if (shown == options.query.limit) {
                                   is_more = true;
                                   return false;
                               }
                               const trace::Record record = trace::Record::load(stored);
                               print(pad_left(grouped(number), 11) + "  " +
                                     pad_left(trace::clock_text(record.time, 6), 14) + "  " +
                                     trace::record_text(file, record) + "\n");
                               ++shown;
                               return true;
                           });
    if (is_more) print("... there are more: --limit N, or a narrower --filter, --from, --to\n");
    if (shown == 0) print("no such records\n");
    return exit_passed;
}

std::optional<trace::ExportFormat> format_of(const TraceQuery& query) {
    const std::vector<std::string> names{"csv", "jsonl", "chrome", "pcapng"};
    std::string name = query.format;
    if (name.empty()) {
        name = std::filesystem::path(query.output).extension().string();
        if (!name.empty()) name = name.substr(1);
        if (name == "json") name = "chrome";
    }
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<trace::ExportFormat>(found - names.begin());
    const std::string near = nearest_name(name, names);
    print_error("wavetank: error: " +
                (query.format.empty() ? query.output + " does not say its format"
                                      : "unknown format \"" + name + "\"") +
                (near.empty() ? ": --format pcapng, chrome, csv or jsonl\n"
                              : ", did you mean " + near + "?\n"));
    return std::nullopt;
}

int write_out(const Options& options, const trace::TraceFile& file,
              const trace::Selection& selection) {
    const TraceQuery& query = options.query;
    const bool is_cut = options.command == Options::Command::trace_cut;
    std::optional<trace::ExportFormat> format;
    if (!is_cut) {
        format = format_of(query);
        if (!format) return exit_bad_input;
    }
    std::error_code failure;
    if (std::filesystem::equivalent(options.files.front(), query.output, failure)) {
        print_error("wavetank: error: " + query.output + " is the trace itself\n");
        return exit_bad_input;
    }
    if (!can_write(query.output)) {
        print_error("wavetank: error: cannot write " + query.output + "\n");
        return exit_bad_input;
    }
    trace::Output output(query.output);
    const std::uint64_t count = is_cut ? trace::cut_trace(file, selection, output)
                                       : trace::export_records(*format, file, selection, output);
    if (!output.close()) {
        print_error("wavetank: error: writing " + query.output + " failed\n");
        return exit_bad_input;
    }
    print(grouped(count) + (format == trace::ExportFormat::pcapng ? " packets" : " records") +
          ", " + grouped(output.position()) + " B in " + query.output + "\n");
    if (!is_cut && count > records_many)
        print_error(
            "wavetank: warning: more than 1,000,000 records are slow in most programs; "
            "--filter, --from and --to choose\n");
    return exit_passed;
}

}  // namespace

int trace_command(const Options& options) {
    if (options.command == Options::Command::trace_format) {
        print(trace::format_tables());
        return exit_passed;
    }
    const std::optional<trace::TraceFile> file = open_trace(options.files.front());
    if (!file) return exit_bad_input;
    if (options.command == Options::Command::trace_info) return info(options, *file);
    const std::optional<trace::Filter> filter = read_filter(options.query, *file);
    if (!filter) return exit_bad_input;
    const trace::Selection selection{*filter, range_of(options.query, *file)};
    if (options.command == Options::Command::trace_show) return show(options, *file, selection);
    return write_out(options, *file, selection);
}

}  // namespace wt::sim
