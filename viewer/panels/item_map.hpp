// SPDX-License-Identifier: MIT
//
// Where everything is that can be clicked or read, by name: "peers/row/17", "gate/fresh". Tests
// and scripts click names, not pixels. Filled anew in each frame, and only if somebody reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace wt::viewer {

struct Item {
    std::string name{};
    std::string text{};  // What it says, where it says something.
    ImVec2 min{};
    ImVec2 max{};
    bool is_label = false;  // Text, which must not lie over other text.
    int layer = 0;          // Overlays lie above the panels.

    [[nodiscard]] ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    [[nodiscard]] bool is_visible() const { return max.x > min.x && max.y > min.y; }
};

class ItemMap {
public:
    void begin_frame() { items_.clear(); }
    void add(Item item) { items_.push_back(std::move(item)); }

    // The last one of that name; nullptr if there is none in this frame.
    [[nodiscard]] const Item* find(std::string_view name) const {
        for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
            if (item->name == name) return &*item;
        }
        return nullptr;
    }
    [[nodiscard]] const std::vector<Item>& all() const { return items_; }

private:
    std::vector<Item> items_;
};

// Pairs of visible labels of one layer that cover each other by more than a pixel, in words.
[[nodiscard]] std::vector<std::string> overlapping_labels(const ItemMap& items);

}  // namespace wt::viewer
