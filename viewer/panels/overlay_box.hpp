// SPDX-License-Identifier: MIT
//
// The window that overlays are drawn in, and the line that most of them have.
#pragma once

#include "viewer/panels/panels.hpp"

namespace wt::viewer {

// In the middle of the screen, over everything else. end_box is to be called in any case.
[[nodiscard]] bool begin_box(Ui& ui, const char* name, ImVec2 wanted);
// A click beside the box closes it.
void end_box(Ui& ui);
// One line of typing into Model::typed. True when Enter was pressed.
[[nodiscard]] bool type_line(Ui& ui, const char* name, const char* hint);

void draw_change_link(Ui& ui);

}  // namespace wt::viewer
