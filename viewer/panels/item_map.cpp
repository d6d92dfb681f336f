// SPDX-License-Identifier: MIT
#include "viewer/panels/item_map.hpp"

#include <algorithm>

namespace wt::viewer {

std::vector<std::string> overlapping_labels(const ItemMap& items) {
    std::vector<const Item*> labels;
    for (const Item& item : items.all()) {
        if (item.is_label && item.is_visible() && !item.text.empty()) labels.push_back(&item);
    }
    // By their left edges, so that only neighbours are compared.
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Item* a, const Item* b) { return a->min.x < b->min.x; });
    std::vector<std::string> found;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (std::size_t j = i + 1; j < labels.size(); ++j) {
            const Item& a = *labels[i];
            const Item& b = *labels[j];
            if (b.min.x >= a.max.x - 1) break;
            const float height = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
            if (a.layer != b.layer || height <= 1) continue;
            found.push_back(a.name + " \"" + a.text + "\" over " + b.name + " \"" + b.text + "\"");
        }
    }
    return found;
}

}  // namespace wt::viewer
