// SPDX-License-Identifier: MIT
//
// `wavetank trace`: show, cut, export, format; trace_info.cpp has info.
#include <algorithm>
#include <filesystem>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/cli/trace_input.hpp"
#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/trace/documentation.hpp"
#include "simulator/trace/exporter.hpp"
#include "simulator/trace/payload_text.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

// Beyond this other programs grow slow: Chrome JSON is about 100 B a record.
constexpr std::uint64_t records_many = 1'000'000;

// What its bytes said, where they were captured: through the engine's decoders.
std::string payload_line(trace::PayloadTeller& teller, std::uint64_t number) {
    constexpr std::size_t objects_shown = 4;
    const trace::Told told = teller.tell(number);
    std::string line = std::string(13, ' ') + told.text;
    if (!told.objects.empty()) line += ": " + trace::objects_text(told.objects, objects_shown);
    if (!told.envelope.empty()) line += "   " + told.envelope;
    return line + "\n";
}

int show(const Options& options, const trace::TraceFile& file, const trace::Selection& selection) {
    std::uint64_t shown = 0;
    bool is_more = false;
    trace::PayloadTeller teller(file);
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
                               if ((record.flags & trace::flag::payload) != 0)
                                   print(payload_line(teller, number));
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
    if (options.command == Options::Command::trace_info) return trace_info(options, *file);
    const std::optional<trace::Filter> filter = read_filter(options.query, *file);
    if (!filter) return exit_bad_input;
    const trace::Selection selection{*filter, range_of(options.query, *file)};
    if (options.command == Options::Command::trace_show) return show(options, *file, selection);
    return write_out(options, *file, selection);
}

}  // namespace wt::sim
