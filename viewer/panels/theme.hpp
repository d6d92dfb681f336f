// SPDX-License-Identifier: MIT
//
// Colours, sizes and fonts. One rule stands above taste: red is a broken gate and nothing else.
#pragma once

#include <cstddef>

#include <imgui.h>

namespace wt::viewer {

namespace colour {
inline constexpr ImU32 background = IM_COL32(19, 22, 27, 255);
inline constexpr ImU32 panel = IM_COL32(26, 30, 37, 255);
inline constexpr ImU32 raised = IM_COL32(36, 42, 52, 255);
inline constexpr ImU32 plot = IM_COL32(21, 25, 31, 255);
inline constexpr ImU32 line = IM_COL32(48, 55, 67, 255);
inline constexpr ImU32 grid = IM_COL32(38, 44, 54, 255);
inline constexpr ImU32 text = IM_COL32(214, 220, 230, 255);
inline constexpr ImU32 dim = IM_COL32(139, 149, 165, 255);
inline constexpr ImU32 faint = IM_COL32(92, 101, 117, 255);
inline constexpr ImU32 accent = IM_COL32(112, 172, 232, 255);
inline constexpr ImU32 cursor = IM_COL32(236, 240, 246, 200);
inline constexpr ImU32 range = IM_COL32(112, 172, 232, 38);
inline constexpr ImU32 range_edge = IM_COL32(112, 172, 232, 140);
inline constexpr ImU32 ok = IM_COL32(126, 196, 146, 255);
inline constexpr ImU32 fail = IM_COL32(240, 92, 84, 255);
inline constexpr ImU32 fail_ground = IM_COL32(92, 32, 34, 255);
inline constexpr ImU32 note = IM_COL32(226, 184, 104, 255);
}  // namespace colour

// Of a lane, by its number; the same in every panel.
[[nodiscard]] ImU32 lane_colour(std::size_t lane);
// Of the n-th line in a plot of several peers.
[[nodiscard]] ImU32 peer_colour(std::size_t n);
// Of the n-th phase or act.
[[nodiscard]] ImU32 phase_colour(std::size_t n);
[[nodiscard]] ImU32 with_alpha(ImU32 colour, unsigned alpha);

struct Fonts {
    ImFont* text = nullptr;
    ImFont* bold = nullptr;
    ImFont* small = nullptr;
};
// Files that fonts are taken from; empty: ImGui's own, made larger.
struct FontFiles {
    const char* text = "";
    const char* bold = "";
};
// The best fonts of this machine, by the places where Debian puts them.
[[nodiscard]] FontFiles find_fonts();
// Fills the current context's atlas. `scale` is the monitor's: 1 = 96 dpi.
[[nodiscard]] Fonts load_fonts(const FontFiles& files, float scale);
void set_style(float scale);

}  // namespace wt::viewer
