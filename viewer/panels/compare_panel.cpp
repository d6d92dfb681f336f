// SPDX-License-Identifier: MIT
//
// Two traces side by side: where they part, record by record around that, and both runs in
// figures. A field that differs is bright; what follows from it is not.
#include <algorithm>
#include <array>

#include "viewer/model/record_text.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

// A bar of the run: how much of it is the same.
void draw_bar(Ui& ui, const Comparison& comparison) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(8);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const std::uint64_t all = std::max<std::uint64_t>(1, ui.model.source()->record_count());
    const double share =
        comparison.difference().is_equal()
            ? 1.0
            : static_cast<double>(comparison.difference().equal) / static_cast<double>(all);
    const float middle = at.x + width * static_cast<float>(std::min(share, 1.0));
    list->AddRectFilled(at, {at.x + width, at.y + height}, IM_COL32(96, 78, 44, 255), ui.px(3));
    list->AddRectFilled(at, {middle, at.y + height}, IM_COL32(60, 110, 82, 255), ui.px(3));
    ImGui::Dummy({width, height});
    mark(ui, "compare/bar");
}

struct Half {
    const Source& source;
    std::uint64_t number;
    const trace::Record* other;  // To compare with; nullptr: there is none.
    const char* name;
};

// A record in half of a row; fields that differ from the other half stand out.
void draw_half(Ui& ui, const Half& half, const std::string& name, ImVec2 at, float width) {
    if (half.number == no_record) {
        draw_text(ui, {at.x + ui.px(8), at.y}, Align::left, name, "-", colour::faint,
                  ui.fonts.small);
        return;
    }
    const trace::Record record = half.source.record(half.number);
    const trace::About& about = half.source.about();
    struct Field {
        std::string text;
        float width;
        bool differs;
    };
    const trace::Record& other = half.other != nullptr ? *half.other : record;
    const std::string kind = kind_text(about, record);
    const Field fields[] = {
        {count_text(half.number), 78, false},
        {clock_text({record.time}, Duration::micros(1)), 86, record.time != other.time},
        {record.peer < half.source.info().peers.size() ? half.source.info().peers[record.peer].name
                                                       : "-",
         82, record.peer != other.peer},
        {type_text(about, record), 66, record.type != other.type},
        {kind, 70, record.kind != other.kind},
        {"#" + std::to_string(record.sequence), 66, record.sequence != other.sequence},
        {record.size == 0 ? "" : std::to_string(record.size) + " B", 56, record.size != other.size},
        {record.age == 0 ? "" : std::to_string(record.age) + " us", 74, record.age != other.age},
        {detail_text(about, record), 160, record.detail != other.detail},
    };
    float x = at.x;
    int column = 0;
    for (const Field& field : fields) {
        const float room = std::min(ui.px(field.width), at.x + width - x - ui.px(4));
        if (room < ui.px(24)) break;
        const std::string shown = fitted(ui.fonts.small, field.text, room - ui.px(5));
        if (!shown.empty()) {
            draw_text(ui, {x, at.y}, Align::left, name + "/" + std::to_string(column), shown,
                      field.differs ? colour::note : colour::dim, ui.fonts.small);
        }
        x += ui.px(field.width);
        ++column;
    }
}

void draw_compared(Ui& ui, const Comparison& comparison, std::size_t index, float width) {
    const ComparedRow& row = comparison.rows()[index];
    const Source& a = *ui.model.source();
    const Source& b = comparison.other();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string name = "compare/row/" + std::to_string(index);
    const std::string id = "##" + name;
    if (ImGui::Selectable(id.c_str(), index == comparison.row())) ui.model.go_to_difference(index);
    mark(ui, name, row.is_same ? "same" : "differs");
    trace::Record of_a;
    trace::Record of_b;
    if (row.a != no_record) of_a = a.record(row.a);
    if (row.b != no_record) of_b = b.record(row.b);
    const bool has_both = row.a != no_record && row.b != no_record;
    draw_half(ui, {a, row.a, has_both ? &of_b : nullptr, "a"}, name + "/a", at, width / 2);
    if (row.is_same) {
        draw_text(ui, {at.x + width / 2 + ui.px(8), at.y}, Align::left, name + "/b", "=",
                  colour::faint, ui.fonts.small);
        return;
    }
    draw_half(ui, {b, row.b, has_both ? &of_a : nullptr, "b"}, name + "/b",
              {at.x + width / 2 + ui.px(8), at.y}, width / 2 - ui.px(8));
}

void draw_rows(Ui& ui, const Comparison& comparison, float width) {
    ImGui::BeginChild("rows", {width, 0}, false, ImGuiWindowFlags_NoBackground);
    const float row_height = ImGui::GetTextLineHeightWithSpacing();
    if (comparison.row() != ui.shown_difference) {
        ui.shown_difference = comparison.row();
        ImGui::SetScrollY(std::max(0.0f, static_cast<float>(comparison.row()) * row_height -
                                             ImGui::GetWindowHeight() / 3));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(comparison.rows().size()), row_height);
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_compared(ui, comparison, static_cast<std::size_t>(row), width - ui.px(14));
    }
    ImGui::EndChild();
}

// The first to the left, the others to the right, where their digits stand below each other.
void draw_figure_row(Ui& ui, const std::string& name,
                     const std::array<const std::string*, 4>& texts, ImU32 of_last) {
    for (int column = 0; column < 4; ++column) {
        ImGui::TableSetColumnIndex(column);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float room = ImGui::GetContentRegionAvail().x;
        const bool is_first = column == 0;
        draw_text(ui, {is_first ? at.x : at.x + room, at.y}, is_first ? Align::left : Align::right,
                  "compare/figure/" + name + "/" + std::to_string(column),
                  fitted(ui.fonts.small, *texts[static_cast<std::size_t>(column)], room),
                  column == 3 ? of_last : colour::text, ui.fonts.small);
        ImGui::Dummy({1, ui.fonts.small->FontSize});
    }
}

void draw_figures(Ui& ui, const Comparison& comparison) {
    static const std::array<std::string, 4> heads{"whole run", "A", "B", "change"};
    ImGui::BeginChild("figures", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_PadOuterX;
    if (ImGui::BeginTable("figures", 4, flags)) {
        for (const std::string& head : heads)
            ImGui::TableSetupColumn(head.c_str());
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        draw_figure_row(ui, "head", {&heads[0], &heads[1], &heads[2], &heads[3]}, colour::text);
        for (const ComparedFigure& figure : comparison.figures()) {
            ImGui::TableNextRow();
            draw_figure_row(ui, figure.title, {&figure.title, &figure.a, &figure.b, &figure.change},
                            figure.change == "same" ? colour::faint : colour::text);
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
}

}  // namespace

void draw_compare(Ui& ui) {
    const Comparison* const comparison = ui.model.comparison();
    ImGui::AlignTextToFramePadding();
    if (comparison == nullptr) {
        label(ui, "compare/none", "c puts a second trace beside this one", colour::faint);
        return;
    }
    label(ui, "compare/verdict",
          fitted(ui.fonts.text, comparison->verdict(), ImGui::GetContentRegionAvail().x),
          comparison->difference().is_equal() ? colour::ok : colour::note);
    const std::string who =
        "A " + ui.model.info()->title + "   B " + comparison->other().info().title;
    std::string notes;
    for (const std::string& note : comparison->difference().notes)
        notes += "   " + note;
    label(ui, "compare/who", fitted(ui.fonts.text, who + notes, ImGui::GetContentRegionAvail().x),
          colour::dim);
    for (std::size_t i = 0; i < comparison->causes().size(); ++i) {
        label(ui, "compare/cause/" + std::to_string(i),
              fitted(ui.fonts.text, comparison->causes()[i], ImGui::GetContentRegionAvail().x),
              colour::dim);
    }
    draw_bar(ui, *comparison);
    const float room = ImGui::GetContentRegionAvail().x;
    const float figures = ui.px(360);
    const bool has_rows = comparison->difference().first.has_value() && !comparison->rows().empty();
    if (has_rows && room > figures * 2) {
        draw_rows(ui, *comparison, room - figures - ui.px(12));
        ImGui::SameLine(0, ui.px(12));
    } else if (has_rows) {
        return draw_rows(ui, *comparison, room);
    }
    draw_figures(ui, *comparison);
}

}  // namespace wt::viewer
