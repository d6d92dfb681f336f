// SPDX-License-Identifier: MIT
#include "viewer/model/commands.hpp"

#include "engine/base/check.hpp"

namespace wt::viewer {

namespace {

using C = Command;

// In the order of the enumeration: info_of indexes it.
constexpr CommandInfo commands[] = {
    {C::zoom_in, "zoom-in", "Look closer at the cursor", "W"},
    {C::zoom_out, "zoom-out", "Look from farther away", "S"},
    {C::pan_left, "pan-left", "Move the view to earlier", "A"},
    {C::pan_right, "pan-right", "Move the view to later", "D"},
    {C::zoom_to_range, "zoom-range", "Show the selected range", "z"},
    {C::whole_run, "whole-run", "Show the whole run", "r"},
    {C::focus, "focus", "Centre the cursor; again: fit the run", "f"},
    {C::follow, "follow", "Follow the live end", "F"},
    {C::next_record, "next-record", "Next record of this peer", "."},
    {C::previous_record, "previous-record", "Previous record of this peer", ","},
    {C::next_peer, "next-peer", "Next peer", "]"},
    {C::previous_peer, "previous-peer", "Previous peer", "["},
    {C::pin_peer, "pin", "Pin this peer to the plots, or take it off", "p"},
    {C::tick_left, "tick-left", "One tick earlier", "Left"},
    {C::tick_right, "tick-right", "One tick later", "Right"},
    {C::second_left, "second-left", "One second earlier", "Shift+Left"},
    {C::second_right, "second-right", "One second later", "Shift+Right"},
    {C::next_anomaly, "next-anomaly", "Next anomaly", "n"},
    {C::previous_anomaly, "previous-anomaly", "Previous anomaly", "N"},
    {C::next_difference, "next-difference", "Next difference of two traces", "x"},
    {C::previous_difference, "previous-difference", "Previous difference", "X"},
    {C::pause_view, "pause", "Hold the view still (the run goes on)", "Space"},
    {C::filter, "filter", "Filter peers and records", "/"},
    {C::palette, "palette", "All commands by name", ":"},
    {C::go_to, "go", "Go to a time, tick or record", "g"},
    {C::set_mark, "mark", "Set a mark at the cursor", "m"},
    {C::list_marks, "marks", "List the marks", "'"},
    {C::compare, "compare", "Compare with another trace", "c"},
    {C::export_selection, "export", "Export: the range as CSV, a live run's scenario", "e"},
    {C::layout_1, "layout-1", "Layout 1: the run at a glance", "1"},
    {C::layout_2, "layout-2", "Layout 2: one peer's messages", "2"},
    {C::layout_3, "layout-3", "Layout 3: a range in figures", "3"},
    {C::layout_4, "layout-4", "Layout 4: the world", "4"},
    {C::key_help, "keys", "All keys", "?"},
    {C::clear, "clear", "Close what is open; clear the selection", "Esc"},
    {C::live_run, "run", "Live: run or hold the simulation", "R"},
    {C::live_step, "step", "Live: one tick", "t"},
    {C::live_faster, "faster", "Live: twice as fast", "+"},
    {C::live_slower, "slower", "Live: half as fast", "-"},
    {C::live_fastest, "fastest", "Live: as fast as it goes", "*"},
    {C::live_restart, "restart", "Live: from the start, same seed", ""},
    {C::live_change_link, "change-link", "Live: change a link from now on", "L"},
    {C::open_start, "start", "Open a trace, run a scenario", "o"},
};

constexpr KeyBinding keys[] = {
    {"w", C::zoom_in},
    {"W", C::zoom_in},
    {"s", C::zoom_out},
    {"S", C::zoom_out},
    {"a", C::pan_left},
    {"A", C::pan_left},
    {"d", C::pan_right},
    {"D", C::pan_right},
    {"z", C::zoom_to_range},
    {"r", C::whole_run},
    {"f", C::focus},
    {"F", C::follow},
    {".", C::next_record},
    {",", C::previous_record},
    {"]", C::next_peer},
    {"[", C::previous_peer},
    {"p", C::pin_peer},
    {"Left", C::tick_left},
    {"Right", C::tick_right},
    {"Shift+Left", C::second_left},
    {"Shift+Right", C::second_right},
    {"n", C::next_anomaly},
    {"N", C::previous_anomaly},
    {"x", C::next_difference},
    {"X", C::previous_difference},
    {"Space", C::pause_view},
    {"/", C::filter},
    {":", C::palette},
    {"g", C::go_to},
    {"m", C::set_mark},
    {"'", C::list_marks},
    {"c", C::compare},
    {"e", C::export_selection},
    {"1", C::layout_1},
    {"2", C::layout_2},
    {"3", C::layout_3},
    {"4", C::layout_4},
    {"?", C::key_help},
    {"Esc", C::clear},
    {"R", C::live_run},
    {"t", C::live_step},
    {"+", C::live_faster},
    {"-", C::live_slower},
    {"*", C::live_fastest},
    {"L", C::live_change_link},
    {"o", C::open_start},
};

constexpr PointerHelp pointers[] = {
    {"wheel", "zoom at the pointer"},
    {"left drag", "select a range; its statistics follow"},
    {"right drag", "pan"},
    {"middle drag", "zoom to what was dragged over"},
    {"click", "put the cursor there; in a table, select"},
    {"right click on a value", "filter by it"},
    {"drag a border", "resize the panels"},
};

}  // namespace

std::span<const CommandInfo> command_table() {
    return commands;
}

const CommandInfo& info_of(Command command) {
    const CommandInfo& info = commands[static_cast<std::size_t>(command)];
    WT_CHECK(info.command == command);
    return info;
}

std::span<const KeyBinding> key_table() {
    return keys;
}

std::span<const PointerHelp> pointer_table() {
    return pointers;
}

}  // namespace wt::viewer
