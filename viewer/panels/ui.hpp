// SPDX-License-Identifier: MIT
//
// What every panel is handed: the model, fonts, the map of items, and a way to put a picture on
// the screen that knows nothing of OpenGL, so that panels are drawn in tests without any.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "viewer/model/model.hpp"
#include "viewer/panels/item_map.hpp"
#include "viewer/panels/theme.hpp"

namespace wt::viewer {

struct Picture {
    unsigned slot = 0;  // One texture a slot; a new picture replaces the old one.
    unsigned width = 0;
    unsigned height = 0;
    const std::uint32_t* pixels = nullptr;
};
using UploadPicture = std::function<ImTextureID(const Picture&)>;

// A drag over a time area, from press to release.
struct TimeDrag {
    enum class Kind : std::uint8_t { none, select, pan, zoom };
    Kind kind = Kind::none;
    ImGuiID area = 0;
    Instant start{};
    Range view_at_start{};
    bool has_moved = false;
};

struct Ui {
    Model& model;
    Fonts fonts{};
    float scale = 1;
    ItemMap* items = nullptr;  // nullptr: nobody reads names.
    UploadPicture upload{};
    std::uint64_t frame_us = 0;  // What the last frame took to build; shown in the status line.

    // What panels keep from frame to frame.
    TimeDrag drag{};
    int layer = 0;
    std::uint64_t heat_version = ~std::uint64_t{0};
    ImTextureID heat_texture = nullptr;
    std::uint64_t shown_record = no_record;  // That the record list has scrolled to.
    std::size_t shown_difference = ~std::size_t{0};
    std::vector<std::string> files{};   // That the start offers.
    std::vector<std::string> recent{};  // That it offers first.
    bool files_are_stale = true;
    std::string start_problem{};
    bool wants_close = false;  // The person asked to leave.

    [[nodiscard]] float px(float pixels) const { return pixels * scale; }
};

// Names the last ImGui item, with what it says.
void mark(Ui& ui, std::string_view name, std::string_view text = {});
void mark_rect(Ui& ui, std::string_view name, ImVec2 min, ImVec2 max, std::string_view text = {});
// A line of text as an item of that name.
void label(Ui& ui, std::string_view name, std::string_view text, ImU32 ink = colour::text);
// Text drawn at a place; right_edge: it ends there instead of beginning.
enum class Align : std::uint8_t { left, right, centre };
void draw_text(Ui& ui, ImVec2 at, Align align, std::string_view name, std::string_view text,
               ImU32 ink, ImFont* font = nullptr);
[[nodiscard]] ImVec2 text_size(const ImFont* font, std::string_view text);
// Cuts the text with an ellipsis where it is wider than `width`.
[[nodiscard]] std::string fitted(const ImFont* font, std::string_view text, float width);
// A button of that name.
bool button(Ui& ui, std::string_view name, const std::string& text, bool is_on = false);
void tooltip(const std::string& text);

// One frame: reads keys, brings the model up to date and draws everything into the display.
void draw_frame(Ui& ui);

}  // namespace wt::viewer
