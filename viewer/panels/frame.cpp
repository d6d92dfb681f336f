// SPDX-License-Identifier: MIT
//
// The window's regions: title, gates, overview, four places with borders that can be dragged, and
// the status line. A small window has one place and says which panel is in it.
#include <algorithm>

#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

struct Box {
    ImVec2 min{};
    ImVec2 size{};
};

// The head of a place: its panel's name, which opens the list of the others.
void draw_head(Ui& ui, const std::string& id, Panel& shown) {
    ImGui::PushFont(ui.fonts.bold);
    const std::string title = title_of(shown);
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    if (ImGui::Button((title + "##" + id).c_str())) ImGui::OpenPopup(id.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    mark(ui, id, title);
    if (ui.items != nullptr) {
        const ImVec2 padding = ImGui::GetStyle().FramePadding;
        const ImVec2 min = ImGui::GetItemRectMin();
        const ImVec2 max = ImGui::GetItemRectMax();
        ui.items->add({.name = id + "/title",
                       .text = title,
                       .min = {min.x + padding.x, min.y + padding.y},
                       .max = {max.x - padding.x, max.y - padding.y},
                       .is_label = true,
                       .layer = ui.layer});
    }
    if (!ImGui::BeginPopup(id.c_str())) return;
    const int outer = ui.layer++;
    for (std::size_t i = 0; i < panel_count; ++i) {
        const Panel panel = static_cast<Panel>(i);
        if (ImGui::Selectable(title_of(panel), panel == shown)) shown = panel;
        mark(ui, id + "/" + name_of(panel), title_of(panel));
    }
    ui.layer = outer;
    ImGui::EndPopup();
}

void draw_place(Ui& ui, std::size_t index, Panel& shown, const Box& box) {
    if (box.size.x < 20 || box.size.y < 20) return;
    const std::string id = "place/" + std::to_string(index);
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(4)});
    ImGui::BeginChild(id.c_str(), box.size, true, ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    draw_head(ui, id, shown);
    if (shown != Panel::plots && shown != Panel::lanes && shown != Panel::ladder &&
        shown != Panel::world && shown != Panel::why) {
        ImGui::SameLine(0, ui.px(8));
    }
    ImGui::PushID(static_cast<int>(index));
    draw_panel(ui, shown);
    ImGui::PopID();
    ImGui::EndChild();
}

// A border between two places, dragged along one axis.
void splitter(Ui& ui, const char* name, Box box, float& share, float whole, bool is_vertical) {
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton(name, box.size);
    mark(ui, name);
    if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(is_vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        ImGui::GetWindowDrawList()->AddRectFilled(
            box.min, {box.min.x + box.size.x, box.min.y + box.size.y}, colour::line, ui.px(2));
    }
    if (!ImGui::IsItemActive() || whole <= 0) return;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    share = std::clamp(share + (is_vertical ? moved.x : moved.y) / whole, 0.12f, 0.88f);
}

// One row of two places; one of them alone has the whole row.
void draw_panel_row(Ui& ui, std::size_t first, const Box& row, float& left_share) {
    Layout& layout = ui.model.layouts.now();
    const float gap = ui.px(5);
    Panel& left = layout.places[first];
    Panel& right = layout.places[first + 1];
    if (left == Panel::none || right == Panel::none) {
        const std::size_t alone = left == Panel::none ? first + 1 : first;
        return draw_place(ui, alone, layout.places[alone], row);
    }
    const float left_width = (row.size.x - gap) * left_share;
    draw_place(ui, first, left, {row.min, {left_width, row.size.y}});
    draw_place(
        ui, first + 1, right,
        {{row.min.x + left_width + gap, row.min.y}, {row.size.x - left_width - gap, row.size.y}});
    const std::string name = first == 0 ? "splitter/top" : "splitter/bottom";
    splitter(ui, name.c_str(), {{row.min.x + left_width, row.min.y}, {gap, row.size.y}}, left_share,
             row.size.x, true);
}

void draw_body(Ui& ui, const Box& body) {
    Layouts& layouts = ui.model.layouts;
    if (is_compact(ui)) return draw_place(ui, 0, layouts.alone, body);
    Layout& layout = layouts.now();
    const float gap = ui.px(5);
    const float top = (body.size.y - gap) * layout.top;
    draw_panel_row(ui, 0, {body.min, {body.size.x, top}}, layout.top_left);
    draw_panel_row(ui, 2,
                   {{body.min.x, body.min.y + top + gap}, {body.size.x, body.size.y - top - gap}},
                   layout.bottom_left);
    splitter(ui, "splitter/rows", {{body.min.x, body.min.y + top}, {body.size.x, gap}}, layout.top,
             body.size.y, false);
}

void draw_main(Ui& ui) {
    draw_title(ui);
    if (ui.model.source() == nullptr) return;
    ImGui::BeginChild("gates", {0, ui.fonts.small->FontSize + ui.px(10)}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
    draw_gates(ui);
    ImGui::EndChild();
    draw_overview(ui);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float status = ImGui::GetTextLineHeight() + ui.px(6);
    const Box body{min,
                   {ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y - status}};
    draw_body(ui, body);
    ImGui::SetCursorScreenPos({min.x, min.y + body.size.y + ui.px(5)});
    draw_status(ui);
}

}  // namespace

bool is_compact(const Ui& ui) {
    constexpr float least_width = 900;
    constexpr float least_height = 520;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    return display.x < ui.px(least_width) || display.y < ui.px(least_height);
}

void draw_panel(Ui& ui, Panel panel) {
    switch (panel) {
        case Panel::heat_map:
            return draw_heat_map(ui);
        case Panel::plots:
            return draw_plots(ui);
        case Panel::peers:
            return draw_peers(ui);
        case Panel::anomalies:
            return draw_anomalies(ui);
        case Panel::lanes:
            return draw_lanes(ui);
        case Panel::ladder:
            return draw_ladder(ui);
        case Panel::records:
            return draw_records(ui);
        case Panel::range:
            return draw_range(ui);
        case Panel::why:
            return draw_why(ui);
        case Panel::compare:
            return draw_compare(ui);
        case Panel::world:
            return draw_world(ui);
        case Panel::links:
            return draw_links(ui);
        case Panel::none:
            return;
    }
}

void draw_frame(Ui& ui) {
    if (ui.items != nullptr) ui.items->begin_frame();
    ui.layer = 0;
    read_keys(ui);
    ui.model.refresh();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("main", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    draw_main(ui);
    ImGui::End();
    if (ui.model.source() == nullptr && ui.model.overlay == Overlay::none) draw_start(ui);
    draw_overlay(ui);
}

}  // namespace wt::viewer
