// SPDX-License-Identifier: MIT
//
// A choice of a trace's records in other programs' formats. Each writes straight through to its
// output and holds no more than one buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/trace/filter.hpp"
#include "simulator/trace/output.hpp"

namespace wt::trace {

enum class ExportFormat : std::uint8_t { csv, jsonl, chrome, pcapng };

// What to export.
struct Selection {
    const Filter& filter;
    RecordRange range{};
};

// Text on its way to an output, in pieces of 64 KiB.
class TextOutput {
public:
    explicit TextOutput(Output& output) : output_(output) {}
    ~TextOutput() { flush(); }
    TextOutput(const TextOutput&) = delete;
    TextOutput& operator=(const TextOutput&) = delete;

    TextOutput& operator<<(std::string_view text) {
        text_ += text;
        if (text_.size() >= piece_bytes) flush();
        return *this;
    }
    void bytes(ConstBytes bytes) {
        text_.append(bytes.begin(), bytes.end());
        if (text_.size() >= piece_bytes) flush();
    }
    void flush() {
        const void* const bytes = text_.data();
        output_.write({static_cast<const std::uint8_t*>(bytes), text_.size()});
        text_.clear();
    }

private:
    static constexpr std::size_t piece_bytes = 64 * 1'024;
    Output& output_;
    std::string text_{};
};

// Each returns how many records it took.
std::uint64_t export_csv(const TraceFile& trace, const Selection& selection, Output& output);
std::uint64_t export_jsonl(const TraceFile& trace, const Selection& selection, Output& output);
// Chrome's trace event JSON, for Perfetto and chrome://tracing.
std::uint64_t export_chrome(const TraceFile& trace, const Selection& selection, Output& output);
// Datagrams only, before (interface link-in) and after the link (link-out); drops in comments.
std::uint64_t export_pcapng(const TraceFile& trace, const Selection& selection, Output& output);

std::uint64_t export_records(ExportFormat format, const TraceFile& trace,
                             const Selection& selection, Output& output);
// A trace again, with the chosen records; series, tables and anomalies come along.
std::uint64_t cut_trace(const TraceFile& trace, const Selection& selection, Output& output);

}  // namespace wt::trace
