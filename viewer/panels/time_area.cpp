// SPDX-License-Identifier: MIT
#include "viewer/panels/time_area.hpp"

#include <algorithm>
#include <cmath>

namespace wt::viewer {

namespace {

constexpr float drag_threshold = 4;
constexpr double wheel_step = 0.82;

TimeDrag::Kind kind_of(int mouse_button) {
    if (mouse_button == 0) return TimeDrag::Kind::select;
    return mouse_button == 1 ? TimeDrag::Kind::pan : TimeDrag::Kind::zoom;
}

int button_of(TimeDrag::Kind kind) {
    if (kind == TimeDrag::Kind::select) return 0;
    return kind == TimeDrag::Kind::pan ? 1 : 2;
}

void end_drag(Ui& ui, TimeArea& area, Instant here) {
    Model& model = ui.model;
    const TimeDrag drag = ui.drag;
    ui.drag = TimeDrag{};
    if (!drag.has_moved) {
        if (drag.kind == TimeDrag::Kind::select) {
            model.set_cursor(here);
            area.is_clicked = true;
        }
        area.is_right_clicked = drag.kind == TimeDrag::Kind::pan;
        return;
    }
    Range range{std::min(drag.start, here), std::max(drag.start, here)};
    if (drag.kind == TimeDrag::Kind::zoom && !range.is_empty()) model.axis.show(range);
}

void go_on_with_drag(Ui& ui, TimeArea& area) {
    const ImGuiIO& io = ImGui::GetIO();
    Model& model = ui.model;
    const int mouse_button = button_of(ui.drag.kind);
    const Instant here = area.at_x(std::clamp(io.MousePos.x, area.min.x, area.max.x));
    const ImVec2 moved = ImGui::GetMouseDragDelta(mouse_button, 0);
    if (std::abs(moved.x) > drag_threshold) ui.drag.has_moved = true;
    if (ui.drag.has_moved && ui.drag.kind == TimeDrag::Kind::select) {
        model.select_range(Range{ui.drag.start, here});
    }
    if (ui.drag.has_moved && ui.drag.kind == TimeDrag::Kind::pan) {
        const Range from = ui.drag.view_at_start;
        const double share = static_cast<double>(moved.x) / static_cast<double>(area.width());
        const Duration by{static_cast<std::int64_t>(share * static_cast<double>(from.length().ns))};
        model.axis.show({from.from - by, from.to - by});
    }
    if (!ImGui::IsMouseDown(mouse_button)) end_drag(ui, area, here);
}

}  // namespace

float TimeArea::x_of(Instant at) const {
    const double share =
        static_cast<double>((at - view.from).ns) / static_cast<double>(view.length().ns);
    // Far outside is as good as infinitely far, and fits into what is drawn with.
    return min.x + static_cast<float>(std::clamp(share, -10.0, 11.0)) * width();
}

Instant TimeArea::at_x(float x) const {
    const double share = static_cast<double>((x - min.x) / std::max(1.0f, width()));
    return view.from +
           Duration{static_cast<std::int64_t>(share * static_cast<double>(view.length().ns))};
}

TimeArea time_area(Ui& ui, const char* name, ImVec2 size) {
    TimeArea area;
    size.x = std::max(size.x, 8.0f);
    size.y = std::max(size.y, 4.0f);
    area.min = ImGui::GetCursorScreenPos();
    area.max = {area.min.x + size.x, area.min.y + size.y};
    area.view = ui.model.axis.view();
    ImGui::InvisibleButton(name, size,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                               ImGuiButtonFlags_MouseButtonMiddle);
    mark(ui, name);
    const ImGuiID id = ImGui::GetID(name);
    area.is_hovered = ImGui::IsItemHovered();
    const ImGuiIO& io = ImGui::GetIO();
    if (area.is_hovered && io.MouseWheel != 0) {
        const double steps = static_cast<double>(io.MouseWheel);
        ui.model.axis.zoom(area.at_x(io.MousePos.x), std::pow(wheel_step, steps));
        area.view = ui.model.axis.view();
    }
    for (int mouse_button = 0; mouse_button < 3; ++mouse_button) {
        if (area.is_hovered && ImGui::IsMouseClicked(mouse_button) &&
            ui.drag.kind == TimeDrag::Kind::none) {
            ui.drag = {kind_of(mouse_button), id, area.at_x(io.MousePos.x), area.view, false};
        }
    }
    if (ui.drag.kind != TimeDrag::Kind::none && ui.drag.area == id) go_on_with_drag(ui, area);
    area.view = ui.model.axis.view();
    return area;
}

void draw_time_marks(Ui& ui, const TimeArea& area) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->PushClipRect(area.min, area.max, true);
    if (ui.model.selected()) {
        const float from = area.x_of(ui.model.selected()->from);
        const float to = std::max(area.x_of(ui.model.selected()->to), from + 1);
        list->AddRectFilled({from, area.min.y}, {to, area.max.y}, colour::range);
        list->AddLine({from, area.min.y}, {from, area.max.y}, colour::range_edge);
        list->AddLine({to, area.min.y}, {to, area.max.y}, colour::range_edge);
    }
    const float x = std::floor(area.x_of(ui.model.cursor())) + 0.5f;
    list->AddLine({x, area.min.y}, {x, area.max.y}, colour::cursor);
    list->PopClipRect();
}

float time_labels_height(const Ui& ui) {
    return ui.fonts.small->FontSize + ui.px(5);
}

void draw_time_grid(Ui& ui, const TimeArea& area, std::string_view name, bool is_labelled) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float label_width = text_size(ui.fonts.small, "00:00.000000").x + ui.px(12);
    const unsigned count = static_cast<unsigned>(std::max(2.0f, area.width() / label_width));
    const std::vector<AxisTick> ticks = axis_ticks(area.view, count);
    float free_from = area.min.x;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const float x = std::floor(area.x_of(ticks[i].at)) + 0.5f;
        list->AddLine({x, area.min.y}, {x, area.max.y}, colour::grid);
        if (!is_labelled) continue;
        const float width = text_size(ui.fonts.small, ticks[i].label).x;
        const float left = std::clamp(x - width / 2, area.min.x, area.max.x - width);
        if (left < free_from) continue;
        free_from = left + width + ui.px(6);
        draw_text(ui, {left, area.max.y + ui.px(2)}, Align::left,
                  std::string(name) + "/time/" + std::to_string(i), ticks[i].label, colour::dim,
                  ui.fonts.small);
    }
}

}  // namespace wt::viewer
