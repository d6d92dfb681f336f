// SPDX-License-Identifier: MIT
//
// Live: a change of a link from now on, as the keys of a scenario. What is wrong with them is told
// in the reader's words; what is right becomes an act, and the run goes on with it.
#include "viewer/model/live_source.hpp"
#include "viewer/panels/overlay_box.hpp"

namespace wt::viewer {

namespace {

struct Example {
    const char* name;
    const char* keys;
};
constexpr Example examples[] = {
    {"loss 5 %", "loss = \"5%\""},     {"loss 20 % in bursts", "loss = \"20%\", burst = \"60ms\""},
    {"rtt 250 ms", "rtt = \"250ms\""}, {"1 Mbit/s", "rate = \"1Mbit/s\", queue = \"200ms\""},
    {"as if cut", "loss = \"100%\""},
};

void choose_link(Ui& ui, const LiveSource& live) {
    ImGui::SetNextItemWidth(ui.px(180));
    const bool is_open = ImGui::BeginCombo("##link", ui.model.typed_link.c_str());
    mark(ui, "link/which", ui.model.typed_link);
    if (!is_open) return;
    const int outer = ui.layer++;
    for (const sim::LinkConfig& link : live.scenario().links) {
        if (ImGui::Selectable(link.name.c_str(), link.name == ui.model.typed_link))
            ui.model.typed_link = link.name;
        mark(ui, "link/which/" + link.name, link.name);
    }
    ui.layer = outer;
    ImGui::EndCombo();
}

}  // namespace

void draw_change_link(Ui& ui) {
    Model& model = ui.model;
    LiveSource* const live = model.live();
    if (live == nullptr) {
        model.overlay = Overlay::none;
        return;
    }
    if (begin_box(ui, "##link", {600, 240})) {
        ImGui::PushFont(ui.fonts.bold);
        label(ui, "link/title", "Change a link from now on");
        ImGui::PopFont();
        choose_link(ui, *live);
        for (const Example& example : examples) {
            if (button(ui, std::string("link/example/") + example.name, example.name))
                model.typed = example.keys;
            ImGui::SameLine(0, ui.px(4));
        }
        ImGui::NewLine();
        if (type_line(ui, "link/box", "loss = \"10%\", rtt = \"200ms\"")) {
            const std::string problem = live->change_link({model.typed_link, model.typed});
            if (problem.empty()) {
                model.overlay = Overlay::none;
                model.say("act viewer-" + std::to_string(live->changes()) + ": " +
                          model.typed_link + " becomes " + model.typed);
            } else {
                model.say(problem);
                model.wants_typing = true;
            }
        }
        ImGui::PushTextWrapPos(0);
        label(ui, "link/note",
              "The run is begun anew with this act and brought to where it is: what you see is "
              "what the scenario with it gives.",
              colour::dim);
        ImGui::PopTextWrapPos();
    }
    end_box(ui);
}

}  // namespace wt::viewer
