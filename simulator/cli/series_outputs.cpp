// SPDX-License-Identifier: MIT
#include "simulator/cli/series_outputs.hpp"

#include <cstdio>

#include "simulator/cli/output_file.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/trace/html_report.hpp"
#include "simulator/trace/series_csv.hpp"

namespace wt::sim {

namespace {

bool write_csv(const std::string& path, const trace::TraceFile& file) {
    std::FILE* const out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return false;
    const bool is_written = trace::write_series_csv(file, [out](std::string_view text) {
        return std::fwrite(text.data(), 1, text.size(), out) == text.size();
    });
    return std::fclose(out) == 0 && is_written;
}

}  // namespace

std::optional<TraceOptions> SeriesOutputs::trace(const std::optional<TraceOptions>& asked) {
    if (asked.has_value() || !wants_any()) return asked;
    TraceOptions series;
    series.memory = &memory_;
    // Nobody will look at the records.
    series.last = Duration::millis(1);
    return series;
}

bool SeriesOutputs::write(const Loaded& loaded, const RunResult& result,
                          const ReportOptions& report) {
    if (!wants_any()) return true;
    Result<trace::TraceFile, std::string> file = options_.trace.empty()
                                                     ? trace::TraceFile::parse(std::move(memory_))
                                                     : trace::TraceFile::open(options_.trace);
    if (!file) {
        print_error("wavetank: error: no series to write: " + file.error() + "\n");
        return false;
    }
    bool good = true;
    const auto check = [&](bool is_written, const std::string& path) {
        if (is_written) return;
        print_error("wavetank: error: writing " + path + " failed\n");
        good = false;
    };
    if (!options_.csv.empty()) check(write_csv(options_.csv, *file), options_.csv);
    if (!options_.html.empty()) {
        const std::string html = html_report(loaded.scenario, result, report, *file);
        check(write_file(options_.html, html), options_.html);
    }
    return good;
}

}  // namespace wt::sim
