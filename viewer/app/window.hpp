// SPDX-License-Identifier: MIT
//
// A GLFW window with OpenGL 3 and ImGui's backends for both. It draws when something happens, not
// at a rate of its own: a viewer must not take the cores that a simulation runs on.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "viewer/drive/driver.hpp"

struct GLFWwindow;

namespace wt::viewer {

class Window {
public:
    struct Options {
        int width = 1600;
        int height = 900;
        float scale = 0;  // 0: the monitor's.
        bool is_hidden = false;
    };

    Window() = default;
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // Empty, or why there is no window.
    [[nodiscard]] std::string open(Model& model, const Options& options);

    // Until the person closes it, or `is_done`. `is_busy`: something moves by itself, so draw 30
    // times a second.
    void run(const std::function<bool()>& is_busy, const std::function<bool()>& is_done = {});
    void draw();
    void resize(int width, int height);
    // Of what was drawn last. False: the file could not be written.
    [[nodiscard]] bool screenshot(const std::string& file);

    [[nodiscard]] Ui& ui() { return *ui_; }
    // For ui().items, where names are wanted.
    [[nodiscard]] ItemMap* item_map() { return &items_; }
    // While a hand drives, the mouse and the keyboard are the hand's.
    void drive(Driver* driver) { driver_ = driver; }
    // Called with a file that was dropped on the window.
    std::function<void(const std::string&)> on_drop{};

    // What GLFW's callbacks are handed.
    struct Awake {
        int draws_due = 3;
        std::vector<std::string> dropped{};
    };

private:
    void render();
    [[nodiscard]] ImTextureID upload(const Picture& picture);

    GLFWwindow* window_ = nullptr;
    ImGuiContext* context_ = nullptr;
    std::unique_ptr<Ui> ui_{};
    ItemMap items_{};
    Driver* driver_ = nullptr;
    std::vector<unsigned> textures_{};
    Awake awake_{};
};

}  // namespace wt::viewer
