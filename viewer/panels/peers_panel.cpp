// SPDX-License-Identifier: MIT
//
// The table of peers: sorted by a click on a head, filtered as one types, a row is a peer to look
// at. Only the rows in sight are drawn.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

#include <imgui_stdlib.h>

namespace wt::viewer {

namespace {

// The name and the strip stand before the values.
constexpr int first_value = 2;

void draw_peer_filter(Ui& ui) {
    PeerTable& table = ui.model.peers;
    if (ui.model.wants_filter && !ui.model.layouts.is_shown(Panel::records)) {
        ImGui::SetKeyboardFocusHere();
        ui.model.wants_filter = false;
    }
    const std::string count =
        count_text(table.rows().size()) + " of " + count_text(ui.model.info()->bot_count());
    const float count_width = text_size(ui.fonts.small, count).x + ui.px(12);
    ImGui::SetNextItemWidth(
        std::max(ui.px(60), ImGui::GetContentRegionAvail().x - count_width - ui.px(8)));
    ImGui::InputTextWithHint("##filter", "filter: a part of the name, or rtt > 80ms && lost > 5",
                             &table.filter);
    mark(ui, "peers/filter", table.filter);
    ImGui::SameLine();
    ImGui::PushFont(ui.fonts.small);
    ImGui::AlignTextToFramePadding();
    label(ui, "peers/count", count, colour::dim);
    ImGui::PopFont();
    if (!table.filter_error().empty()) label(ui, "peers/error", table.filter_error(), colour::note);
}

void draw_name(Ui& ui, PeerIndex peer) {
    const std::string& name = ui.model.info()->peers[peer].name;
    const std::vector<PeerIndex> plotted = ui.model.plotted_peers();
    const auto found = std::find(plotted.begin(), plotted.end(), peer);
    const bool is_selected = ui.model.peer() == peer;
    const std::string id = "##peer" + std::to_string(peer);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable(id.c_str(), is_selected, ImGuiSelectableFlags_SpanAllColumns))
        ui.model.select_peer(peer);
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) ui.model.peers.filter = name;
    mark(ui, "peers/row/" + name, name);
    float x = at.x;
    if (found != plotted.end()) {
        const ImU32 ink = peer_colour(static_cast<std::size_t>(found - plotted.begin()));
        ImGui::GetWindowDrawList()->AddCircleFilled(
            {x + ui.px(4), at.y + ImGui::GetTextLineHeight() / 2}, ui.px(3.5f), ink);
    }
    x += ui.px(14);
    draw_text(ui, {x, at.y}, Align::left, "peers/name/" + name, name,
              is_selected ? colour::text : IM_COL32(196, 203, 214, 255));
}

void draw_value(Ui& ui, PeerIndex peer, std::size_t column) {
    const PeerTable& table = ui.model.peers;
    const std::optional<std::int64_t> value = table.value(peer, column);
    const PeerColumn& about = table.columns()[column];
    const std::string text =
        !value ? "-" : (*value == 0 ? "0" : value_text(about.dimension, *value));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    draw_text(ui, {right, at.y}, Align::right,
              "peers/value/" + ui.model.info()->peers[peer].name + "/" + about.key, text,
              !value || *value == 0 ? colour::faint : colour::text);
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

// The heat map's metric over the view, as a strip of columns: where a peer was bad, at a glance.
void draw_spark(Ui& ui, PeerIndex peer) {
    const HeatMap& heat = ui.model.heat;
    const std::size_t row = heat.row_of(peer);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeight();
    ImGui::Dummy({width, height});
    const std::string name = "peers/spark/" + ui.model.info()->peers[peer].name;
    mark(ui, name);
    if (row >= heat.rows().size() || heat.columns() == 0 || width < ui.px(8)) return;
    const std::int64_t low = heat.scale_min();
    const double span = static_cast<double>(std::max<std::int64_t>(heat.scale_max() - low, 1));
    constexpr std::uint32_t parts = std::uint32_t{PeerTable::spark_columns};
    const std::uint32_t step = (heat.columns() + parts - 1) / parts;
    const float column_width = width / static_cast<float>(PeerTable::spark_columns);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    for (std::uint32_t first = 0; first < heat.columns(); first += step) {
        Cell cell;
        for (std::uint32_t i = first; i < std::min(first + step, heat.columns()); ++i)
            cell.merge(heat.at(row, i));
        if (cell.is_empty()) continue;
        const double share = std::clamp(static_cast<double>(cell.max - low) / span, 0.0, 1.0);
        const float x = at.x + column_width * static_cast<float>(first / step);
        const float top = at.y + height - std::max(1.0f, static_cast<float>(share) * (height - 2));
        list->AddRectFilled({x, top}, {x + column_width - 0.5f, at.y + height}, colour::accent);
    }
}

void draw_heads(Ui& ui, bool is_narrow) {
    const PeerTable& table = ui.model.peers;
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("name",
                            ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_DefaultSort |
                                ImGuiTableColumnFlags_NoHide,
                            ui.px(120));
    const int series = ui.model.info()->find_series(ui.model.heat.metric);
    const std::string spark =
        series < 0 ? "spark" : ui.model.info()->series[static_cast<std::size_t>(series)].title;
    ImGui::TableSetupColumn(
        (spark + "##spark").c_str(),
        ImGuiTableColumnFlags_NoSort |
            (is_narrow ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch),
        is_narrow ? ui.px(96) : 1.4f);
    for (const PeerColumn& column : table.columns()) {
        ImGui::TableSetupColumn(
            column.title.c_str(),
            (is_narrow ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch) |
                ImGuiTableColumnFlags_PreferSortDescending,
            is_narrow ? ui.px(72) : 1.0f);
    }
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    const int values = static_cast<int>(table.columns().size());
    for (int i = 0; i < first_value + values; ++i) {
        if (!ImGui::TableSetColumnIndex(i)) continue;
        ImGui::TableHeader(ImGui::TableGetColumnName(i));
        const std::string key =
            i < first_value ? (i == 0 ? "name" : "spark")
                            : table.columns()[static_cast<std::size_t>(i - first_value)].key;
        mark(ui, "peers/head/" + key, ImGui::TableGetColumnName(i));
    }
}

void read_sort(PeerTable& table) {
    ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || !specs->SpecsDirty || specs->SpecsCount == 0) return;
    table.sort_column =
        specs->Specs[0].ColumnIndex == 0 ? -1 : specs->Specs[0].ColumnIndex - first_value;
    table.sort_descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    specs->SpecsDirty = false;
}

}  // namespace

void draw_peers(Ui& ui) {
    PeerTable& table = ui.model.peers;
    draw_peer_filter(ui);
    const int columns = static_cast<int>(table.columns().size()) + first_value;
    // Columns share the width while there is enough; else they keep theirs and one scrolls.
    const float width = ImGui::GetContentRegionAvail().x;
    const bool is_narrow = width < ui.px(120) + static_cast<float>(columns - 1) * ui.px(76);
    const ImGuiTableFlags flags =
        ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
        ImGuiTableFlags_RowBg | ImGuiTableFlags_Hideable | ImGuiTableFlags_BordersInnerV |
        ImGuiTableFlags_PadOuterX | (is_narrow ? ImGuiTableFlags_ScrollX : ImGuiTableFlags_None);
    if (!ImGui::BeginTable(is_narrow ? "peers/narrow" : "peers", columns, flags,
                           ImGui::GetContentRegionAvail()))
        return;
    draw_heads(ui, is_narrow);
    read_sort(table);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(table.rows().size()));
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
            const PeerIndex peer = table.rows()[static_cast<std::size_t>(row)];
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            draw_name(ui, peer);
            if (ImGui::TableSetColumnIndex(1)) draw_spark(ui, peer);
            for (std::size_t column = 0; column < table.columns().size(); ++column) {
                if (ImGui::TableSetColumnIndex(static_cast<int>(column) + first_value))
                    draw_value(ui, peer, column);
            }
        }
    }
    ImGui::EndTable();
}

}  // namespace wt::viewer
