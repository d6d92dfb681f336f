// SPDX-License-Identifier: MIT
//
// Where panels lie: four places with movable borders between them, in four named layouts. There is
// no docking in the ImGui of Debian 12, and fixed places are found again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wt::viewer {

enum class Panel : std::uint8_t {
    heat_map,
    plots,
    peers,
    lanes,
    ladder,
    records,
    why,
    range,
    compare,
    world,
    anomalies,
    links,
    none,
};
inline constexpr std::size_t panel_count = static_cast<std::size_t>(Panel::none);
// "Heat map", and "heat" for the names of items.
[[nodiscard]] const char* title_of(Panel panel);
[[nodiscard]] const char* name_of(Panel panel);

struct Layout {
    const char* name = "";
    // Top left, top right, bottom left, bottom right. A place without a panel gives its room to
    // its neighbour in the row.
    std::array<Panel, 4> places{};
    float top = 0.6f;           // Share of the height that the top row has.
    float top_left = 0.5f;      // Share of the width that its left place has.
    float bottom_left = 0.65f;  // The same of the bottom row.
};

class Layouts {
public:
    Layouts();

    void choose(std::size_t index);
    // Puts a panel where it can be seen: it takes the place that `hint` names unless it is shown.
    void show(Panel panel, std::size_t hint);

    [[nodiscard]] Layout& now() { return all_[chosen_]; }
    [[nodiscard]] const Layout& now() const { return all_[chosen_]; }
    [[nodiscard]] std::size_t chosen() const { return chosen_; }
    [[nodiscard]] bool is_shown(Panel panel) const;
    // In a small window there is one place; this is what it shows.
    Panel alone = Panel::heat_map;

private:
    std::array<Layout, 4> all_{};
    std::size_t chosen_ = 0;
};

}  // namespace wt::viewer
