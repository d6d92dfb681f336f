// SPDX-License-Identifier: MIT
#include "simulator/trace/series_csv.hpp"

#include <array>
#include <string>
#include <vector>

namespace wt::trace {

namespace {

// Cells that are read at once: as many as lie in one section.
constexpr std::uint64_t stretch = section_cells;

std::string metric_name(const SeriesText& text) {
    const std::string unit = text.unit;
    return std::string(text.name) + (unit == "1" ? "" : "_" + unit);
}

void add_row(std::string& out, std::int64_t time_ns, const std::string& peer,
             const std::string& metric, std::int32_t value) {
    out += std::to_string(time_ns);
    out += ',';
    out += peer;
    out += ',';
    out += metric;
    out += ',';
    out += std::to_string(value);
    out += '\n';
}

void add_cell(std::string& out, std::int64_t time_ns, const std::string& peer,
              const SeriesText& text, const SeriesCell& cell) {
    if (cell.is_empty()) return;
    const std::string metric = metric_name(text);
    if (text.fold == Fold::sum) {
        if (cell.max != 0) add_row(out, time_ns, peer, metric, cell.max);
        return;
    }
    add_row(out, time_ns, peer, metric, cell.max);
    if (cell.min != cell.max) add_row(out, time_ns, peer, metric + ".min", cell.min);
}

}  // namespace

bool write_series_csv(const TraceFile& file, const TextSink& put) {
    if (!put("time_ns,peer,metric,value\n")) return false;
    const SeriesReader& series = file.series();
    const std::uint64_t cells = series.cells(0);
    std::vector<std::array<SeriesCell, stretch>> columns(std::size_t{file.peer_count()} *
                                                         series_count);
    for (std::uint64_t first = 0; first < cells; first += stretch) {
        for (std::uint32_t peer = 0; peer < file.peer_count(); ++peer) {
            for (std::uint32_t number = 0; number < series_count; ++number) {
                std::array<SeriesCell, stretch>& column = columns[peer * series_count + number];
                column.fill({});
                series.read(number, static_cast<std::uint16_t>(peer), 0, first, column);
            }
        }
        std::string out;
        for (std::uint64_t cell = 0; cell < stretch && first + cell < cells; ++cell) {
            const std::int64_t time_ns = static_cast<std::int64_t>(first + cell) * cell_ns;
            for (std::uint32_t peer = 0; peer < file.peer_count(); ++peer) {
                const std::string name = file.peer_name(static_cast<std::uint16_t>(peer));
                for (std::uint32_t number = 0; number < series_count; ++number) {
                    add_cell(out, time_ns, name, series_texts[number],
                             columns[peer * series_count + number][cell]);
                }
            }
        }
        if (!put(out)) return false;
    }
    return true;
}

}  // namespace wt::trace
