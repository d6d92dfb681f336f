// SPDX-License-Identifier: MIT
#include "viewer/app/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "simulator/gates/stopwatch.hpp"

namespace wt::viewer {

namespace {

// After something happened: ImGui needs a frame to see it and one to show it.
constexpr int draws_after_event = 3;

Window::Awake& awake_of(GLFWwindow* window) {
    return *static_cast<Window::Awake*>(glfwGetWindowUserPointer(window));
}

void wake(GLFWwindow* window) {
    awake_of(window).draws_due = draws_after_event;
}

void drop(GLFWwindow* window, int count, const char** paths) {
    for (int i = 0; i < count; ++i)
        awake_of(window).dropped.emplace_back(paths[i]);
    wake(window);
}

// Every kind of event means a few frames; ImGui's backend chains these.
void listen(GLFWwindow* window) {
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { wake(w); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { wake(w); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { wake(w); });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int, int, int, int) { wake(w); });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { wake(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { wake(w); });
    glfwSetWindowRefreshCallback(window, wake);
    glfwSetDropCallback(window, drop);
}

}  // namespace

Window::~Window() {
    if (context_ != nullptr) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext(context_);
    }
    if (window_ != nullptr) glfwDestroyWindow(window_);
    glfwTerminate();
}

std::string Window::open(Model& model, const Options& options) {
    glfwSetErrorCallback([](int, const char*) {});
    if (glfwInit() != GLFW_TRUE) return "no display";
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    glfwWindowHint(GLFW_VISIBLE, options.is_hidden ? GLFW_FALSE : GLFW_TRUE);
    window_ = glfwCreateWindow(options.width, options.height, "wavetank viewer", nullptr, nullptr);
    if (window_ == nullptr) return "no OpenGL 3";
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, &awake_);
    listen(window_);

    context_ = ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    float scale = options.scale;
    if (scale <= 0) {
        float across = 1;
        float down = 1;
        glfwGetWindowContentScale(window_, &across, &down);
        scale = std::clamp(across, 1.0f, 4.0f);
    }
    ui_ = std::make_unique<Ui>(Ui{.model = model});
    ui_->scale = scale;
    ui_->fonts = load_fonts(find_fonts(), scale);
    ui_->upload = [this](const Picture& picture) { return upload(picture); };
    set_style(scale);
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 130");
    return {};
}

ImTextureID Window::upload(const Picture& picture) {
    if (picture.slot >= textures_.size()) textures_.resize(picture.slot + 1, 0);
    unsigned& texture = textures_[picture.slot];
    if (texture == 0) glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, static_cast<int>(picture.width),
                 static_cast<int>(picture.height), 0, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels);
    // ImGui's texture id is a pointer in name only; the backend turns it back into the number.
    return reinterpret_cast<ImTextureID>(std::size_t{texture});
}

void Window::draw() {
    render();
    glfwSwapBuffers(window_);
}

void Window::render() {
    glfwPollEvents();
    const sim::Stopwatch watch;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    // Two frames within one tick of the clock would have no time between them.
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = std::clamp(io.DeltaTime, 0.001f, 0.1f);
    if (driver_ != nullptr) driver_->apply();
    ImGui::NewFrame();
    draw_frame(*ui_);
    ImGui::Render();
    ui_->frame_us = static_cast<std::uint64_t>(watch.wall_ns() / 1'000);
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(colour::background);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::run(const std::function<bool()>& is_busy, const std::function<bool()>& is_done) {
    while (glfwWindowShouldClose(window_) == GLFW_FALSE && !ui_->wants_close) {
        if (is_done && is_done()) return;
        const sim::Stopwatch watch;
        draw();
        // Of several files the last one stays open.
        for (const std::string& file : std::exchange(awake_.dropped, {})) {
            if (on_drop) on_drop(file);
        }
        if (awake_.draws_due > 0) --awake_.draws_due;
        const bool is_moving = is_busy() || !ui_->model.is_settled();
        if (awake_.draws_due > 0 && !is_moving) continue;
        // The rest of a thirtieth of a second; where drawing itself takes that long (software GL),
        // a third of what it took: the run needs the core more.
        constexpr double period = 1.0 / 30;
        const double drawn = static_cast<double>(watch.wall_ns()) / 1e9;
        const double rest = std::max(period - drawn, drawn / 3);
        glfwWaitEventsTimeout(is_moving ? rest : ImGui::GetIO().WantTextInput ? 0.4 : 5.0);
    }
}

void Window::resize(int width, int height) {
    glfwSetWindowSize(window_, width, height);
    // Without a window manager the new size comes with the next events.
    for (int i = 0; i < 5; ++i)
        draw();
}

bool Window::screenshot(const std::string& file) {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    render();
    std::vector<unsigned char> pixels(static_cast<std::size_t>(width) *
                                      static_cast<std::size_t>(height) * 3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    // Before the buffers change places: what is in front need not be ours to read.
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    glfwSwapBuffers(window_);
    stbi_flip_vertically_on_write(1);
    return stbi_write_png(file.c_str(), width, height, 3, pixels.data(), width * 3) != 0;
}

}  // namespace wt::viewer
