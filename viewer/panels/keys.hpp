// SPDX-License-Identifier: MIT
//
// The few keys that type no character, by name. ImGui 1.86 knows native codes only, those of the
// backend; newer ones have names of their own. This is the one place that knows either.
#pragma once

#include <string_view>

namespace wt::viewer {

// GLFW's code, which our own tests use too; -1: no such key. "Left", "Esc", "Enter", ...
[[nodiscard]] int native_key(std::string_view name);
// Tells the current context where its own keys are, for a context without a backend.
void map_native_keys();

}  // namespace wt::viewer
