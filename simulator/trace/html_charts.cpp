// SPDX-License-Identifier: MIT
#include "simulator/trace/html_charts.hpp"

#include <algorithm>
#include <array>

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::sim {

namespace {

using trace::Fold;
using trace::Series;
using trace::SeriesCell;

constexpr std::int64_t columns = 240;
constexpr std::int64_t column_width = 3;
constexpr std::int64_t plot_width = columns * column_width;
constexpr std::int64_t plot_height = 96;
constexpr std::int64_t label_height = 16;
constexpr std::int64_t cells_per_second = 1'000'000'000 / trace::cell_ns;

struct Chart {
    Series series;
    const char* title;
};
constexpr std::array charts{
    Chart{Series::active, "active players"},
    Chart{Series::rtt, "round trip"},
    Chart{Series::snapshot_age, "age of the newest snapshot"},
    Chart{Series::view_age, "age of what is shown"},
    Chart{Series::response, "own input made until confirmed"},
    Chart{Series::queue_age_up, "queue age, up"},
    Chart{Series::queue_age_down, "queue age, down"},
    Chart{Series::bytes_up, "payload, up"},
    Chart{Series::bytes_down, "payload, down"},
    Chart{Series::lost_up, "datagrams lost, up"},
    Chart{Series::lost_down, "datagrams lost, down"},
    Chart{Series::retransmits, "transmissions after the first"},
    Chart{Series::corrections, "corrections"},
    Chart{Series::starved, "frames beyond the newest snapshot"},
};

// By column: what the chart draws. -1 where nothing is known.
struct Lines {
    std::vector<std::int64_t> largest;
    std::vector<std::int64_t> middle;  // Empty for sums.
};

std::string text_of(const trace::SeriesText& text, std::int64_t value) {
    const std::string unit = text.unit;
    if (unit == "us") return format_time(value * 1'000);
    if (unit == "B" && text.fold == Fold::sum) return format_value(Dimension::rate, value * 8);
    if (unit == "B") return format_value(Dimension::bytes, value);
    return grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0))) +
           (text.fold == Fold::sum ? " /s" : "");
}

std::size_t column_of(std::uint64_t cell, std::uint64_t cells) {
    return static_cast<std::size_t>(cell * static_cast<std::uint64_t>(columns) / cells);
}

// Sums of all peers, per second, as the mean of each column's cells.
Lines sums_of(const trace::TraceFile& file, std::uint32_t series, bool is_level) {
    const std::uint64_t cells = file.series().cells(0);
    std::vector<std::int64_t> total(columns, 0);
    std::vector<std::int64_t> count(columns, 0);
    std::vector<SeriesCell> read(static_cast<std::size_t>(cells));
    for (std::uint32_t peer = 0; peer < file.peer_count(); ++peer) {
        std::fill(read.begin(), read.end(), SeriesCell{});
        file.series().read(series, static_cast<std::uint16_t>(peer), 0, 0, read);
        for (std::uint64_t cell = 0; cell < cells; ++cell) {
            if (!read[cell].is_empty()) total[column_of(cell, cells)] += read[cell].max;
        }
    }
    for (std::uint64_t cell = 0; cell < cells; ++cell)
        ++count[column_of(cell, cells)];
    Lines lines{.largest = std::vector<std::int64_t>(columns, -1), .middle = {}};
    for (std::size_t i = 0; i < columns; ++i) {
        if (count[i] == 0) continue;
        lines.largest[i] = total[i] * (is_level ? 1 : cells_per_second) / count[i];
    }
    return lines;
}

// Of each column the largest peer and the middle one, by each peer's largest value in it.
Lines peaks_of(const trace::TraceFile& file, std::uint32_t series) {
    const std::uint64_t cells = file.series().cells(0);
    std::vector<std::vector<std::int64_t>> of_column(columns);
    std::vector<SeriesCell> read(static_cast<std::size_t>(cells));
    for (std::uint32_t peer = 0; peer < file.peer_count(); ++peer) {
        std::fill(read.begin(), read.end(), SeriesCell{});
        file.series().read(series, static_cast<std::uint16_t>(peer), 0, 0, read);
        std::vector<std::int64_t> own(columns, -1);
        for (std::uint64_t cell = 0; cell < cells; ++cell) {
            std::int64_t& peak = own[column_of(cell, cells)];
            if (!read[cell].is_empty()) peak = std::max(peak, std::int64_t{read[cell].max});
        }
        for (std::size_t i = 0; i < columns; ++i) {
            if (own[i] >= 0) of_column[i].push_back(own[i]);
        }
    }
    Lines lines{.largest = std::vector<std::int64_t>(columns, -1),
                .middle = std::vector<std::int64_t>(columns, -1)};
    for (std::size_t i = 0; i < columns; ++i) {
        std::vector<std::int64_t>& values = of_column[i];
        if (values.empty()) continue;
        std::sort(values.begin(), values.end());
        lines.largest[i] = values.back();
        lines.middle[i] = values[(values.size() - 1) / 2];
    }
    return lines;
}

// One line as pieces: it breaks where nothing is known.
std::string path_of(const std::vector<std::int64_t>& values, std::int64_t most, const char* style) {
    std::string path;
    bool is_down = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < 0) {
            is_down = false;
            continue;
        }
        const std::int64_t x = static_cast<std::int64_t>(i) * column_width + 1;
        const std::int64_t y = plot_height - values[i] * (plot_height - 4) / most;
        path += (is_down ? "L" : "M") + std::to_string(x) + " " + std::to_string(y);
        // A single column is a dot.
        if (!is_down) path += "h1";
        is_down = true;
    }
    if (path.empty()) return "";
    return std::string("<path class=\"") + style + "\" d=\"" + path + "\"/>\n";
}

std::string phases_of(const Scenario& scenario, Instant until) {
    std::string svg;
    for (const Phase& phase : scenario.phases) {
        if (phase.start >= until) break;
        const std::string x = std::to_string(phase.start.ns / 1'000 * plot_width /
                                             std::max<std::int64_t>(until.ns / 1'000, 1));
        svg += "<line class=\"phase\" x1=\"" + x + "\" y1=\"0\" x2=\"" + x + "\" y2=\"" +
               std::to_string(plot_height) + "\"/>\n<text class=\"label\" x=\"" + x + "\" y=\"" +
               std::to_string(plot_height + label_height - 3) + "\">" + markup_text(phase.name) +
               "</text>\n";
    }
    return svg;
}

std::string chart_of(const Scenario& scenario, Instant until, const trace::TraceFile& file,
                     const Chart& chart) {
    const std::uint32_t series = static_cast<std::uint32_t>(chart.series);
    trace::SeriesText text = trace::series_texts[series];
    const bool is_level = chart.series == Series::active;
    const bool is_sum = text.fold == Fold::sum || is_level;
    const Lines lines = is_sum ? sums_of(file, series, is_level) : peaks_of(file, series);
    const std::int64_t most = *std::max_element(lines.largest.begin(), lines.largest.end());
    if (most <= 0) return "";
    std::string svg = "<figure>\n<figcaption>" + markup_text(chart.title) + " <small>up to " +
                      markup_text(text_of(text, most)) +
                      (is_sum ? " together" : "; the largest player, and the middle one") +
                      "</small></figcaption>\n<svg viewBox=\"0 0 " + std::to_string(plot_width) +
                      " " + std::to_string(plot_height + label_height) +
                      "\" role=\"img\">\n<title>" + markup_text(chart.title) + "</title>\n";
    svg += phases_of(scenario, until) + path_of(lines.middle, most, "middle") +
           path_of(lines.largest, most, "largest");
    return svg + "</svg>\n</figure>\n";
}

}  // namespace

std::string html_charts(const Scenario& scenario, Instant until, const trace::TraceFile& file) {
    if (file.series().cells(0) == 0) return "";
    std::string html;
    for (const Chart& chart : charts)
        html += chart_of(scenario, until, file, chart);
    return html;
}

}  // namespace wt::sim
