// SPDX-License-Identifier: MIT
//
// A viewer without a window, with a trace opened in it, for tests that click by name.
#pragma once

#include <memory>
#include <string>

#include "tests/support/trace_source.hpp"
#include "viewer/drive/headless.hpp"

namespace wt::test {

struct ViewerBench {
    explicit ViewerBench(const SyntheticTrace& wanted = {}, ImVec2 size = {1600, 900},
                         float scale = 1) {
        model.open(source_of(wanted), "");
        screen = std::make_unique<viewer::Headless>(
            model, viewer::HeadlessOptions{.size = size, .scale = scale});
        screen->driver().settle();
    }

    [[nodiscard]] viewer::Driver& hand() { return screen->driver(); }
    // What an item says; empty if it is not to be seen.
    [[nodiscard]] std::string text(std::string_view name) {
        const viewer::Item* const item = hand().find(name);
        return item != nullptr && item->is_visible() ? item->text : std::string{};
    }
    [[nodiscard]] bool is_there(std::string_view name) {
        const viewer::Item* const item = hand().find(name);
        return item != nullptr && item->is_visible();
    }

    viewer::Model model{};
    std::unique_ptr<viewer::Headless> screen{};
};

}  // namespace wt::test
