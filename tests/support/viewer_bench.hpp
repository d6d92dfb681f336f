// SPDX-License-Identifier: MIT
//
// A viewer without a window, with a trace opened in it, for tests that click by name.
#pragma once

#include <memory>
#include <string>

#include "tests/support/synthetic_trace.hpp"
#include "viewer/drive/headless.hpp"
#include "viewer/model/saved_source.hpp"

namespace wt::test {

inline std::unique_ptr<viewer::SavedSource> source_of(std::vector<std::uint8_t> bytes) {
    auto file = trace::TraceFile::parse(std::move(bytes));
    if (!file) return nullptr;
    return std::make_unique<viewer::SavedSource>(std::move(*file), "synthetic.wtrace");
}

struct ViewerBench {
    explicit ViewerBench(const SyntheticTrace& wanted = {}, ImVec2 size = {1600, 900}) {
        model.open(source_of(synthetic_bytes(wanted)), "");
        screen = std::make_unique<viewer::Headless>(model, viewer::HeadlessOptions{.size = size});
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
