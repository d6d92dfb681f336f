// SPDX-License-Identifier: MIT
//
// The rows that are always there: what run this is, its gates, and the status line.
#include <algorithm>

#include "viewer/model/live_source.hpp"
#include "viewer/model/text.hpp"
#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

// Behind the last item, if there is room for all of it.
void same_line_text(Ui& ui, const char* name, const std::string& text, ImU32 ink) {
    if (text.empty()) return;
    const float end = ImGui::GetItemRectMax().x + ui.px(16) + text_size(ui.fonts.text, text).x;
    if (end > ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) return;
    ImGui::SameLine(0, ui.px(16));
    label(ui, name, text, ink);
}

ImU32 ground_of(GateInfo::State state, bool is_hovered) {
    if (state == GateInfo::State::fail) return colour::fail_ground;
    return is_hovered ? IM_COL32(50, 60, 76, 255) : colour::raised;
}

ImU32 ink_of(GateInfo::State state) {
    switch (state) {
        case GateInfo::State::ok:
            return colour::ok;
        case GateInfo::State::fail:
            return colour::fail;
        case GateInfo::State::pending:
        case GateInfo::State::not_counted:
            return colour::dim;
    }
    return colour::dim;
}

const char* word_of(GateInfo::State state) {
    switch (state) {
        case GateInfo::State::ok:
            return "ok";
        case GateInfo::State::fail:
            return "FAIL";
        case GateInfo::State::pending:
            return "...";
        case GateInfo::State::not_counted:
            return "not counted";
    }
    return "";
}

// One gate: its verdict, its name and its number. Clicked, it leads to its worst moment.
void draw_chip(Ui& ui, std::size_t index) {
    const GateInfo& gate = ui.model.info()->gates[index];
    ImFont* const font = ui.fonts.small;
    const bool is_failed = gate.state == GateInfo::State::fail;
    std::string text = gate.name;
    if (!gate.value.empty()) text += "  " + gate.value;
    if (is_failed) text += " (" + gate.bound + ")";
    const float padding = ui.px(8);
    const float dot = ui.px(7);
    const ImVec2 size = text_size(font, text);
    const ImVec2 box{size.x + padding * 2 + dot + ui.px(6), size.y + ui.px(8)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string name = "gate/" + gate.name;
    if (ImGui::InvisibleButton(name.c_str(), box)) ui.model.go_to_gate(index);
    mark(ui, name, std::string(word_of(gate.state)) + " " + text);
    const bool is_hovered = ImGui::IsItemHovered();
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {at.x + box.x, at.y + box.y}, ground_of(gate.state, is_hovered),
                        ui.px(5));
    list->AddCircleFilled({at.x + padding + dot / 2, at.y + box.y / 2}, dot / 2,
                          ink_of(gate.state));
    draw_text(ui, {at.x + padding + dot + ui.px(6), at.y + ui.px(4)}, Align::left, name + "/text",
              text, is_failed ? colour::text : colour::dim, font);
    if (is_hovered)
        tooltip(gate.name + ": " + gate.text + "\n" + word_of(gate.state) + " " + gate.value);
}

std::string speed_text(double speed) {
    if (speed <= 0) return "as fast as it goes";
    const int tenths = static_cast<int>(speed * 10 + 0.5);
    return "x" + std::to_string(tenths / 10) +
           (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

// What the run comes to where that is not what it was asked for; empty else.
std::string pace_text(const LiveState& state) {
    if (!state.is_running || state.is_catching_up || state.pace <= 0) return {};
    constexpr double near_enough = 0.95;
    if (state.speed > 0 && state.pace >= state.speed * near_enough) return {};
    const int hundredths = static_cast<int>(state.pace * 100 + 0.5);
    const std::string rest = std::to_string(hundredths % 100);
    return "now x" + std::to_string(hundredths / 100) + "." + (rest.size() < 2 ? "0" : "") + rest;
}

void draw_live(Ui& ui, LiveSource& live) {
    const LiveState& state = live.state();
    const char* const what = state.is_over          ? "over"
                             : state.is_catching_up ? "catching up"
                             : state.is_running     ? "LIVE"
                                                    : "held";
    ImGui::SameLine(0, ui.px(16));
    label(ui, "live/state", what, state.is_running ? colour::ok : colour::note);
    ImGui::SameLine(0, ui.px(10));
    label(ui, "live/tick", "tick " + count_text(ui.model.tick_at(state.reached)), colour::dim);
    if (state.is_over) {
        ImGui::SameLine(0, ui.px(10));
    } else {
        ImGui::SameLine(0, ui.px(10));
        if (button(ui, "live/run", state.is_running ? "hold" : "run"))
            ui.model.run(Command::live_run);
        ImGui::SameLine(0, ui.px(4));
        if (button(ui, "live/step", "step")) ui.model.run(Command::live_step);
        ImGui::SameLine(0, ui.px(4));
        if (button(ui, "live/slower", "-")) ui.model.run(Command::live_slower);
        ImGui::SameLine(0, ui.px(6));
        label(ui, "live/speed", speed_text(state.speed));
        if (const std::string pace = pace_text(state); !pace.empty()) {
            ImGui::SameLine(0, ui.px(6));
            label(ui, "live/pace", pace, state.speed > 0 ? colour::note : colour::dim);
        }
        ImGui::SameLine(0, ui.px(6));
        if (button(ui, "live/faster", "+")) ui.model.run(Command::live_faster);
        ImGui::SameLine(0, ui.px(4));
        if (button(ui, "live/fastest", "max", state.speed <= 0))
            ui.model.run(Command::live_fastest);
        ImGui::SameLine(0, ui.px(10));
        if (button(ui, "live/change", "change a link")) ui.model.run(Command::live_change_link);
        ImGui::SameLine(0, ui.px(4));
    }
    if (button(ui, "live/restart", "restart")) ui.model.run(Command::live_restart);
}

// Where records of some bots only were kept.
std::string whose_records(const RunInfo& info) {
    const std::size_t bots = info.recorded_bots;
    return bots == info.bot_count() ? "" : " of " + count_text(bots) + " peers";
}

}  // namespace

void draw_title(Ui& ui) {
    Model& model = ui.model;
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(ui.fonts.bold);
    const RunInfo* const info = model.info();
    label(ui, "title", info == nullptr ? "wavetank" : info->title);
    ImGui::PopFont();
    if (info == nullptr) return;
    if (model.live() != nullptr) draw_live(ui, *model.live());
    same_line_text(ui, "title/seed", "seed " + std::to_string(info->seed), colour::dim);
    same_line_text(ui, "title/length", clock_text(model.source()->end(), Duration::millis(100)),
                   colour::dim);
    same_line_text(ui, "title/peers", count_text(info->bot_count()) + " peers", colour::dim);
    same_line_text(ui, "title/records",
                   count_text(model.source()->record_count()) + " records" + whose_records(*info),
                   colour::dim);
    same_line_text(ui, "title/transport", info->transport, colour::dim);
    same_line_text(ui, "title/build", info->build, colour::faint);
    same_line_text(ui, "title/warning", info->warning, colour::note);
}

void draw_gates(Ui& ui) {
    const RunInfo& info = *ui.model.info();
    if (info.gates.empty()) {
        label(ui, "gates/none", "no gates in this run", colour::faint);
        return;
    }
    std::size_t failed = 0;
    for (const GateInfo& gate : info.gates)
        failed += gate.state == GateInfo::State::fail;
    const std::string verdict = failed == 0 ? std::to_string(info.gates.size()) + " gates"
                                            : std::to_string(failed) + " of " +
                                                  std::to_string(info.gates.size()) + " failed";
    ImGui::AlignTextToFramePadding();
    label(ui, "gates/verdict", verdict, failed == 0 ? colour::ok : colour::fail);
    // Broken ones first: they are what one has come for.
    for (const bool wants_failed : {true, false}) {
        for (std::size_t i = 0; i < info.gates.size(); ++i) {
            if ((info.gates[i].state == GateInfo::State::fail) != wants_failed) continue;
            ImGui::SameLine(0, ui.px(6));
            draw_chip(ui, i);
        }
    }
}

void draw_status(Ui& ui) {
    Model& model = ui.model;
    const float right = ImGui::GetWindowContentRegionMax().x;
    const std::string keys = "? keys   : commands";
    std::string message = model.message();
    if (message.empty() && model.source() != nullptr) {
        message = "cursor " + clock_text(model.cursor()) + "   tick " +
                  count_text(model.tick_at(model.cursor()));
        if (model.peer() != no_peer) message += "   " + model.info()->peers[model.peer()].name;
        if (model.selected()) {
            message += "   range " + clock_text(model.selected()->from) + " to " +
                       clock_text(model.selected()->to);
        }
    }
    const std::string state = std::string(model.is_held() ? "view held   " : "") +
                              (model.axis.follows() ? "following   " : "") + "ui " +
                              std::to_string(ui.frame_us / 1'000) + "." +
                              std::to_string(ui.frame_us / 100 % 10) + " ms";
    const float keys_width = text_size(ui.fonts.text, keys).x;
    const float state_width = text_size(ui.fonts.text, state).x;
    const float room = right - keys_width - state_width - ui.px(40);
    label(ui, "status", fitted(ui.fonts.text, message, room), colour::text);
    ImGui::SameLine(right - keys_width - state_width - ui.px(24));
    label(ui, "status/state", state, model.is_held() ? colour::note : colour::faint);
    ImGui::SameLine(right - keys_width);
    label(ui, "status/keys", keys, colour::dim);
}

}  // namespace wt::viewer
