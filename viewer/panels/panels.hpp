// SPDX-License-Identifier: MIT
//
// The panels, one function each: drawn into the current ImGui window's free room.
#pragma once

#include "viewer/panels/ui.hpp"

namespace wt::viewer {

// Rows that are always there.
void draw_title(Ui& ui);
void draw_gates(Ui& ui);
void draw_overview(Ui& ui);
void draw_status(Ui& ui);
[[nodiscard]] float overview_height(const Ui& ui);

// Panels of the layout.
void draw_heat_map(Ui& ui);
void draw_plots(Ui& ui);
void draw_peers(Ui& ui);
void draw_anomalies(Ui& ui);
void draw_lanes(Ui& ui);
void draw_ladder(Ui& ui);
void draw_records(Ui& ui);
void draw_why(Ui& ui);
void draw_range(Ui& ui);
void draw_compare(Ui& ui);
void draw_world(Ui& ui);
void draw_links(Ui& ui);
// A small window has one place.
[[nodiscard]] bool is_compact(const Ui& ui);

// Whether records of the selected peer were kept at all, and what to say where they were not.
inline constexpr const char* no_records_text = "of this peer only series were kept, no records";
[[nodiscard]] inline bool has_records(const Model& model) {
    return model.peer() == no_peer || model.info()->peers[model.peer()].has_records;
}

void draw_panel(Ui& ui, Panel panel);

// What lies over the panels.
void draw_start(Ui& ui);
void draw_overlay(Ui& ui);
void read_keys(Ui& ui);

}  // namespace wt::viewer
