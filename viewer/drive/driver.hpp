// SPDX-License-Identifier: MIT
//
// A hand at the viewer: moves a pointer to items by their names, clicks, drags and types, one frame
// after the other. It puts its input where a backend would, so that what is tested without a
// window is what a person does with one.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/panels/ui.hpp"

namespace wt::viewer {

enum class MouseButton : std::uint8_t { left, right, middle };

class Driver {
public:
    // `draw` draws one frame and calls apply() just before ImGui::NewFrame.
    Driver(Ui& ui, std::function<void()> draw);

    // Writes the hand's state into ImGui's; what happens once is then used up.
    void apply();

    void frame(unsigned count = 1);
    // Frames until the model has nothing left to work through (at most 300).
    void settle();

    // Each takes as many frames as a person would need. False: no such item, or out of sight.
    bool hover(std::string_view name, ImVec2 at = {0.5f, 0.5f});
    bool click(std::string_view name, MouseButton button = MouseButton::left,
               ImVec2 at = {0.5f, 0.5f});
    // From one place inside the item to another, as shares of its size.
    bool drag(std::string_view name, ImVec2 from, ImVec2 to,
              MouseButton button = MouseButton::left);
    bool wheel(std::string_view name, ImVec2 at, float steps);
    void move_away();  // Where it points at nothing.

    // A key of the key table, or "Enter", "Backspace", "Up", "Down". False: no such key.
    bool key(std::string_view name);
    void type(std::string_view text);

    [[nodiscard]] const Item* find(std::string_view name) const { return ui_.items->find(name); }
    [[nodiscard]] const ItemMap& items() const { return *ui_.items; }
    [[nodiscard]] Ui& ui() { return ui_; }

private:
    [[nodiscard]] bool place_of(std::string_view name, ImVec2 at, ImVec2& place) const;

    Ui& ui_;
    std::function<void()> draw_;
    ImVec2 mouse_{-1, -1};
    std::array<bool, 3> buttons_{};
    float wheel_ = 0;
    std::vector<unsigned> typed_;
    int key_ = -1;
    bool shift_ = false;
};

}  // namespace wt::viewer
