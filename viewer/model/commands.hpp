// SPDX-License-Identifier: MIT
//
// Everything a person can tell the viewer without pointing at something, and the keys for it, as
// one table: the key help, the command palette, the scripts and the tests all read it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wt::viewer {

enum class Command : std::uint8_t {
    zoom_in,
    zoom_out,
    pan_left,
    pan_right,
    zoom_to_range,
    whole_run,
    focus,
    follow,
    next_record,
    previous_record,
    next_peer,
    previous_peer,
    pin_peer,
    tick_left,
    tick_right,
    second_left,
    second_right,
    next_anomaly,
    previous_anomaly,
    next_difference,
    previous_difference,
    pause_view,
    filter,
    palette,
    go_to,
    set_mark,
    list_marks,
    compare,
    export_selection,
    layout_1,
    layout_2,
    layout_3,
    layout_4,
    key_help,
    clear,
    live_run,
    live_step,
    live_faster,
    live_slower,
    live_fastest,
    live_restart,
    live_change_link,
    open_start,
};

struct CommandInfo {
    Command command{};
    const char* name = "";   // For scripts: "zoom-in".
    const char* title = "";  // For people.
    const char* keys = "";   // As the help shows them; empty: palette only.
};
[[nodiscard]] std::span<const CommandInfo> command_table();
[[nodiscard]] const CommandInfo& info_of(Command command);

// A key is a character as typed ("n" and "N" differ, whatever the keyboard makes of Shift), or the
// name of a key that types none: "Left", "Shift+Left", "Esc". What is used with the pointer has
// rows in the help, but no key here.
struct KeyBinding {
    const char* key = "";
    Command command{};
};
[[nodiscard]] std::span<const KeyBinding> key_table();

struct PointerHelp {
    const char* gesture = "";
    const char* does = "";
};
[[nodiscard]] std::span<const PointerHelp> pointer_table();

}  // namespace wt::viewer
