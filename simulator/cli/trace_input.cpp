// SPDX-License-Identifier: MIT
#include "simulator/cli/trace_input.hpp"

#include "simulator/cli/terminal.hpp"

namespace wt::sim {

std::optional<trace::TraceFile> open_trace(const std::string& path) {
    Result<trace::TraceFile, std::string> file = trace::TraceFile::open(path);
    if (!file) {
        print_error("wavetank: error: " + path + ": " + file.error() + "\n");
        return std::nullopt;
    }
    if (!file->damage().empty())
        print_error("wavetank: warning: " + path + ": " + file->damage() + "\n");
    return std::move(*file);
}

std::optional<trace::Filter> read_filter(const TraceQuery& query, const trace::TraceFile& trace) {
    Result<trace::Filter, trace::FilterError> filter = trace::Filter::compile(query.filter, trace);
    if (filter) return std::move(*filter);
    const trace::FilterError& error = filter.error();
    // As errors of a scenario look: the line, the carets, the advice.
    print_error("wavetank: error: --filter: " + error.message + "\n   " + query.filter + "\n   " +
                std::string(error.offset, ' ') + std::string(error.length, '^') +
                (error.hint.empty() ? "" : " " + error.hint) + "\n");
    return std::nullopt;
}

trace::RecordRange range_of(const TraceQuery& query, const trace::TraceFile& trace) {
    return trace.range_of(query.from.value_or(Duration{}).ns,
                          query.to.value_or(Duration::max()).ns);
}

}  // namespace wt::sim
