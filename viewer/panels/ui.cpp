// SPDX-License-Identifier: MIT
#include "viewer/panels/ui.hpp"

#include <algorithm>

namespace wt::viewer {

namespace {

void add_item(Ui& ui, std::string_view name, std::string_view text, ImVec2 min, ImVec2 max,
              bool is_label) {
    if (ui.items == nullptr || name.empty()) return;
    // What is scrolled out of sight can be neither clicked nor overlapped.
    const ImVec2 clip_min = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 clip_max = ImGui::GetWindowDrawList()->GetClipRectMax();
    ui.items->add({.name = std::string(name),
                   .text = std::string(text),
                   .min = {std::max(min.x, clip_min.x), std::max(min.y, clip_min.y)},
                   .max = {std::min(max.x, clip_max.x), std::min(max.y, clip_max.y)},
                   .is_label = is_label,
                   .layer = ui.layer});
}

}  // namespace

void mark(Ui& ui, std::string_view name, std::string_view text) {
    add_item(ui, name, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false);
}

void mark_rect(Ui& ui, std::string_view name, ImVec2 min, ImVec2 max, std::string_view text) {
    add_item(ui, name, text, min, max, false);
}

void label(Ui& ui, std::string_view name, std::string_view text, ImU32 ink) {
    ImGui::PushStyleColor(ImGuiCol_Text, ink);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    add_item(ui, name, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true);
}

ImVec2 text_size(const ImFont* font, std::string_view text) {
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.data(), text.data() + text.size());
}

void draw_text(Ui& ui, ImVec2 at, Align align, std::string_view name, std::string_view text,
               ImU32 ink, ImFont* font) {
    ImFont* const used = font != nullptr ? font : ui.fonts.text;
    const ImVec2 size = text_size(used, text);
    if (align == Align::right) at.x -= size.x;
    if (align == Align::centre) at.x -= size.x / 2;
    at.x = static_cast<float>(static_cast<int>(at.x));
    at.y = static_cast<float>(static_cast<int>(at.y));
    ImGui::GetWindowDrawList()->AddText(used, used->FontSize, at, ink, text.data(),
                                        text.data() + text.size());
    add_item(ui, name, text, at, {at.x + size.x, at.y + size.y}, true);
}

std::string fitted(const ImFont* font, std::string_view text, float width) {
    if (text_size(font, text).x <= width) return std::string(text);
    std::size_t kept = text.size();
    std::string cut;
    while (kept > 0) {
        --kept;
        cut = std::string(text.substr(0, kept)) + "...";
        if (text_size(font, cut).x <= width) return cut;
    }
    return {};
}

bool button(Ui& ui, std::string_view name, const std::string& text, bool is_on) {
    if (is_on) ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(52, 84, 120, 255));
    const std::string id = text + "##" + std::string(name);
    const bool pressed = ImGui::Button(id.c_str());
    if (is_on) ImGui::PopStyleColor();
    mark(ui, name, text);
    return pressed;
}

void tooltip(const std::string& text) {
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(text.c_str());
    ImGui::EndTooltip();
}

}  // namespace wt::viewer
