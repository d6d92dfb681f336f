// SPDX-License-Identifier: MIT
//
// The heat map: one texture, stretched; nothing is drawn per peer.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"
#include "viewer/panels/plot.hpp"

namespace wt::viewer {

namespace {

// Room for the selected peer's name beside its row.
float name_gutter(const Ui& ui) {
    return text_size(ui.fonts.small, "fighter-0000").x + ui.px(14);
}

void draw_choices(Ui& ui) {
    HeatMap& heat = ui.model.heat;
    const RunInfo& info = *ui.model.info();
    const int chosen = info.find_series(heat.metric);
    const std::string title =
        chosen < 0 ? heat.metric : info.series[static_cast<std::size_t>(chosen)].title;
    ImGui::SetNextItemWidth(ui.px(170));
    const bool is_open = ImGui::BeginCombo("##metric", title.c_str());
    mark(ui, "heat/metric", title);
    if (is_open) {
        const int outer = ui.layer++;
        for (const SeriesInfo& series : info.series) {
            if (series.is_servers) continue;
            if (ImGui::Selectable(series.title.c_str(), series.key == heat.metric))
                heat.metric = series.key;
            mark(ui, "heat/metric/" + series.key, series.title);
        }
        ui.layer = outer;
        ImGui::EndCombo();
    }
    ImGui::SameLine();
    const bool by_worst = heat.order == HeatOrder::worst;
    if (button(ui, "heat/order", by_worst ? "worst first" : "by name"))
        heat.order = by_worst ? HeatOrder::name : HeatOrder::worst;
}

// What the colours mean, in the row of the choices where there is room.
void draw_scale(Ui& ui) {
    const HeatMap& heat = ui.model.heat;
    if (heat.series() < 0) return;
    const SeriesInfo& series = ui.model.info()->series[static_cast<std::size_t>(heat.series())];
    const std::string most = value_text(series.dimension, heat.scale_max());
    const std::string least =
        heat.scale_min() == 0 ? "0" : value_text(series.dimension, heat.scale_min());
    const float width = ui.px(90);
    const float text_width = text_size(ui.fonts.small, most).x;
    const float least_width = text_size(ui.fonts.small, least).x;
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width + text_width + least_width + ui.px(24))
        return ImGui::NewLine();
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const float y = ImGui::GetCursorScreenPos().y + ui.px(6);
    const float left = right - width - text_width - ui.px(8);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    constexpr int steps = 24;
    for (int i = 0; i < steps; ++i) {
        const float from = left + width * static_cast<float>(i) / steps;
        const float to = left + width * static_cast<float>(i + 1) / steps;
        list->AddRectFilled({from, y}, {to, y + ui.px(10)},
                            heat_colour(static_cast<double>(i) / (steps - 1)));
    }
    draw_text(ui, {left - ui.px(5), y - ui.px(2)}, Align::right, "heat/scale/min", least,
              colour::dim, ui.fonts.small);
    draw_text(ui, {right, y - ui.px(2)}, Align::right, "heat/scale/max", most, colour::dim,
              ui.fonts.small);
    ImGui::NewLine();
}

void upload(Ui& ui) {
    const HeatMap& heat = ui.model.heat;
    if (heat.version() == ui.heat_version || !ui.upload) return;
    ui.heat_version = heat.version();
    const std::vector<std::uint32_t> pixels = heat.picture();
    if (pixels.empty()) {
        ui.heat_texture = nullptr;
        return;
    }
    ui.heat_texture = ui.upload({.slot = 0,
                                 .width = heat.columns(),
                                 .height = static_cast<unsigned>(heat.rows().size()),
                                 .pixels = pixels.data()});
}

void point_at(Ui& ui, const TimeArea& area) {
    Model& model = ui.model;
    const HeatMap& heat = model.heat;
    if (heat.rows().empty() || heat.columns() == 0) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float row_height = area.height() / static_cast<float>(heat.rows().size());
    const float share = std::clamp((mouse.y - area.min.y) / area.height(), 0.0f, 0.9999f);
    const std::size_t row =
        static_cast<std::size_t>(share * static_cast<float>(heat.rows().size()));
    const float across = std::clamp((mouse.x - area.min.x) / area.width(), 0.0f, 0.9999f);
    const std::uint32_t column =
        static_cast<std::uint32_t>(across * static_cast<float>(heat.columns()));
    const Cell cell = heat.at(row, column);
    const SeriesInfo& series = model.info()->series[static_cast<std::size_t>(heat.series())];
    if (area.is_clicked) model.select_peer(heat.rows()[row].peers.front());
    if (!area.is_hovered || ui.drag.kind != TimeDrag::Kind::none) return;
    const float y = area.min.y + row_height * static_cast<float>(row);
    ImGui::GetWindowDrawList()->AddRect({area.min.x, y}, {area.max.x, y + row_height},
                                        with_alpha(colour::cursor, 110));
    std::string text = heat.rows()[row].label + "   " + clock_text(area.at_x(mouse.x)) + "\n" +
                       series.title + "  ";
    text += cell.is_empty() ? "none" : "max " + value_text(series.dimension, cell.max);
    tooltip(text);
}

void draw_selected_row(Ui& ui, const TimeArea& area) {
    const HeatMap& heat = ui.model.heat;
    const std::size_t row = heat.row_of(ui.model.peer());
    if (row >= heat.rows().size()) return;
    const float row_height = area.height() / static_cast<float>(heat.rows().size());
    const float y = area.min.y + row_height * (static_cast<float>(row) + 0.5f);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddTriangleFilled({area.min.x - ui.px(7), y - ui.px(5)},
                            {area.min.x - ui.px(7), y + ui.px(5)}, {area.min.x - ui.px(1), y},
                            peer_colour(0));
    const std::string name = fitted(ui.fonts.small, ui.model.info()->peers[ui.model.peer()].name,
                                    name_gutter(ui) - ui.px(12));
    draw_text(ui, {area.min.x - ui.px(10), y - ui.fonts.small->FontSize / 2}, Align::right,
              "heat/selected", name, peer_colour(0), ui.fonts.small);
}

}  // namespace

void draw_heat_map(Ui& ui) {
    draw_choices(ui);
    draw_scale(ui);
    upload(ui);
    const float gutter = name_gutter(ui);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ImGui::SetCursorScreenPos({start.x + gutter, start.y});
    const TimeArea area = time_area(ui, "heat", {room.x - gutter, room.y - time_labels_height(ui)});
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(area.min, area.max, colour::plot);
    draw_time_grid(ui, area, "heat", true);
    if (ui.model.heat.rows().empty()) {
        const char* const why =
            ui.model.info()->bot_count() == 0 ? "no peers in this run" : "nothing recorded";
        draw_text(ui, {(area.min.x + area.max.x) / 2, (area.min.y + area.max.y) / 2}, Align::centre,
                  "heat/empty", why, colour::faint);
        return;
    }
    if (ui.heat_texture != nullptr) list->AddImage(ui.heat_texture, area.min, area.max);
    draw_selected_row(ui, area);
    draw_time_marks(ui, area);
    if (area.is_hovered || area.is_clicked) point_at(ui, area);
}

}  // namespace wt::viewer
