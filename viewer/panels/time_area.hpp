// SPDX-License-Identifier: MIT
//
// A rectangle whose width is time: everything the pointer does on one is the same in all panels.
// Wheel zooms at the pointer, left drag selects a range, right drag pans, middle drag zooms to what
// was dragged over, a click puts the cursor.
#pragma once

#include "viewer/panels/ui.hpp"

namespace wt::viewer {

struct TimeArea {
    ImVec2 min{};
    ImVec2 max{};
    Range view{};
    bool is_hovered = false;
    bool is_clicked = false;  // Without a drag.
    bool is_right_clicked = false;

    [[nodiscard]] float width() const { return max.x - min.x; }
    [[nodiscard]] float height() const { return max.y - min.y; }
    [[nodiscard]] float x_of(Instant at) const;
    [[nodiscard]] Instant at_x(float x) const;
};

// An item of that size at the layout's cursor, over the model's view, and what the pointer did.
[[nodiscard]] TimeArea time_area(Ui& ui, const char* name, ImVec2 size);

// Selected range and cursor, over what was drawn into the area.
void draw_time_marks(Ui& ui, const TimeArea& area);
// Vertical lines at round instants; with labels under the area if `is_labelled`.
void draw_time_grid(Ui& ui, const TimeArea& area, std::string_view name, bool is_labelled);
// Height that the labels of draw_time_grid need.
[[nodiscard]] float time_labels_height(const Ui& ui);

}  // namespace wt::viewer
