// SPDX-License-Identifier: MIT
//
// The whole run in one strip, whatever the panels show: when something was wrong, above the
// phases and acts that were its weather, with the view as a window in it.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"
#include "viewer/panels/plot.hpp"

namespace wt::viewer {

namespace {

float x_of(const Model& model, Instant at, float left, float right) {
    const Range whole = model.axis.whole();
    const double share =
        static_cast<double>((at - whole.from).ns) / static_cast<double>(whole.length().ns);
    return left + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (right - left);
}

Instant at_x(const Model& model, float x, float left, float right) {
    const Range whole = model.axis.whole();
    const double share = static_cast<double>((x - left) / std::max(1.0f, right - left));
    return whole.from + Duration{static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) *
                                                           static_cast<double>(whole.length().ns))};
}

void draw_bar(Ui& ui, const std::string& name, const std::string& text, ImVec2 min, ImVec2 max,
              ImU32 fill) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled({min.x, min.y}, {std::max(max.x - 1, min.x + 1), max.y}, fill, ui.px(2));
    const std::string shown = fitted(ui.fonts.small, text, max.x - min.x - ui.px(8));
    mark_rect(ui, name, min, max, text);
    if (!shown.empty()) {
        draw_text(ui, {min.x + ui.px(5), min.y}, Align::left, name + "/text", shown, colour::text,
                  ui.fonts.small);
    }
}

// Acts that overlap share the row; the later one lies on top, and the tooltip names it.
void draw_weather(Ui& ui, float left, float right, float top, float row) {
    const RunInfo& info = *ui.model.info();
    for (std::size_t i = 0; i < info.phases.size(); ++i) {
        const PhaseInfo& phase = info.phases[i];
        draw_bar(ui, "phase/" + phase.name, phase.name,
                 {x_of(ui.model, phase.range.from, left, right), top},
                 {x_of(ui.model, phase.range.to, left, right), top + row - ui.px(1)},
                 phase_colour(i));
    }
    float text_free_from = left;
    for (std::size_t i = 0; i < info.acts.size(); ++i) {
        const ActInfo& act = info.acts[i];
        const float from = x_of(ui.model, act.range.from, left, right);
        const float to = std::max(x_of(ui.model, act.range.to, left, right), from + ui.px(3));
        const bool has_room = from >= text_free_from;
        const std::string text = has_room ? act.what + " " + act.name : "";
        draw_bar(ui, "act/" + act.name, text, {from, top + row}, {to, top + row * 2 - ui.px(1)},
                 phase_colour(i + 2));
        if (has_room) text_free_from = to;
    }
}

void draw_anomaly_ticks(Ui& ui, float left, float right, float top, float bottom) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const auto all = ui.model.source()->anomalies();
    float last = left - 2;
    for (const std::uint32_t index : ui.model.anomalies.shown()) {
        const float x = x_of(ui.model, all[index].at, left, right);
        // Thousands of them fall on a few hundred pixels.
        if (x < last + 1) continue;
        last = x;
        list->AddLine({x, top}, {x, bottom}, colour::note);
    }
    for (const Bookmark& bookmark : ui.model.bookmarks.all()) {
        const float x = x_of(ui.model, bookmark.at, left, right);
        list->AddTriangleFilled({x - ui.px(4), top}, {x + ui.px(4), top}, {x, top + ui.px(6)},
                                colour::accent);
    }
}

void draw_curve(Ui& ui, float left, float right, float top, float bottom) {
    const Band& band = ui.model.overview_band();
    std::int64_t max = 1;
    for (std::size_t i = 0; i < band.max.size(); ++i)
        max = std::max(max, band.has[i] != 0 ? band.max[i] : 0);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float step =
        (right - left) / static_cast<float>(std::max<std::size_t>(band.max.size(), 1));
    const auto y_of = [&](std::int64_t value) {
        return bottom - static_cast<float>(static_cast<double>(value) / static_cast<double>(max)) *
                            (bottom - top);
    };
    for (std::size_t i = 0; i < band.max.size(); ++i) {
        if (band.has[i] == 0) continue;
        const float x = left + static_cast<float>(i) * step;
        list->AddRectFilled({x, y_of(band.max[i])}, {x + step, bottom}, IM_COL32(58, 82, 112, 255));
        list->AddRectFilled({x, y_of(band.p50[i])}, {x + step, bottom},
                            IM_COL32(82, 124, 168, 255));
    }
}

// A click or drag brings the view there; its length stays.
void drag_view(Ui& ui, float left, float right) {
    Model& model = ui.model;
    const ImGuiIO& io = ImGui::GetIO();
    const Instant here = at_x(model, io.MousePos.x, left, right);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0)
        model.axis.zoom(here, io.MouseWheel > 0 ? 0.82 : 1 / 0.82);
    if (!ImGui::IsItemActive()) return;
    if (ImGui::IsItemActivated()) model.set_cursor(here);
    if (!ImGui::IsMouseDragging(0) && !ImGui::IsItemActivated()) return;
    const Duration half = model.axis.view().length() / 2;
    if (!model.axis.shows_all()) model.axis.show({here - half, here + half});
}

}  // namespace

float overview_height(const Ui& ui) {
    const bool has_acts = ui.model.info() != nullptr && !ui.model.info()->acts.empty();
    const float row = ui.fonts.small->FontSize + ui.px(2);
    return ui.px(34) + row * (has_acts ? 2 : 1) + ui.px(4);
}

void draw_overview(Ui& ui) {
    Model& model = ui.model;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float left = start.x;
    const float right = start.x + ImGui::GetContentRegionAvail().x;
    const float row = ui.fonts.small->FontSize + ui.px(2);
    const float curve_bottom = start.y + ui.px(34);
    const float bottom = start.y + overview_height(ui) - ui.px(4);
    ImGui::InvisibleButton("overview", {right - left, bottom - start.y});
    mark(ui, "overview");
    drag_view(ui, left, right);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled({left, start.y}, {right, curve_bottom - ui.px(2)}, colour::plot, ui.px(3));
    draw_curve(ui, left, right, start.y + ui.px(7), curve_bottom - ui.px(2));
    draw_anomaly_ticks(ui, left, right, start.y, start.y + ui.px(6));
    draw_weather(ui, left, right, curve_bottom, row);

    const Range view = model.axis.view();
    const float from = x_of(model, view.from, left, right);
    const float to = std::max(x_of(model, view.to, left, right), from + ui.px(3));
    if (!model.axis.shows_all()) {
        const ImU32 shade = IM_COL32(12, 14, 18, 150);
        list->AddRectFilled({left, start.y}, {from, bottom}, shade);
        list->AddRectFilled({to, start.y}, {right, bottom}, shade);
        list->AddRect({from, start.y}, {to, bottom}, colour::accent, ui.px(2));
    }
    if (model.selected()) {
        list->AddRectFilled({x_of(model, model.selected()->from, left, right), start.y},
                            {x_of(model, model.selected()->to, left, right), bottom},
                            colour::range);
    }
    const float x = x_of(model, model.cursor(), left, right);
    list->AddLine({x, start.y}, {x, bottom}, colour::cursor);
}

}  // namespace wt::viewer
