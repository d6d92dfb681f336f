// SPDX-License-Identifier: MIT
//
// What was out of the ordinary: the kinds with their counts as switches, and the list itself.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

// Kinds as switches, wrapped into as many rows as they need.
void draw_kinds(Ui& ui) {
    Anomalies& anomalies = ui.model.anomalies;
    const RunInfo& info = *ui.model.info();
    float used = 0;
    ImGui::PushFont(ui.fonts.small);
    for (std::uint16_t kind = 0; kind < info.anomaly_kinds.size(); ++kind) {
        if (anomalies.count(kind) == 0) continue;
        const bool is_on = !anomalies.is_hidden(kind);
        const std::string text =
            info.anomaly_kinds[kind] + " " + short_count(anomalies.count(kind));
        const float width = ImGui::CalcTextSize(text.c_str()).x + ui.px(16);
        if (used > 0 && width < ImGui::GetContentRegionAvail().x - used) {
            ImGui::SameLine(0, ui.px(4));
        } else {
            used = 0;
        }
        used += width + ui.px(4);
        if (button(ui, "anomalies/kind/" + info.anomaly_kinds[kind], text, is_on))
            anomalies.hide(kind, is_on);
    }
    ImGui::PopFont();
}

void draw_anomaly(Ui& ui, std::size_t row) {
    const AnomalyInfo& found = ui.model.source()->anomalies()[ui.model.anomalies.shown()[row]];
    const RunInfo& info = *ui.model.info();
    const std::string id = "##anomaly" + std::to_string(row);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::Selectable(id.c_str(), found.at == ui.model.cursor())) ui.model.go_to_anomaly(row);
    const std::string name = "anomalies/row/" + std::to_string(row);
    mark(ui, name);
    const float time_width = ui.px(78);
    const float who_width = ui.px(96);
    draw_text(ui, at, Align::left, name + "/time", clock_text(found.at), colour::dim);
    const std::string who = found.peer < info.peers.size() ? info.peers[found.peer].name : "";
    draw_text(ui, {at.x + time_width, at.y}, Align::left, name + "/peer",
              fitted(ui.fonts.text, who, who_width - ui.px(6)), colour::text);
    std::string what = info.anomaly_kinds[found.kind];
    if (!found.text.empty()) what += "  " + found.text;
    draw_text(ui, {at.x + time_width + who_width, at.y}, Align::left, name + "/what",
              fitted(ui.fonts.text, what, width - time_width - who_width),
              IM_COL32(196, 203, 214, 255));
}

}  // namespace

void draw_anomalies(Ui& ui) {
    draw_kinds(ui);
    const std::size_t count = ui.model.anomalies.shown().size();
    if (count == 0) {
        label(ui, "anomalies/none", "none", colour::faint);
        return;
    }
    ImGui::BeginChild("anomalies/list");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count));
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_anomaly(ui, static_cast<std::size_t>(row));
    }
    ImGui::EndChild();
}

}  // namespace wt::viewer
