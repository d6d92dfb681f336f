// SPDX-License-Identifier: MIT
//
// The selected range (or the view) in figures: how the heat map's metric is spread, and totals.
#include <algorithm>

#include "viewer/model/range_figures.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"
#include "viewer/panels/plot.hpp"

namespace wt::viewer {

namespace {

void figure(Ui& ui, const std::string& name, const std::string& title, const std::string& value,
            float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ui, at, Align::left, "range/" + name + "/title", title, colour::dim);
    draw_text(ui, {at.x + width, at.y}, Align::right, "range/" + name, value, colour::text);
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
}

// The second trace's, as steps over the first one's bars.
void draw_beside(Ui& ui, const RangeFigures& figures, ImVec2 start, ImVec2 room, std::uint64_t most,
                 float head) {
    if (figures.beside.empty()) return;
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float width = (room.x - start.x) / static_cast<float>(figures.beside.size());
    const float bottom = room.y + head;
    float before = bottom;
    for (std::size_t i = 0; i < figures.beside.size(); ++i) {
        const double share = static_cast<double>(figures.beside[i]) / static_cast<double>(most);
        const float y = bottom - static_cast<float>(share) * (bottom - start.y - head);
        const float x = start.x + static_cast<float>(i) * width;
        list->AddLine({x, before}, {x, y}, colour::note, ui.px(1.5f));
        list->AddLine({x, y}, {x + width, y}, colour::note, ui.px(1.5f));
        before = y;
    }
}

void draw_histogram(Ui& ui, const RangeFigures& figures, sim::Dimension dimension, ImVec2 size) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("range/histogram", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
    mark(ui, "range/histogram");
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float labels = ui.fonts.small->FontSize + ui.px(6);
    const ImVec2 max{start.x + size.x, start.y + size.y - labels};
    list->AddRectFilled(start, max, colour::plot, ui.px(2));
    if (figures.is_empty()) {
        draw_text(ui, {(start.x + max.x) / 2, (start.y + max.y) / 2}, Align::centre, "range/empty",
                  "no values in this range", colour::faint);
        return;
    }
    std::uint64_t most = *std::max_element(figures.buckets.begin(), figures.buckets.end());
    for (const std::uint64_t count : figures.beside)
        most = std::max(most, count);
    const float width = size.x / static_cast<float>(figures.buckets.size());
    const float head = ui.fonts.small->FontSize + ui.px(6);
    for (std::size_t i = 0; i < figures.buckets.size(); ++i) {
        if (figures.buckets[i] == 0) continue;
        const double share = static_cast<double>(figures.buckets[i]) / static_cast<double>(most);
        const float tall = std::max(1.0f, static_cast<float>(share) * (max.y - start.y - head));
        const float x = start.x + static_cast<float>(i) * width;
        list->AddRectFilled({x, max.y - tall}, {x + width - 1, max.y}, IM_COL32(82, 124, 168, 255));
    }
    draw_beside(ui, figures, start, {max.x, max.y - head}, most, head);
    const double whole = static_cast<double>(figures.step) * static_cast<double>(range_buckets);
    float free_from = start.x;
    struct Line {
        const char* name;
        std::int64_t value;
    };
    for (const Line& line :
         {Line{"p50", figures.p50}, {"p95", figures.p95}, {"p99", figures.p99}}) {
        const double share = static_cast<double>(line.value - figures.low) / whole;
        const float x = start.x + static_cast<float>(share) * size.x;
        list->AddLine({x, start.y + head}, {x, max.y}, colour::accent);
        const float text_width = text_size(ui.fonts.small, line.name).x;
        const float left = std::clamp(x - text_width / 2, start.x, max.x - text_width);
        if (left < free_from) continue;
        free_from = left + text_width + ui.px(4);
        draw_text(ui, {left, start.y + ui.px(2)}, Align::left,
                  std::string("range/line/") + line.name, line.name, colour::accent,
                  ui.fonts.small);
    }
    draw_text(ui, {start.x, max.y + ui.px(2)}, Align::left, "range/low",
              value_text(dimension, figures.low), colour::dim, ui.fonts.small);
    draw_text(ui, {max.x, max.y + ui.px(2)}, Align::right, "range/high",
              value_text(dimension, figures.high), colour::dim, ui.fonts.small);
}

}  // namespace

void draw_range(Ui& ui) {
    Model& model = ui.model;
    const RangeFigures& figures = model.range_figures();
    const int series = model.info()->find_series(model.heat.metric);
    const sim::Dimension dimension =
        series < 0 ? sim::Dimension::count
                   : model.info()->series[static_cast<std::size_t>(series)].dimension;
    const std::string title = series < 0
                                  ? model.heat.metric
                                  : model.info()->series[static_cast<std::size_t>(series)].title;
    ImGui::AlignTextToFramePadding();
    const Range range = model.range();
    label(ui, "range/what",
          fitted(ui.fonts.text,
                 title + "   " + clock_text(range.from) + " to " + clock_text(range.to) +
                     (model.selected() ? "" : "   (the view)") +
                     (figures.beside.empty() ? "" : "   bars A, line B"),
                 ImGui::GetContentRegionAvail().x),
          colour::dim);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float column = ui.px(170);
    const bool is_wide = room.x > column * 2.2f;
    const float width = is_wide ? room.x - column - ui.px(18) : room.x;
    draw_histogram(ui, figures, dimension, {width, is_wide ? room.y - ui.px(4) : room.y * 0.5f});
    if (is_wide) ImGui::SameLine(0, ui.px(16));
    ImGui::BeginChild("figures", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    const float inner = std::min(column, ImGui::GetContentRegionAvail().x);
    struct Line {
        const char* name;
        std::int64_t value;
    };
    const Line lines[] = {{"smallest", figures.min},
                          {"p50", figures.p50},
                          {"p95", figures.p95},
                          {"p99", figures.p99},
                          {"largest", figures.max}};
    for (const Line& line : lines) {
        figure(ui, line.name, line.name,
               figures.is_empty() ? "-" : value_text(dimension, line.value), inner);
    }
    ImGui::Dummy({1, ui.px(6)});
    for (const RangeTotal& total : model.range_totals()) {
        figure(ui, "total/" + total.key, total.title, value_text(total.dimension, total.sum),
               inner);
    }
    ImGui::EndChild();
}

}  // namespace wt::viewer
