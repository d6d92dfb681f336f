// SPDX-License-Identifier: MIT
#include "viewer/panels/keys.hpp"

#include <array>

#include "viewer/panels/panels.hpp"

namespace wt::viewer {

namespace {

struct NativeKey {
    std::string_view name;
    int code;  // As GLFW numbers it.
    ImGuiKey key;
};
constexpr std::array<NativeKey, 13> native_keys = {{
    {"Tab", 258, ImGuiKey_Tab},
    {"Left", 263, ImGuiKey_LeftArrow},
    {"Right", 262, ImGuiKey_RightArrow},
    {"Up", 265, ImGuiKey_UpArrow},
    {"Down", 264, ImGuiKey_DownArrow},
    {"PageUp", 266, ImGuiKey_PageUp},
    {"PageDown", 267, ImGuiKey_PageDown},
    {"Home", 268, ImGuiKey_Home},
    {"End", 269, ImGuiKey_End},
    {"Delete", 261, ImGuiKey_Delete},
    {"Backspace", 259, ImGuiKey_Backspace},
    {"Enter", 257, ImGuiKey_Enter},
    {"Esc", 256, ImGuiKey_Escape},
}};

bool is_typed(std::string_view key, ImWchar typed) {
    if (key == "Space") return typed == ' ';
    return key.size() == 1 && static_cast<ImWchar>(key[0]) == typed;
}

bool is_pressed(std::string_view key) {
    bool with_shift = false;
    if (key.starts_with("Shift+")) {
        with_shift = true;
        key.remove_prefix(6);
    }
    const int code = native_key(key);
    if (code < 0 || ImGui::GetIO().KeyShift != with_shift) return false;
    return ImGui::IsKeyPressed(code);
}

}  // namespace

int native_key(std::string_view name) {
    for (const NativeKey& key : native_keys) {
        if (key.name == name) return key.code;
    }
    return -1;
}

void map_native_keys() {
    for (const NativeKey& key : native_keys)
        ImGui::GetIO().KeyMap[key.key] = key.code;
}

void read_keys(Ui& ui) {
    ImGuiIO& io = ImGui::GetIO();
    // A box that is being typed into has all keys but the one that leaves it.
    const bool is_typing = io.WantTextInput;
    for (const KeyBinding& binding : key_table()) {
        if (native_key(std::string_view(binding.key).starts_with("Shift+")
                           ? std::string_view(binding.key).substr(6)
                           : std::string_view(binding.key)) >= 0) {
            const bool leaves = binding.command == Command::clear;
            if ((leaves || !is_typing) && is_pressed(binding.key)) ui.model.run(binding.command);
            continue;
        }
        if (is_typing) continue;
        for (const ImWchar typed : io.InputQueueCharacters) {
            if (is_typed(binding.key, typed)) ui.model.run(binding.command);
        }
    }
}

}  // namespace wt::viewer
