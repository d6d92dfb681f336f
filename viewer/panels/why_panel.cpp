// SPDX-License-Identifier: MIT
//
// Why: the life of what the selected record is about, and where its time went.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

void draw_share_bar(Ui& ui, const trace::WhyAnswer& answer) {
    std::int64_t whole = 0;
    for (const trace::WhyShare& share : answer.shares)
        whole += share.ns;
    if (whole <= 0) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList* const list = ImGui::GetWindowDrawList();
    float x = at.x;
    std::size_t n = 0;
    for (const trace::WhyShare& share : answer.shares) {
        const float part =
            width * static_cast<float>(static_cast<double>(share.ns) / static_cast<double>(whole));
        list->AddRectFilled({x, at.y}, {x + std::max(part - 1, 1.0f), at.y + ui.px(8)},
                            peer_colour(n++), ui.px(2));
        x += part;
    }
    ImGui::Dummy({width, ui.px(8)});
    n = 0;
    float used = 0;
    for (const trace::WhyShare& share : answer.shares) {
        const std::string text = share.name + " " + value_text(sim::Dimension::time, share.ns);
        const float needed = text_size(ui.fonts.small, text).x + ui.px(26);
        if (used > 0 && used + needed < width) {
            ImGui::SameLine(0, ui.px(12));
        } else {
            used = 0;
        }
        used += needed;
        const ImVec2 dot = ImGui::GetCursorScreenPos();
        list->AddCircleFilled({dot.x + ui.px(4), dot.y + ImGui::GetTextLineHeight() / 2},
                              ui.px(3.5f), peer_colour(n++));
        ImGui::Dummy({ui.px(8), 1});
        ImGui::SameLine(0, ui.px(4));
        ImGui::PushFont(ui.fonts.small);
        label(ui, "why/share/" + share.name, text, colour::dim);
        ImGui::PopFont();
    }
}

void draw_row(Ui& ui, const trace::WhyAnswer& answer, std::size_t index) {
    const trace::WhyRow& row = answer.rows[index];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string name = "why/row/" + std::to_string(index);
    const std::string id = "##" + name;
    if (ImGui::Selectable(id.c_str(), row.record != no_record && row.record == ui.model.record()))
        if (row.record != no_record) ui.model.look_at_record(row.record);
    const bool is_looked_at = ImGui::IsItemHovered();
    mark(ui, name, row.text);
    const float times = ui.px(84);
    const float deltas = ui.px(76);
    const float where = std::min(ui.px(110), width * 0.22f);
    draw_text(ui, at, Align::left, name + "/time", clock_text({row.time_ns}), colour::dim,
              ui.fonts.small);
    const std::int64_t since = row.time_ns - answer.start_ns;
    draw_text(ui, {at.x + times + deltas - ui.px(12), at.y}, Align::right, name + "/since",
              since == 0 ? "0" : "+" + value_text(sim::Dimension::time, since), colour::dim,
              ui.fonts.small);
    const float room = width - times - deltas - where - ui.px(8);
    const std::string shown = fitted(ui.fonts.small, row.text, room);
    draw_text(ui, {at.x + times + deltas, at.y}, Align::left, name + "/text", shown,
              row.is_loss ? colour::note : colour::text, ui.fonts.small);
    // Rows are one line each, so that thousands of them scroll; a row that was cut says all here.
    if (is_looked_at && shown != row.text)
        ImGui::SetTooltip("%s\n%s", row.text.c_str(), row.where.c_str());
    draw_text(ui, {at.x + width, at.y}, Align::right, name + "/where",
              fitted(ui.fonts.small, row.where, where), colour::faint, ui.fonts.small);
}

// What the selected record's message said, if its bytes were captured; over as many lines as it
// takes.
void draw_payload(Ui& ui) {
    if (ui.model.record() == no_record) return;
    const std::string words = ui.model.payload_words(ui.model.record());
    if (words.empty()) return;
    ImGui::PushFont(ui.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    mark(ui, "why/payload", words);
}

}  // namespace

void draw_why(Ui& ui) {
    Model& model = ui.model;
    const WhyView& why = model.why();
    ImGui::SameLine(0, ui.px(4));
    ImGui::AlignTextToFramePadding();
    if (!why.answer) {
        label(ui, "why/none",
              fitted(ui.fonts.text,
                     why.problem.empty() ? "select a record: a click, or . and ," : why.problem,
                     ImGui::GetContentRegionAvail().x),
              colour::faint);
        draw_payload(ui);
        return;
    }
    const trace::WhyAnswer& answer = *why.answer;
    label(ui, "why/title", fitted(ui.fonts.text, answer.title, ImGui::GetContentRegionAvail().x),
          colour::text);
    label(ui, "why/verdict",
          fitted(ui.fonts.text, answer.verdict, ImGui::GetContentRegionAvail().x), colour::accent);
    draw_share_bar(ui, answer);
    for (std::size_t i = 0; i < answer.helped.size(); ++i) {
        label(ui, "why/helped/" + std::to_string(i),
              fitted(ui.fonts.text, answer.helped[i], ImGui::GetContentRegionAvail().x),
              colour::note);
    }
    draw_payload(ui);
    ImGui::BeginChild("rows", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(answer.rows.size()));
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_row(ui, answer, static_cast<std::size_t>(row));
    }
    ImGui::EndChild();
}

}  // namespace wt::viewer
