// SPDX-License-Identifier: MIT
#include "viewer/panels/theme.hpp"

#include <array>
#include <cstdio>

namespace wt::viewer {

namespace {

constexpr float text_pixels = 15.0f;
constexpr float small_pixels = 13.0f;

bool is_readable(const char* path) {
    std::FILE* const file = std::fopen(path, "rb");
    if (file == nullptr) return false;
    std::fclose(file);
    return true;
}

ImFont* add_font(const char* file, float pixels) {
    ImGuiIO& io = ImGui::GetIO();
    if (file[0] == '\0') {
        ImFontConfig config;
        config.SizePixels = pixels;
        return io.Fonts->AddFontDefault(&config);
    }
    // Basic Latin with the signs that reports use; the atlas stays small.
    static const ImWchar glyphs[] = {0x20, 0xff, 0x2013, 0x2026, 0x2190, 0x2193, 0x2260, 0x2265, 0};
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    return io.Fonts->AddFontFromFileTTF(file, pixels, &config, glyphs);
}

}  // namespace

ImU32 lane_colour(std::size_t lane) {
    constexpr std::array<ImU32, 8> colours = {
        IM_COL32(158, 172, 190, 255), IM_COL32(112, 172, 232, 255), IM_COL32(126, 196, 146, 255),
        IM_COL32(196, 160, 230, 255), IM_COL32(226, 184, 104, 255), IM_COL32(110, 200, 200, 255),
        IM_COL32(210, 150, 180, 255), IM_COL32(170, 170, 120, 255)};
    return colours[lane % colours.size()];
}

ImU32 peer_colour(std::size_t n) {
    constexpr std::array<ImU32, 8> colours = {
        IM_COL32(240, 198, 106, 255), IM_COL32(124, 208, 196, 255), IM_COL32(214, 160, 236, 255),
        IM_COL32(158, 206, 112, 255), IM_COL32(238, 156, 182, 255), IM_COL32(134, 176, 248, 255),
        IM_COL32(226, 168, 120, 255), IM_COL32(190, 196, 206, 255)};
    return colours[n % colours.size()];
}

ImU32 phase_colour(std::size_t n) {
    constexpr std::array<ImU32, 6> colours = {IM_COL32(52, 72, 98, 255), IM_COL32(50, 84, 86, 255),
                                              IM_COL32(72, 66, 98, 255), IM_COL32(84, 76, 56, 255),
                                              IM_COL32(56, 86, 66, 255), IM_COL32(86, 62, 80, 255)};
    return colours[n % colours.size()];
}

ImU32 with_alpha(ImU32 colour, unsigned alpha) {
    return (colour & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

FontFiles find_fonts() {
    constexpr std::array<FontFiles, 2> known = {{
        {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
         "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf"},
        {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
         "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"},
    }};
    for (const FontFiles& files : known) {
        if (is_readable(files.text) && is_readable(files.bold)) return files;
    }
    return {};
}

Fonts load_fonts(const FontFiles& files, float scale) {
    ImGui::GetIO().Fonts->Clear();
    Fonts fonts;
    fonts.text = add_font(files.text, text_pixels * scale);
    fonts.bold = add_font(files.bold, text_pixels * scale);
    fonts.small = add_font(files.text, small_pixels * scale);
    return fonts;
}

void set_style(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = {8, 6};
    style.FramePadding = {7, 3};
    style.ItemSpacing = {8, 4};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {6, 2};
    style.ScrollbarSize = 11;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.WindowRounding = 0;
    style.ChildRounding = 4;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 4;
    style.AntiAliasedLinesUseTex = true;
    const auto set = [&](ImGuiCol which, ImU32 value) {
        style.Colors[which] = ImGui::ColorConvertU32ToFloat4(value);
    };
    set(ImGuiCol_WindowBg, colour::background);
    set(ImGuiCol_ChildBg, colour::panel);
    set(ImGuiCol_PopupBg, IM_COL32(32, 37, 46, 252));
    set(ImGuiCol_Border, colour::line);
    set(ImGuiCol_Text, colour::text);
    set(ImGuiCol_TextDisabled, colour::dim);
    set(ImGuiCol_FrameBg, IM_COL32(38, 44, 54, 255));
    set(ImGuiCol_FrameBgHovered, IM_COL32(46, 53, 65, 255));
    set(ImGuiCol_FrameBgActive, IM_COL32(52, 60, 74, 255));
    set(ImGuiCol_Button, colour::raised);
    set(ImGuiCol_ButtonHovered, IM_COL32(50, 60, 76, 255));
    set(ImGuiCol_ButtonActive, IM_COL32(60, 74, 96, 255));
    set(ImGuiCol_Header, IM_COL32(46, 70, 98, 255));
    set(ImGuiCol_HeaderHovered, IM_COL32(42, 54, 70, 255));
    set(ImGuiCol_HeaderActive, IM_COL32(54, 80, 110, 255));
    set(ImGuiCol_TableHeaderBg, IM_COL32(31, 36, 44, 255));
    set(ImGuiCol_TableBorderLight, IM_COL32(38, 44, 54, 255));
    set(ImGuiCol_TableBorderStrong, IM_COL32(44, 51, 62, 255));
    set(ImGuiCol_TableRowBg, 0);
    set(ImGuiCol_TableRowBgAlt, IM_COL32(255, 255, 255, 5));
    set(ImGuiCol_ScrollbarBg, 0);
    set(ImGuiCol_ScrollbarGrab, IM_COL32(62, 70, 84, 255));
    set(ImGuiCol_CheckMark, colour::accent);
    set(ImGuiCol_SliderGrab, colour::accent);
    set(ImGuiCol_TextSelectedBg, IM_COL32(60, 96, 140, 200));
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
}

}  // namespace wt::viewer
