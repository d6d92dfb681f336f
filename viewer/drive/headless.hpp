// SPDX-License-Identifier: MIT
//
// The viewer without a window: an ImGui context with a font atlas that is never uploaded. Time
// passes 1/60 s a frame, so two equal hands leave equal draw data.
#pragma once

#include <cstdint>
#include <memory>

#include "viewer/drive/driver.hpp"

namespace wt::viewer {

struct HeadlessOptions {
    ImVec2 size{1600, 900};
    float scale = 1;
    bool use_system_fonts = false;  // Else ImGui's own, which is the same everywhere.
};

class Headless {
public:
    explicit Headless(Model& model, const HeadlessOptions& options = {});
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    [[nodiscard]] Driver& driver() { return *driver_; }
    void resize(ImVec2 size);

    // A hash over all vertices, indices and commands of the last frame.
    [[nodiscard]] std::uint64_t draw_hash() const;
    [[nodiscard]] int vertices() const;

private:
    void draw();

    ImGuiContext* context_;
    ItemMap items_;
    Ui ui_;
    std::unique_ptr<Driver> driver_;
};

}  // namespace wt::viewer
