// SPDX-License-Identifier: MIT
#include "viewer/model/layout.hpp"

#include "engine/base/check.hpp"

namespace wt::viewer {

namespace {

struct PanelNames {
    const char* name;
    const char* title;
};
constexpr PanelNames panel_names[panel_count] = {
    {"heat", "Heat map"}, {"plots", "Plots"},         {"peers", "Peers"},
    {"lanes", "Lanes"},   {"ladder", "Ladder"},       {"records", "Records"},
    {"why", "Why"},       {"range", "Range"},         {"compare", "Compare"},
    {"world", "World"},   {"anomalies", "Anomalies"}, {"links", "Links"},
};

}  // namespace

const char* title_of(Panel panel) {
    return panel == Panel::none ? "" : panel_names[static_cast<std::size_t>(panel)].title;
}

const char* name_of(Panel panel) {
    return panel == Panel::none ? "none" : panel_names[static_cast<std::size_t>(panel)].name;
}

Layouts::Layouts() {
    using P = Panel;
    all_[0] = {"the run", {P::heat_map, P::plots, P::peers, P::anomalies}, 0.62f, 0.44f, 0.68f};
    all_[1] = {"one peer", {P::lanes, P::ladder, P::records, P::why}, 0.5f, 0.55f, 0.63f};
    all_[2] = {"a range", {P::range, P::plots, P::records, P::peers}, 0.58f, 0.5f, 0.5f};
    all_[3] = {"the world", {P::world, P::lanes, P::peers, P::links}, 0.66f, 0.55f, 0.6f};
}

void Layouts::choose(std::size_t index) {
    WT_CHECK(index < all_.size());
    chosen_ = index;
    alone = all_[index].places[0];
}

bool Layouts::is_shown(Panel panel) const {
    for (const Panel place : now().places) {
        if (place == panel) return true;
    }
    return false;
}

void Layouts::show(Panel panel, std::size_t hint) {
    alone = panel;
    if (is_shown(panel)) return;
    WT_CHECK(hint < now().places.size());
    now().places[hint] = panel;
}

}  // namespace wt::viewer
