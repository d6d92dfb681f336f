// SPDX-License-Identifier: MIT
//
// What lies over the panels: command palette, key help, the box for a place in time, marks, and
// the choices of an empty start.
#include <algorithm>

#include "viewer/model/text.hpp"
#include "viewer/panels/overlay_box.hpp"

#include <imgui_stdlib.h>

namespace wt::viewer {

// A window in the middle, over everything else.
bool begin_box(Ui& ui, const char* name, ImVec2 wanted) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(ui.px(wanted.x), display.x - ui.px(16)),
                      std::min(ui.px(wanted.y), display.y - ui.px(16))};
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(32, 37, 46, 252));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(16), ui.px(12)});
    ui.layer = 1;
    return ImGui::Begin(
        name, nullptr,
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
}

void end_box(Ui& ui) {
    // A click beside the box closes it.
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 max{min.x + ImGui::GetWindowWidth(), min.y + ImGui::GetWindowHeight()};
    const bool is_outside =
        ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(min, max, false);
    const bool has_just_opened = ImGui::IsWindowAppearing();
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    ui.layer = 0;
    if (is_outside && !has_just_opened && ui.model.overlay != Overlay::start)
        ui.model.overlay = Overlay::none;
}

// One line of typing. True when Enter was pressed.
bool type_line(Ui& ui, const char* name, const char* hint) {
    if (ui.model.wants_typing) {
        ImGui::SetKeyboardFocusHere();
        ui.model.wants_typing = false;
    }
    ImGui::SetNextItemWidth(-1);
    const bool is_entered = ImGui::InputTextWithHint("##typed", hint, &ui.model.typed,
                                                     ImGuiInputTextFlags_EnterReturnsTrue);
    mark(ui, name, ui.model.typed);
    return is_entered;
}

namespace {

void draw_palette(Ui& ui) {
    Model& model = ui.model;
    if (begin_box(ui, "##palette", {520, 420})) {
        const bool is_entered = type_line(ui, "palette/box", "a command");
        std::vector<const CommandInfo*> found;
        for (const CommandInfo& command : command_table()) {
            if (matches_loosely(model.typed, command.title)) found.push_back(&command);
        }
        if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++model.palette_row;
        if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow)) && model.palette_row > 0)
            --model.palette_row;
        if (!found.empty()) model.palette_row = std::min(model.palette_row, found.size() - 1);
        const CommandInfo* chosen = nullptr;
        ImGui::BeginChild("list", {0, 0}, false, ImGuiWindowFlags_NoBackground);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float right = at.x + ImGui::GetContentRegionAvail().x - ui.px(6);
            const std::string id = std::string("##") + found[i]->name;
            if (ImGui::Selectable(id.c_str(), i == model.palette_row)) chosen = found[i];
            if (i == model.palette_row && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
            const std::string name = std::string("palette/") + found[i]->name;
            mark(ui, name, found[i]->title);
            draw_text(ui, {at.x + ui.px(4), at.y}, Align::left, name + "/title", found[i]->title,
                      colour::text);
            draw_text(ui, {right, at.y}, Align::right, name + "/keys", found[i]->keys, colour::dim);
        }
        ImGui::EndChild();
        if (is_entered && !found.empty()) chosen = found[model.palette_row];
        if (chosen != nullptr) {
            model.overlay = Overlay::none;
            model.run(chosen->command);
        }
    }
    end_box(ui);
}

void draw_help_row(Ui& ui, const std::string& name, const char* keys, const char* does,
                   float keys_width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ui, at, Align::left, name + "/keys", keys, colour::accent);
    draw_text(ui, {at.x + keys_width, at.y}, Align::left, name,
              fitted(ui.fonts.text, does, ImGui::GetContentRegionAvail().x - keys_width),
              colour::text);
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

void draw_help(Ui& ui) {
    if (begin_box(ui, "##keys", {980, 560})) {
        ImGui::PushFont(ui.fonts.bold);
        label(ui, "help/title", "Keys");
        ImGui::PopFont();
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float width = room.x / 2 - ui.px(8);
        const float keys_width = text_size(ui.fonts.text, "right click on a value").x + ui.px(16);
        const float narrow = text_size(ui.fonts.text, "Shift+Right").x + ui.px(16);
        std::vector<const CommandInfo*> rows;
        for (const CommandInfo& command : command_table()) {
            if (command.keys[0] != '\0') rows.push_back(&command);
        }
        const std::size_t half = (rows.size() + pointer_table().size() + 1) / 2;
        ImGui::BeginChild("left", {width, room.y}, false, ImGuiWindowFlags_NoBackground);
        for (std::size_t i = 0; i < half && i < rows.size(); ++i)
            draw_help_row(ui, std::string("help/") + rows[i]->name, rows[i]->keys, rows[i]->title,
                          narrow);
        ImGui::EndChild();
        ImGui::SameLine();
        ImGui::BeginChild("right", {width, room.y}, false, ImGuiWindowFlags_NoBackground);
        for (std::size_t i = half; i < rows.size(); ++i)
            draw_help_row(ui, std::string("help/") + rows[i]->name, rows[i]->keys, rows[i]->title,
                          narrow);
        ImGui::Dummy({1, ui.px(6)});
        for (const PointerHelp& row : pointer_table())
            draw_help_row(ui, std::string("help/pointer/") + row.gesture, row.gesture, row.does,
                          keys_width);
        ImGui::EndChild();
    }
    end_box(ui);
}

void draw_go_to(Ui& ui) {
    if (begin_box(ui, "##go", {420, 92})) {
        label(ui, "go/title", "Go to", colour::dim);
        if (type_line(ui, "go/box", "1:12.5   450ms   tick:1803   record:41")) {
            if (ui.model.go_to(ui.model.typed)) ui.model.overlay = Overlay::none;
            ui.model.wants_typing = ui.model.overlay == Overlay::go_to;
        }
    }
    end_box(ui);
}

void draw_marks(Ui& ui) {
    Model& model = ui.model;
    if (begin_box(ui, "##marks", {480, 360})) {
        ImGui::PushFont(ui.fonts.bold);
        label(ui, "marks/title", "Marks");
        ImGui::PopFont();
        if (model.bookmarks.all().empty()) {
            label(ui, "marks/none", "none yet: m sets one at the cursor", colour::dim);
        }
        for (std::size_t i = 0; i < model.bookmarks.all().size(); ++i) {
            const Bookmark& bookmark = model.bookmarks.all()[i];
            const std::string name = "marks/row/" + std::to_string(i);
            const std::string text = clock_text(bookmark.at) + "   " + bookmark.text +
                                     (bookmark.peer.empty() ? "" : "   " + bookmark.peer);
            if (ImGui::Selectable((text + "##" + name).c_str())) {
                model.set_cursor(bookmark.at);
                model.axis.reveal(bookmark.at);
                const PeerIndex peer = model.info()->find_peer(bookmark.peer);
                if (peer != no_peer) model.select_peer(peer);
                model.overlay = Overlay::none;
            }
            mark(ui, name, text);
        }
    }
    end_box(ui);
}

}  // namespace

void draw_overlay(Ui& ui) {
    switch (ui.model.overlay) {
        case Overlay::none:
            return;
        case Overlay::palette:
            return draw_palette(ui);
        case Overlay::key_help:
            return draw_help(ui);
        case Overlay::go_to:
            return draw_go_to(ui);
        case Overlay::marks:
            return draw_marks(ui);
        case Overlay::change_link:
            return draw_change_link(ui);
        case Overlay::compare:
        case Overlay::start:
            return draw_start(ui);
    }
}

}  // namespace wt::viewer
