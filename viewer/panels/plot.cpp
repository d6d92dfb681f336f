// SPDX-License-Identifier: MIT
#include "viewer/panels/plot.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

bool has_value(std::span<const std::uint8_t> has, std::size_t column) {
    return has.empty() || has[column] != 0;
}

}  // namespace

float plot_gutter(const Ui& ui) {
    return text_size(ui.fonts.small, "000 kbit/s").x + ui.px(6);
}

Plot::Plot(Ui& ui, const PlotSpec& spec) : ui_(ui), spec_(spec) {
    const float gutter = plot_gutter(ui);
    const float labels = spec.has_time_labels ? time_labels_height(ui) : 0;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float title_height = ui.fonts.small->FontSize + ui.px(4);
    const float width = ImGui::GetContentRegionAvail().x;
    draw_text(ui, {start.x + gutter, start.y}, Align::left, std::string(spec.name) + "/title",
              spec.title, colour::text, ui.fonts.small);
    ImGui::SetCursorScreenPos({start.x + gutter, start.y + title_height});
    area_ = time_area(ui, spec.name, {width - gutter, spec.height - title_height - labels});
    ImGui::SetCursorScreenPos({start.x, start.y + spec.height});
    legend_x_ = area_.max.x;

    std::int64_t max = std::max<std::int64_t>(spec.max, 1);
    if (spec.bound) max = std::max(max, *spec.bound + *spec.bound / 8);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(area_.min, area_.max, colour::plot, ui.px(2));
    draw_time_grid(ui, area_, spec.name, spec.has_time_labels);
    const float line_height = ui.fonts.small->FontSize;
    const unsigned count =
        static_cast<unsigned>(std::clamp(area_.height() / (line_height * 1.7f), 1.0f, 5.0f));
    const std::vector<std::int64_t> ticks = value_ticks(max, count);
    if (!ticks.empty()) max = std::max(max, ticks.back());
    max_ = static_cast<double>(max);
    top_ = area_.min.y + ui.px(2);
    float free_above = area_.max.y + line_height;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const float y = std::floor(y_of(ticks[i])) + 0.5f;
        if (i > 0) list->AddLine({area_.min.x, y}, {area_.max.x, y}, colour::grid);
        const float text_y = std::clamp(y - line_height / 2, area_.min.y - line_height / 2,
                                        area_.max.y - line_height);
        if (text_y + line_height > free_above) continue;
        free_above = text_y - 1;
        const std::string text = ticks[i] == 0 ? "0" : value_text(spec.dimension, ticks[i]);
        draw_text(ui, {area_.min.x - ui.px(5), text_y}, Align::right,
                  std::string(spec.name) + "/value/" + std::to_string(i), text, colour::dim,
                  ui.fonts.small);
    }
    list->PushClipRect(area_.min, area_.max, true);
}

float Plot::y_of(std::int64_t value) const {
    const double share = std::clamp(static_cast<double>(value) / max_, 0.0, 1.2);
    return area_.max.y - static_cast<float>(share) * (area_.max.y - area_.min.y - ui_.px(2));
}

float Plot::column_x(std::size_t column, std::size_t columns) const {
    return area_.min.x + (static_cast<float>(column) + 0.5f) * area_.width() /
                             static_cast<float>(std::max<std::size_t>(columns, 1));
}

std::int64_t Plot::column_of(Instant at, std::size_t columns) const {
    if (!area_.view.holds(at) || columns == 0) return -1;
    const double share = static_cast<double>((at - area_.view.from).ns) /
                         static_cast<double>(area_.view.length().ns);
    return static_cast<std::int64_t>(share * static_cast<double>(columns));
}

void Plot::band(std::span<const std::int64_t> low, std::span<const std::int64_t> high,
                std::span<const std::uint8_t> has, ImU32 fill) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i + 1 < low.size(); ++i) {
        if (!has_value(has, i) || !has_value(has, i + 1)) continue;
        const float x = column_x(i, low.size());
        const float next = column_x(i + 1, low.size());
        list->AddQuadFilled({x, y_of(high[i])}, {next, y_of(high[i + 1])}, {next, y_of(low[i + 1])},
                            {x, y_of(low[i])}, fill);
    }
}

void Plot::line(std::span<const std::int64_t> values, std::span<const std::uint8_t> has, ImU32 ink,
                float thickness) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!has_value(has, i)) {
            if (i > 0) list->PathStroke(ink, 0, thickness * ui_.scale);
            continue;
        }
        list->PathLineTo({column_x(i, values.size()), y_of(values[i])});
    }
    list->PathStroke(ink, 0, thickness * ui_.scale);
}

void Plot::cells(std::span<const Cell> cells, ImU32 ink) {
    std::vector<std::int64_t> low(cells.size());
    std::vector<std::int64_t> high(cells.size());
    std::vector<std::uint8_t> has(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        has[i] = cells[i].is_empty() ? 0 : 1;
        low[i] = has[i] != 0 ? cells[i].min : 0;
        high[i] = has[i] != 0 ? cells[i].max : 0;
    }
    band(low, high, has, with_alpha(ink, 70));
    line(high, has, ink);
}

void Plot::bars(std::span<const std::int64_t> values, ImU32 ink) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float half = std::max(
        0.5f,
        area_.width() / static_cast<float>(std::max<std::size_t>(values.size(), 1)) / 2 - 0.25f);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] <= 0) continue;
        const float x = column_x(i, values.size());
        list->AddRectFilled({x - half, y_of(values[i])}, {x + half, area_.max.y}, ink);
    }
}

void Plot::legend(std::string_view key, ImU32 ink, const std::string& value) {
    const ImVec2 title = text_size(ui_.fonts.small, spec_.title);
    const std::string text = value.empty() ? std::string(key) : std::string(key) + " " + value;
    const float width = text_size(ui_.fonts.small, text).x + ui_.px(14);
    if (legend_x_ - width < area_.min.x + title.x + ui_.px(10)) return;
    legend_x_ -= width + ui_.px(8);
    const float y = area_.min.y - ui_.fonts.small->FontSize - ui_.px(4);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->PopClipRect();
    const float middle = y + ui_.fonts.small->FontSize / 2;
    list->AddRectFilled({legend_x_, middle - ui_.px(2)},
                        {legend_x_ + ui_.px(9), middle + ui_.px(2)}, ink, ui_.px(2));
    draw_text(ui_, {legend_x_ + ui_.px(14), y}, Align::left,
              std::string(spec_.name) + "/legend/" + std::string(key), text, colour::dim,
              ui_.fonts.small);
    list->PushClipRect(area_.min, area_.max, true);
}

void Plot::finish() {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    if (spec_.bound) {
        const float y = std::floor(y_of(*spec_.bound)) + 0.5f;
        // Dashes, so that the bound is never taken for data.
        for (float x = area_.min.x; x < area_.max.x; x += ui_.px(9))
            list->AddLine({x, y}, {x + ui_.px(5), y}, colour::note);
    }
    list->PopClipRect();
    draw_time_marks(ui_, area_);
}

}  // namespace wt::viewer
