// SPDX-License-Identifier: MIT
//
// The empty start: a trace, a scenario, or the demo; and the same box for the trace to compare
// with.
#include <algorithm>
#include <filesystem>

#include "viewer/model/open.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/overlay_box.hpp"

namespace wt::viewer {

namespace {

constexpr std::size_t files_max = 200;
constexpr const char* demo = "scenarios/gates/peers_16.toml";

// Traces and scenarios in the working folder and below `scenarios`, by name.
std::vector<std::string> files_here(bool only_traces) {
    std::vector<std::string> files;
    const auto look = [&](const char* folder, const char* extension, bool deep) {
        std::error_code failure;
        std::filesystem::recursive_directory_iterator at(folder, failure);
        const std::filesystem::recursive_directory_iterator end;
        while (!failure && at != end && files.size() < files_max) {
            if (!deep && at.depth() == 0) at.disable_recursion_pending();
            if (at->path().extension() == extension) {
                const std::string path = at->path().lexically_normal().string();
                files.push_back(path.starts_with("./") ? path.substr(2) : path);
            }
            at.increment(failure);
        }
    };
    look(".", ".wtrace", false);
    if (!only_traces) {
        look(".", ".toml", false);
        look("scenarios", ".toml", true);
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

void take(Ui& ui, const std::string& path, bool compares) {
    const std::string problem = compares ? compare_with(ui.model, path) : open_file(ui.model, path);
    if (problem.empty()) {
        ui.model.overlay = Overlay::none;
    } else {
        ui.model.say(problem);
        ui.start_problem = problem;
        ui.model.wants_typing = true;
    }
}

// One of the three large choices: a title and what it does.
bool choice(Ui& ui, const char* name, const char* title, const char* text, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, ui.px(64)};
    const bool is_pressed = ImGui::InvisibleButton(name, size);
    mark(ui, name, title);
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                        ImGui::IsItemHovered() ? IM_COL32(50, 66, 88, 255) : colour::raised,
                        ui.px(6));
    draw_text(ui, {at.x + ui.px(12), at.y + ui.px(11)}, Align::left, std::string(name) + "/title",
              title, colour::text, ui.fonts.bold);
    draw_text(ui, {at.x + ui.px(12), at.y + ui.px(34)}, Align::left, std::string(name) + "/text",
              fitted(ui.fonts.small, text, width - ui.px(20)), colour::dim, ui.fonts.small);
    return is_pressed;
}

void draw_files(Ui& ui, bool compares) {
    if (ImGui::IsWindowAppearing() || ui.files_are_stale) {
        ui.files = files_here(compares);
        ui.recent = ui.model.recent.all();
        if (compares)
            std::erase_if(ui.recent,
                          [](const std::string& file) { return !file.ends_with(".wtrace"); });
        ui.files_are_stale = false;
    }
    ImGui::BeginChild("files", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    const float room = ImGui::GetContentRegionAvail().x;
    std::string chosen;
    // What was opened lately comes first; the same trace need not be beside the program.
    for (const std::string& file : ui.recent) {
        if (!contains_word(file, ui.model.typed)) continue;
        if (ImGui::Selectable((fitted(ui.fonts.text, file, room) + "##recent" + file).c_str()))
            chosen = file;
        mark(ui, "start/recent/" + file, file);
    }
    if (!ui.recent.empty()) ImGui::Separator();
    for (const std::string& file : ui.files) {
        if (!contains_word(file, ui.model.typed)) continue;
        if (ImGui::Selectable(file.c_str())) chosen = file;
        mark(ui, "start/file/" + file, file);
    }
    ImGui::EndChild();
    if (!chosen.empty()) take(ui, chosen, compares);
}

}  // namespace

void draw_start(Ui& ui) {
    Model& model = ui.model;
    const bool compares = model.overlay == Overlay::compare;
    if (begin_box(ui, "##start", {620, 430})) {
        ImGui::PushFont(ui.fonts.bold);
        label(ui, "start/title", compares ? "Compare with another trace" : "wavetank viewer");
        ImGui::PopFont();
        ImGui::Dummy({1, ui.px(2)});
        if (!compares) {
            const float width = (ImGui::GetContentRegionAvail().x - ui.px(16)) / 3;
            if (choice(ui, "start/trace", "Open a trace", "a .wtrace file, below", width))
                model.typed = ".wtrace";
            ImGui::SameLine(0, ui.px(8));
            if (choice(ui, "start/scenario", "Run a scenario", "a .toml file, watched live", width))
                model.typed = ".toml";
            ImGui::SameLine(0, ui.px(8));
            if (choice(ui, "start/demo", "Run the demo", "16 players, a home line", width))
                take(ui, demo, false);
        }
        if (type_line(ui, "start/box", "path, or a part of a name below"))
            take(ui, model.typed, compares);
        if (!ui.start_problem.empty())
            label(ui, "start/problem",
                  fitted(ui.fonts.text, ui.start_problem, ImGui::GetContentRegionAvail().x),
                  colour::note);
        draw_files(ui, compares);
    }
    end_box(ui);
}

}  // namespace wt::viewer
