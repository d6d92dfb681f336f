// SPDX-License-Identifier: MIT
#include "viewer/drive/driver.hpp"

#include <cmath>

#include "viewer/model/live_source.hpp"
#include "viewer/panels/keys.hpp"

namespace wt::viewer {

Driver::Driver(Ui& ui, std::function<void()> draw) : ui_(ui), draw_(std::move(draw)) {}

void Driver::apply() {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = mouse_;
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        io.MouseDown[i] = buttons_[i];
    io.MouseWheel = wheel_;
    wheel_ = 0;
    for (const unsigned typed : typed_)
        io.AddInputCharacter(typed);
    typed_.clear();
    for (bool& down : io.KeysDown)
        down = false;
    if (key_ >= 0) io.KeysDown[key_] = true;
    io.KeyShift = shift_;
}

void Driver::frame(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        draw_();
}

void Driver::settle() {
    constexpr unsigned frames_max = 300;
    // A run that goes on never settles.
    LiveSource* const live = ui_.model.live();
    if (live != nullptr && !live->state().is_over) return frame(8);
    // Two more, so that what panels asked for in the last one is there as well.
    frame(2);
    for (unsigned i = 0; i < frames_max && !ui_.model.is_settled(); ++i)
        frame();
    frame(2);
}

bool Driver::place_of(std::string_view name, ImVec2 at, ImVec2& place) const {
    const Item* const item = find(name);
    if (item == nullptr || !item->is_visible()) return false;
    place = {std::floor(item->min.x + (item->max.x - item->min.x - 1) * at.x) + 0.5f,
             std::floor(item->min.y + (item->max.y - item->min.y - 1) * at.y) + 0.5f};
    return true;
}

bool Driver::hover(std::string_view name, ImVec2 at) {
    ImVec2 place;
    if (!place_of(name, at, place)) return false;
    mouse_ = place;
    frame(2);
    return true;
}

bool Driver::click(std::string_view name, MouseButton button, ImVec2 at) {
    if (!hover(name, at)) return false;
    buttons_[static_cast<std::size_t>(button)] = true;
    frame();
    buttons_[static_cast<std::size_t>(button)] = false;
    frame(2);
    return true;
}

bool Driver::drag(std::string_view name, ImVec2 from, ImVec2 to, MouseButton button) {
    ImVec2 start;
    ImVec2 end;
    if (!place_of(name, from, start) || !place_of(name, to, end)) return false;
    mouse_ = start;
    frame(2);
    buttons_[static_cast<std::size_t>(button)] = true;
    frame();
    constexpr int steps = 4;
    for (int i = 1; i <= steps; ++i) {
        const float share = static_cast<float>(i) / steps;
        mouse_ = {start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share};
        frame();
    }
    buttons_[static_cast<std::size_t>(button)] = false;
    frame(2);
    return true;
}

bool Driver::wheel(std::string_view name, ImVec2 at, float steps) {
    if (!hover(name, at)) return false;
    wheel_ = steps;
    frame(2);
    return true;
}

void Driver::move_away() {
    mouse_ = {-1, -1};
    frame(2);
}

bool Driver::key(std::string_view name) {
    std::string_view bare = name;
    if (bare.starts_with("Shift+")) {
        shift_ = true;
        bare.remove_prefix(6);
    }
    const int code = native_key(bare);
    if (code >= 0) {
        key_ = code;
    } else if (bare == "Space") {
        typed_.push_back(' ');
    } else if (bare.size() == 1) {
        typed_.push_back(static_cast<unsigned char>(bare[0]));
    } else {
        shift_ = false;
        return false;
    }
    frame();
    key_ = -1;
    shift_ = false;
    frame(2);
    return true;
}

void Driver::type(std::string_view text) {
    for (const char c : text) {
        typed_.push_back(static_cast<unsigned char>(c));
        frame();
    }
    frame();
}

}  // namespace wt::viewer
