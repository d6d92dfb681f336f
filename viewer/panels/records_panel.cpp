// SPDX-License-Identifier: MIT
//
// The records of the range, filtered by an expression. A click selects one, and with it its peer
// and its instant; a right click on a value makes it a term of the filter.
#include <algorithm>
#include <array>

#include "viewer/model/record_text.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

#include <imgui_stdlib.h>

namespace wt::viewer {

namespace {

enum Column : int { time, peer, type, kind, lane, way, sequence, tick, size, age, detail, columns };

struct Head {
    const char* name;
    float width;  // 0: what is left.
    bool is_number;
};
constexpr std::array<Head, columns> heads = {{{"time", 84, false},
                                              {"peer", 76, false},
                                              {"type", 66, false},
                                              {"kind", 66, false},
                                              {"lane", 66, false},
                                              {"way", 40, false},
                                              {"seq", 54, true},
                                              {"tick", 42, true},
                                              {"size", 38, true},
                                              {"age", 58, true},
                                              {"detail", 0, false}}};

void draw_record_filter(Ui& ui) {
    RecordList& list = ui.model.records;
    if (ui.model.wants_filter) {
        ImGui::SetKeyboardFocusHere();
        ui.model.wants_filter = false;
    }
    const std::string count = count_text(list.count()) + " of " + count_text(list.range_count()) +
                              (list.is_complete() ? "" : " ...");
    const float count_width = text_size(ui.fonts.small, count).x + ui.px(12);
    const float check_width = text_size(ui.fonts.text, "one peer").x + ui.px(40);
    ImGui::SetNextItemWidth(std::max(
        ui.px(60), ImGui::GetContentRegionAvail().x - count_width - check_width - ui.px(8)));
    ImGui::InputTextWithHint("##records", "filter: type == drop && size > 900", &list.filter);
    mark(ui, "records/filter", list.filter);
    ImGui::SameLine();
    ImGui::Checkbox("one peer", &list.only_peer);
    mark(ui, "records/one_peer", list.only_peer ? "on" : "off");
    ImGui::SameLine();
    ImGui::PushFont(ui.fonts.small);
    ImGui::AlignTextToFramePadding();
    label(ui, "records/count", count, colour::dim);
    ImGui::PopFont();
    if (list.only_peer && !has_records(ui.model))
        label(ui, "records/none", no_records_text, colour::note);
    if (!list.error().empty()) label(ui, "records/error", list.error(), colour::note);
}

// What its message said where that was captured, then what the record says by itself.
std::string meaning_of(Ui& ui, std::uint64_t number, const trace::Record& record) {
    const std::string detail = detail_text(ui.model.source()->about(), record);
    const std::string words = ui.model.payload_words(number);
    if (words.empty() || detail.empty()) return words + detail;
    return words + "   " + detail;
}

std::string text_of(Ui& ui, std::uint64_t number, const trace::Record& record, int column) {
    const trace::About& about = ui.model.source()->about();
    switch (column) {
        case Column::time:
            return clock_text({record.time}, Duration::micros(1));
        case Column::peer:
            return record.peer < ui.model.info()->peers.size()
                       ? ui.model.info()->peers[record.peer].name
                       : "-";
        case Column::type:
            return type_text(about, record);
        case Column::kind:
            return kind_text(about, record);
        case Column::lane:
            return lane_text(about, record.lane);
        case Column::way:
            return way_text(record);
        case Column::sequence:
            return record.sequence == 0 ? "" : std::to_string(record.sequence);
        case Column::tick:
            return record.tick == 0 ? "" : std::to_string(record.tick);
        case Column::size:
            return record.size == 0 ? "" : std::to_string(record.size);
        case Column::age:
            if (record.age == 0 || is_type(record, trace::Type::fragment) ||
                is_type(record, trace::Type::acked))
                return {};
            return value_text(sim::Dimension::time, std::int64_t{record.age} * 1'000);
        default:
            return meaning_of(ui, number, record);
    }
}

// "type == drop", as the filter wants it.
std::string term_of(const trace::Record& record, int column, const std::string& text) {
    switch (column) {
        case Column::peer:
            return "peer == " + text;
        case Column::type:
            return "type == " + text;
        case Column::kind:
            return record.kind == 0 ? "" : "kind == " + text;
        case Column::lane:
            return record.lane == trace::no_lane ? "" : "lane == " + text;
        case Column::sequence:
            return "sequence == " + text;
        case Column::tick:
            return "tick == " + text;
        case Column::size:
            return "size == " + text;
        default:
            return {};
    }
}

void add_term(RecordList& list, const std::string& term) {
    if (term.empty()) return;
    list.filter = list.filter.empty() ? term : list.filter + " && " + term;
}

ImU32 ink_of(const trace::Record& record, int column) {
    if (column == Column::lane && record.lane != trace::no_lane) return lane_colour(record.lane);
    if (is_type(record, trace::Type::drop)) return colour::note;
    return column == Column::time ? colour::dim : colour::text;
}

void draw_record(Ui& ui, std::uint64_t number) {
    Model& model = ui.model;
    const trace::Record record = model.source()->record(number);
    const std::string name = "records/row/" + std::to_string(number);
    ImGui::TableNextRow();
    for (int column = 0; column < Column::columns; ++column) {
        if (!ImGui::TableSetColumnIndex(column)) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        if (column == 0) {
            const std::string id = "##" + name;
            if (ImGui::Selectable(id.c_str(), model.record() == number,
                                  ImGuiSelectableFlags_SpanAllColumns))
                model.select_record(number);
            mark(ui, name);
        } else {
            ImGui::Dummy({1, ImGui::GetTextLineHeight()});
        }
        const std::string text = text_of(ui, number, record, column);
        if (text.empty()) continue;
        const Head& head = heads[static_cast<std::size_t>(column)];
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const bool is_here = mouse.x >= at.x && mouse.x < at.x + width && mouse.y >= at.y &&
                             mouse.y < at.y + ImGui::GetTextLineHeight();
        if (is_here && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(1))
            add_term(model.records, term_of(record, column, text));
        draw_text(ui, {head.is_number ? at.x + width : at.x, at.y},
                  head.is_number ? Align::right : Align::left, name + "/" + head.name,
                  fitted(ui.fonts.text, text, width), ink_of(record, column));
    }
}

// Keeps the selected record in sight when it was selected elsewhere.
void follow_selection(Ui& ui, float row_height) {
    const std::uint64_t number = ui.model.record();
    if (number == ui.shown_record || number == no_record) return;
    ui.shown_record = number;
    const float top = static_cast<float>(ui.model.records.place_of(number)) * row_height;
    const float room = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY() || top + row_height * 3 > ImGui::GetScrollY() + room)
        ImGui::SetScrollY(std::max(0.0f, top - room / 2));
}

}  // namespace

void draw_records(Ui& ui) {
    const RecordList& list = ui.model.shown_records();
    draw_record_filter(ui);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                                      ImGuiTableFlags_Resizable | ImGuiTableFlags_Hideable |
                                      ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                      ImGuiTableFlags_PadOuterX;
    if (!ImGui::BeginTable("records", Column::columns, flags, ImGui::GetContentRegionAvail()))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    float used = 0;
    for (const Head& head : heads)
        used += ui.px(head.width + 12);
    const float rest = std::max(ui.px(160), ImGui::GetContentRegionAvail().x - used);
    for (const Head& head : heads) {
        ImGui::TableSetupColumn(head.name, ImGuiTableColumnFlags_WidthFixed,
                                head.width > 0 ? ui.px(head.width) : rest);
    }
    ImGui::TableHeadersRow();
    const float row_height = ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2;
    follow_selection(ui, row_height);
    // ImGui counts rows in int and places in float: the first two million can be scrolled to.
    constexpr std::uint64_t rows_max = 2'000'000;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min(list.count(), rows_max)), row_height);
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_record(ui, list.number_at(static_cast<std::uint64_t>(row)));
    }
    ImGui::EndTable();
}

}  // namespace wt::viewer
