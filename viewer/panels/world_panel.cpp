// SPDX-License-Identifier: MIT
//
// The world from above: where the server has its objects, and, hollow, where one client believes
// them to be; a line joins the two. Links: what lies between, and what the scenario does to it.
#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

// The arena's 262,144 mm in 65,536 quanta.
constexpr double mm_per_quantum = 4;

struct Field {
    ImVec2 min;
    float side;

    [[nodiscard]] ImVec2 at(const WorldObject& object) const {
        return {min.x + side * static_cast<float>(object.x) / 65'536,
                min.y + side * (1 - static_cast<float>(object.y) / 65'536)};
    }
};

ImU32 kind_colour(std::uint16_t kind) {
    constexpr std::array<ImU32, 5> colours = {
        IM_COL32(139, 149, 165, 255), IM_COL32(240, 198, 106, 255), IM_COL32(112, 172, 232, 255),
        IM_COL32(126, 196, 146, 255), IM_COL32(196, 160, 230, 255)};
    return colours[std::min<std::size_t>(kind, colours.size() - 1)];
}

void draw_objects(Ui& ui, const WorldPicture& world, const Field& field) {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const float size = std::clamp(field.side / 220, 1.5f, 4.0f) * ui.scale;
    // By slot, so that both sides of one object meet.
    std::vector<const WorldObject*> views;
    for (const WorldObject& object : world.view) {
        if (object.slot >= views.size()) views.resize(object.slot + 1u, nullptr);
        views[object.slot] = &object;
    }
    for (const WorldObject& truth : world.truth) {
        const ImVec2 at = field.at(truth);
        const ImU32 ink = kind_colour(truth.kind);
        const bool is_avatar = truth.kind == 1;
        const WorldObject* const view = truth.slot < views.size() && views[truth.slot] != nullptr &&
                                                views[truth.slot]->kind == truth.kind
                                            ? views[truth.slot]
                                            : nullptr;
        list->AddCircleFilled(at, is_avatar ? size * 1.4f : size,
                              truth.is_relevant || view != nullptr ? ink : with_alpha(ink, 80));
        if (view == nullptr) continue;
        const ImVec2 believed = field.at(*view);
        list->AddLine(at, believed, with_alpha(colour::text, 150));
        list->AddCircle(believed, is_avatar ? size * 2.2f : size * 1.7f, with_alpha(ink, 150), 10);
    }
}

// How far the client's picture is from the truth, in mm, of the objects that both have.
std::vector<std::int64_t> distances_of(const WorldPicture& world) {
    std::vector<std::int64_t> distances;
    std::vector<const WorldObject*> truths;
    for (const WorldObject& object : world.truth) {
        if (object.slot >= truths.size()) truths.resize(object.slot + 1u, nullptr);
        truths[object.slot] = &object;
    }
    for (const WorldObject& view : world.view) {
        const WorldObject* const truth = view.slot < truths.size() ? truths[view.slot] : nullptr;
        if (truth == nullptr || truth->kind != view.kind) continue;
        const double x = static_cast<double>(view.x) - static_cast<double>(truth->x);
        const double y = static_cast<double>(view.y) - static_cast<double>(truth->y);
        distances.push_back(static_cast<std::int64_t>(std::sqrt(x * x + y * y) * mm_per_quantum));
    }
    std::sort(distances.begin(), distances.end());
    return distances;
}

void draw_legend(Ui& ui, const WorldView& shown, ImVec2 at) {
    const WorldPicture& world = shown.picture;
    ImDrawList* const list = ImGui::GetWindowDrawList();
    struct Line {
        const char* name;
        std::uint16_t kind;
    };
    float y = at.y;
    const auto line = [&](const char* name, const std::string& text, ImU32 ink) {
        list->AddCircleFilled({at.x + ui.px(5), y + ui.fonts.small->FontSize / 2}, ui.px(4), ink);
        draw_text(ui, {at.x + ui.px(16), y}, Align::left, std::string("world/legend/") + name, text,
                  colour::dim, ui.fonts.small);
        y += ui.fonts.small->FontSize + ui.px(5);
    };
    for (const Line& one : {Line{"players", 1}, {"crates", 2}, {"pickups", 3}, {"drones", 4}}) {
        const auto count =
            std::count_if(world.truth.begin(), world.truth.end(),
                          [&](const WorldObject& object) { return object.kind == one.kind; });
        line(one.name, count_text(static_cast<std::uint64_t>(count)) + " " + one.name,
             kind_colour(one.kind));
    }
    y += ui.px(8);
    const auto say = [&](const char* name, const std::string& text) {
        draw_text(ui, {at.x, y}, Align::left, std::string("world/") + name, text, colour::dim,
                  ui.fonts.small);
        y += ui.fonts.small->FontSize + ui.px(5);
    };
    say("truth",
        shown.witnesses == 0 ? "filled: the server's truth" : "filled: the truth, by snapshots");
    if (shown.witnesses > 0) say("witnesses", "of " + count_text(shown.witnesses) + " clients");
    say("view", "hollow: " + count_text(world.view.size()) + " in this client's view");
    const std::vector<std::int64_t> distances = distances_of(world);
    if (!distances.empty()) {
        say("apart", "apart: p50 " +
                         value_text(sim::Dimension::length, distances[distances.size() / 2]) +
                         ", most " + value_text(sim::Dimension::length, distances.back()));
    }
    if (shown.refused > 0) say("refused", count_text(shown.refused) + " messages REFUSED by then");
}

}  // namespace

void draw_world(Ui& ui) {
    Model& model = ui.model;
    ImGui::SameLine(0, ui.px(4));
    ImGui::AlignTextToFramePadding();
    const WorldView& view = model.world();
    const WorldPicture& world = view.picture;
    if (!view.problem.empty() || !world.has_game) {
        label(ui, "world/none",
              fitted(ui.fonts.text, view.problem.empty() ? "no world yet" : view.problem,
                     ImGui::GetContentRegionAvail().x),
              colour::faint);
        return;
    }
    const PeerIndex peer = world.bot + first_bot;
    label(ui, "world/peer", "as " + model.info()->peers[peer].name + " sees it", peer_colour(0));
    ImGui::SameLine(0, ui.px(14));
    label(ui, "world/time", clock_text(world.at), colour::dim);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float legend = ui.px(210);
    const bool has_legend = room.x > legend + room.y * 0.8f;
    const float side =
        std::max(8.0f, std::min(room.y - ui.px(4), room.x - (has_legend ? legend : 0.0f)));
    ImGui::InvisibleButton("world", {side, side});
    mark(ui, "world");
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(start, {start.x + side, start.y + side}, colour::plot, ui.px(3));
    for (int i = 1; i < 8; ++i) {
        const float at = side * static_cast<float>(i) / 8;
        list->AddLine({start.x + at, start.y}, {start.x + at, start.y + side}, colour::grid);
        list->AddLine({start.x, start.y + at}, {start.x + side, start.y + at}, colour::grid);
    }
    draw_objects(ui, world, {start, side});
    if (has_legend) draw_legend(ui, view, {start.x + side + ui.px(16), start.y + ui.px(4)});
}

void draw_links(Ui& ui) {
    const RunInfo& info = *ui.model.info();
    ImGui::AlignTextToFramePadding();
    label(
        ui, "links/what",
        fitted(ui.fonts.text, "what the scenario does, and when", ImGui::GetContentRegionAvail().x),
        colour::dim);
    if (info.acts.empty())
        label(ui, "links/none", "nothing: the links stay as they are", colour::faint);
    ImGui::BeginChild("acts", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    for (std::size_t i = 0; i < info.acts.size(); ++i) {
        const ActInfo& act = info.acts[i];
        const std::string name = "links/act/" + std::to_string(i);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const std::string id = "##" + name;
        if (ImGui::Selectable(id.c_str(), act.range.holds(ui.model.cursor()))) {
            ui.model.set_cursor(act.range.from);
            ui.model.axis.reveal(act.range.from);
        }
        mark(ui, name, act.name);
        const float times = ui.px(150);
        draw_text(ui, at, Align::left, name + "/time",
                  clock_text(act.range.from) + " - " + clock_text(act.range.to), colour::dim,
                  ui.fonts.small);
        draw_text(ui, {at.x + times, at.y}, Align::left, name + "/what",
                  fitted(ui.fonts.small, act.what + "   " + act.name, width - times), colour::text,
                  ui.fonts.small);
    }
    ImGui::EndChild();
}

}  // namespace wt::viewer
