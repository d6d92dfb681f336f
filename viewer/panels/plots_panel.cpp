// SPDX-License-Identifier: MIT
//
// Plots over the common time axis: round trips, queues by lane, snapshots, lateness against what
// the jitter buffer covers, corrections, and the server's tick by phases.
#include <algorithm>
#include <array>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"
#include "viewer/panels/plot.hpp"

namespace wt::viewer {

namespace {

struct Drawn {
    Ui& ui;
    float height;
    bool is_last = false;  // It has the labels of the time axis below it.
};

std::int64_t largest(const std::vector<std::int64_t>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// Of the selected and pinned peers: their cells, drawn over the band of all.
std::vector<std::vector<Cell>> peer_lines(Ui& ui, const SeriesGrid& grid) {
    std::vector<std::vector<Cell>> lines;
    for (const PeerIndex peer : ui.model.plotted_peers()) {
        std::vector<Cell> line;
        if (peer < grid.peers()) {
            for (std::uint32_t column = 0; column < grid.columns(); ++column)
                line.push_back(grid.at(peer, column));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string at_cursor(const Plot& plot, Instant cursor, sim::Dimension dimension,
                      const std::vector<std::int64_t>& values,
                      const std::vector<std::uint8_t>& has) {
    const std::int64_t column = plot.column_of(cursor, values.size());
    if (column < 0) return {};
    const std::size_t at = static_cast<std::size_t>(column);
    if (!has.empty() && has[at] == 0) return {};
    return values[at] == 0 ? "0" : value_text(dimension, values[at]);
}

// p50 to p99 of all peers as a band, the largest as a line, chosen peers over it.
void plot_band(Drawn& to, const char* name, const char* title, const char* key) {
    Ui& ui = to.ui;
    const int series = ui.model.info()->find_series(key);
    const SeriesGrid& grid = ui.model.grid(key);
    const Band& band = ui.model.band(key);
    const sim::Dimension dimension =
        series < 0 ? sim::Dimension::time
                   : ui.model.info()->series[static_cast<std::size_t>(series)].dimension;
    Plot plot(ui, {.name = name,
                   .title = title,
                   .dimension = dimension,
                   .height = to.height,
                   .has_time_labels = to.is_last,
                   .max = largest(band.max),
                   .bound = ui.model.bound_of(key)});
    plot.band(band.p50, band.p99, band.has, IM_COL32(112, 172, 232, 46));
    plot.band(band.p50, band.p95, band.has, IM_COL32(112, 172, 232, 60));
    plot.line(band.max, band.has, IM_COL32(112, 172, 232, 110), 1);
    plot.line(band.p50, band.has, colour::accent);
    const auto lines = peer_lines(ui, grid);
    const std::vector<PeerIndex> peers = ui.model.plotted_peers();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        plot.cells(lines[i], peer_colour(i));
        const std::int64_t column = plot.column_of(ui.model.cursor(), lines[i].size());
        std::string value;
        if (column >= 0 && !lines[i][static_cast<std::size_t>(column)].is_empty())
            value = value_text(dimension, lines[i][static_cast<std::size_t>(column)].max);
        plot.legend(ui.model.info()->peers[peers[i]].name, peer_colour(i), value);
    }
    plot.legend("max", IM_COL32(112, 172, 232, 110),
                at_cursor(plot, ui.model.cursor(), dimension, band.max, band.has));
    plot.legend("p50", colour::accent,
                at_cursor(plot, ui.model.cursor(), dimension, band.p50, band.has));
    plot.finish();
}

struct LaneSeries {
    const char* key;
    const char* name;
};
constexpr std::array<LaneSeries, 5> lane_series = {{{"queue_age_control", "control"},
                                                    {"queue_age_gameplay", "gameplay"},
                                                    {"queue_age_state", "state"},
                                                    {"queue_age_chat", "chat"},
                                                    {"queue_age_bulk", "bulk"}}};

// Each lane's largest queue age of any peer.
void plot_lanes(Drawn& to) {
    Ui& ui = to.ui;
    std::int64_t max = 1;
    for (const LaneSeries& lane : lane_series)
        max = std::max(max, largest(ui.model.band(lane.key).max));
    Plot plot(ui, {.name = "plots/queue_age",
                   .title = "queue age by lane, worst peer",
                   .dimension = sim::Dimension::time,
                   .height = to.height,
                   .has_time_labels = to.is_last,
                   .max = max,
                   .bound = ui.model.bound_of("queue_age")});
    for (std::size_t i = lane_series.size(); i-- > 0;) {
        const Band& band = ui.model.band(lane_series[i].key);
        plot.line(band.max, band.has, lane_colour(i), 1.5f);
    }
    for (std::size_t i = lane_series.size(); i-- > 0;) {
        const Band& band = ui.model.band(lane_series[i].key);
        plot.legend(lane_series[i].name, lane_colour(i),
                    at_cursor(plot, ui.model.cursor(), sim::Dimension::time, band.max, band.has));
    }
    plot.finish();
}

// From the middle peer to the 95th percentile as a band, and the worst one above it.
void draw_spread(Plot& plot, const Band& band) {
    plot.band(band.p50, band.p95, band.has, with_alpha(colour::accent, 70));
    plot.line(band.max, band.has, with_alpha(colour::accent, 120), 1);
    plot.line(band.p95, band.has, colour::accent);
}

// The age of the newest snapshot should stay below what is shown: the gap is the jitter buffer.
void plot_snapshots(Drawn& to) {
    Ui& ui = to.ui;
    const Band& age = ui.model.band("snapshot_age");
    const Band& view = ui.model.band("view_age");
    Plot plot(ui, {.name = "plots/snapshot_age",
                   .title = "snapshot age against what is shown",
                   .dimension = sim::Dimension::time,
                   .height = to.height,
                   .has_time_labels = to.is_last,
                   .max = std::max(largest(age.max), largest(view.max)),
                   .bound = ui.model.bound_of("snapshot_age")});
    draw_spread(plot, age);
    plot.line(view.p50, view.has, lane_colour(2));
    plot.legend("shown p50", lane_colour(2),
                at_cursor(plot, ui.model.cursor(), sim::Dimension::time, view.p50, view.has));
    plot.legend("snapshot p95", colour::accent,
                at_cursor(plot, ui.model.cursor(), sim::Dimension::time, age.p95, age.has));
    plot.finish();
}

// How late snapshots came, and how late they may: where the first crosses the second, players see
// the world stand still or guessed on.
void plot_lateness(Drawn& to) {
    Ui& ui = to.ui;
    const Band& late = ui.model.band("lateness");
    const Band& buffer = ui.model.band("buffer");
    Plot plot(ui, {.name = "plots/lateness",
                   .title = "lateness against the jitter buffer",
                   .dimension = sim::Dimension::time,
                   .height = to.height,
                   .has_time_labels = to.is_last,
                   .max = std::max(largest(late.max), largest(buffer.p50))});
    draw_spread(plot, late);
    plot.line(buffer.p50, buffer.has, lane_colour(2));
    plot.legend("buffer p50", lane_colour(2),
                at_cursor(plot, ui.model.cursor(), sim::Dimension::time, buffer.p50, buffer.has));
    plot.legend("late max", with_alpha(colour::accent, 120),
                at_cursor(plot, ui.model.cursor(), sim::Dimension::time, late.max, late.has));
    plot.legend("late p95", colour::accent,
                at_cursor(plot, ui.model.cursor(), sim::Dimension::time, late.p95, late.has));
    plot.finish();
}

struct Phase {
    const char* name;
    const char* key;
    bool is_datagrams;  // Else objects.
};
// From the bottom of the stack.
constexpr std::array<Phase, 5> phases = {{{"open", "tick_opened", true},
                                          {"inputs", "tick_inputs", false},
                                          {"gather", "objects_visited", false},
                                          {"encode", "tick_updates", false},
                                          {"seal", "tick_sealed", true}}};

// The longest tick on the wall clock, by column, where a trace has it.
std::vector<std::int64_t> measured_ticks(const Model& model) {
    const trace::TraceFile* const file = model.source()->file();
    if (file == nullptr || !file->wall() || file->wall()->tick_max_us.empty()) return {};
    const std::vector<std::uint32_t>& cells = file->wall()->tick_max_us;
    const Range view = model.axis.view();
    std::vector<std::int64_t> columns(ServerSeries::columns, 0);
    const std::int64_t count = static_cast<std::int64_t>(columns.size());
    for (std::int64_t column = 0; column < count; ++column) {
        const std::int64_t from = view.from.ns + view.length().ns / count * column;
        const std::int64_t to = view.from.ns + view.length().ns / count * (column + 1);
        std::int64_t cell = std::max<std::int64_t>(from, 0) / trace::cell_ns;
        for (; cell * trace::cell_ns < to && cell < static_cast<std::int64_t>(cells.size()); ++cell)
            columns[static_cast<std::size_t>(column)] =
                std::max(columns[static_cast<std::size_t>(column)],
                         std::int64_t{cells[static_cast<std::size_t>(cell)]} * 1'000);
    }
    return columns;
}

// The largest tick of each column, phase on phase. Phases are counted work, at the declared costs
// where there are some: a trace has them whatever machine wrote it. What a machine took is the line
// over them, where both are times.
void plot_tick(Drawn& to) {
    Ui& ui = to.ui;
    const WorkCosts& costs = ui.model.info()->costs;
    std::array<std::vector<std::int64_t>, phases.size()> values;
    std::array<std::vector<std::int64_t>, phases.size() + 1> tops;
    tops[0].assign(ServerSeries::columns, 0);
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const std::vector<Cell>& cells = ui.model.server_cells(phases[i].key);
        const std::int64_t cost = phases[i].is_datagrams ? costs.datagram_ns : costs.object_ns;
        values[i].assign(ServerSeries::columns, 0);
        for (std::size_t column = 0; column < cells.size(); ++column)
            values[i][column] = cells[column].is_empty() ? 0 : cells[column].max * cost;
        tops[i + 1] = tops[i];
        for (std::size_t column = 0; column < values[i].size(); ++column)
            tops[i + 1][column] += values[i][column];
    }
    const sim::Dimension dimension =
        costs.is_declared ? sim::Dimension::time : sim::Dimension::count;
    std::vector<std::int64_t> measured;
    if (costs.is_declared) measured = measured_ticks(ui.model);
    const std::int64_t period = ui.model.info()->tick_ns;
    const std::int64_t most = std::max(largest(tops.back()), largest(measured));
    // What the stack is reckoned at, where the legend leaves room for it.
    std::string title = costs.is_declared
                            ? "tick of " + value_text(sim::Dimension::time, period)
                            : std::string("work of a tick: datagrams, inputs, objects");
    const std::string at = ", at " + value_text(sim::Dimension::time, costs.datagram_ns) +
                           " a datagram, " + value_text(sim::Dimension::time, costs.object_ns) +
                           " an object, declared";
    const float legend = ui.px(96) * static_cast<float>(phases.size() + 1);
    const float room = ImGui::GetContentRegionAvail().x - plot_gutter(ui) - legend;
    if (costs.is_declared && text_size(ui.fonts.small, title + at).x < room) title += at;
    Plot plot(
        ui, {.name = "plots/tick",
             .title = title.c_str(),
             .dimension = dimension,
             .height = to.height,
             .has_time_labels = to.is_last,
             .max = most,
             // Far below it the line would press everything else to the ground.
             .bound = costs.is_declared && most * 4 >= period ? std::optional<std::int64_t>(period)
                                                              : std::optional<std::int64_t>()});
    for (std::size_t i = 0; i < phases.size(); ++i)
        plot.band(tops[i], tops[i + 1], {}, with_alpha(lane_colour(i), 190));
    if (!measured.empty()) plot.line(measured, {}, colour::text);
    if (!measured.empty())
        plot.legend("measured", colour::text,
                    at_cursor(plot, ui.model.cursor(), sim::Dimension::time, measured, {}));
    for (std::size_t i = phases.size(); i-- > 0;)
        plot.legend(phases[i].name, lane_colour(i),
                    at_cursor(plot, ui.model.cursor(), dimension, values[i], {}));
    plot.finish();
}

void plot_corrections(Drawn& to) {
    Ui& ui = to.ui;
    const std::vector<std::int64_t>& count = ui.model.sums("corrections");
    const std::vector<std::int64_t>& starved = ui.model.sums("inputs_missing");
    Plot plot(ui, {.name = "plots/corrections",
                   .title = "corrections and missing inputs, all peers",
                   .dimension = sim::Dimension::count,
                   .height = to.height,
                   .has_time_labels = to.is_last,
                   .max = std::max(largest(count), largest(starved))});
    plot.bars(starved, with_alpha(lane_colour(4), 150));
    plot.bars(count, lane_colour(3));
    plot.legend("missing inputs", lane_colour(4),
                at_cursor(plot, ui.model.cursor(), sim::Dimension::count, starved, {}));
    plot.legend("corrections", lane_colour(3),
                at_cursor(plot, ui.model.cursor(), sim::Dimension::count, count, {}));
    plot.finish();
}

}  // namespace

// A small panel has the first ones; they are in the order in which people ask.
void draw_plots(Ui& ui) {
    constexpr int plots = 6;
    const float room = ImGui::GetContentRegionAvail().y;
    // In a small window fewer of them, that one can read.
    const float least = ui.px(is_compact(ui) ? 96 : 64);
    const int count = std::clamp(static_cast<int>(room / least), 1, plots);
    const float spacing = ui.px(3);
    const float labels = time_labels_height(ui);
    Drawn to{ui, (room - labels - spacing * static_cast<float>(count)) / static_cast<float>(count)};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), spacing});
    for (int i = 0; i < count; ++i) {
        to.is_last = i + 1 == count;
        if (to.is_last) to.height += labels;
        if (i == 0) plot_band(to, "plots/rtt", "round trip, p50 to p99 of peers", "rtt");
        if (i == 1) plot_lanes(to);
        if (i == 2) plot_lateness(to);
        if (i == 3) plot_corrections(to);
        if (i == 4) plot_tick(to);
        if (i == 5) plot_snapshots(to);
    }
    ImGui::PopStyleVar();
}

}  // namespace wt::viewer
