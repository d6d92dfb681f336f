// SPDX-License-Identifier: MIT
#include "viewer/model/commands.hpp"

#include "engine/base/check.hpp"

namespace wt::viewer {

namespace {

using Id = Command;

// In the order of the enumeration: info_of indexes it.
constexpr CommandInfo commands[] = {
    {Id::zoom_in, "zoom-in", "Look closer at the cursor", "W"},
    {Id::zoom_out, "zoom-out", "Look from farther away", "S"},
    {Id::pan_left, "pan-left", "Move the view to earlier", "A"},
    {Id::pan_right, "pan-right", "Move the view to later", "D"},
    {Id::zoom_to_range, "zoom-range", "Show the selected range", "z"},
    {Id::whole_run, "whole-run", "Show the whole run", "r"},
    {Id::focus, "focus", "Centre the cursor; again: fit the run", "f"},
    {Id::follow, "follow", "Follow the live end", "F"},
    {Id::next_record, "next-record", "Next record of this peer", "."},
    {Id::previous_record, "previous-record", "Previous record of this peer", ","},
    {Id::next_peer, "next-peer", "Next peer", "]"},
    {Id::previous_peer, "previous-peer", "Previous peer", "["},
    {Id::pin_peer, "pin", "Pin this peer to the plots, or take it off", "p"},
    {Id::tick_left, "tick-left", "One tick earlier", "Left"},
    {Id::tick_right, "tick-right", "One tick later", "Right"},
    {Id::second_left, "second-left", "One second earlier", "Shift+Left"},
    {Id::second_right, "second-right", "One second later", "Shift+Right"},
    {Id::next_anomaly, "next-anomaly", "Next anomaly", "n"},
    {Id::previous_anomaly, "previous-anomaly", "Previous anomaly", "N"},
    {Id::next_difference, "next-difference", "Next difference of two traces", "x"},
    {Id::previous_difference, "previous-difference", "Previous difference", "X"},
    {Id::pause_view, "pause", "Hold the view still (the run goes on)", "Space"},
    {Id::filter, "filter", "Filter peers and records", "/"},
    {Id::palette, "palette", "All commands by name", ":"},
    {Id::go_to, "go", "Go to a time, tick or record", "g"},
    {Id::set_mark, "mark", "Set a mark at the cursor", "m"},
    {Id::list_marks, "marks", "List the marks", "'"},
    {Id::compare, "compare", "Compare with another trace", "c"},
    {Id::export_selection, "export", "Export: the range as CSV, a live run's scenario", "e"},
    {Id::layout_1, "layout-1", "Layout 1: the run at a glance", "1"},
    {Id::layout_2, "layout-2", "Layout 2: one peer's messages", "2"},
    {Id::layout_3, "layout-3", "Layout 3: a range in figures", "3"},
    {Id::layout_4, "layout-4", "Layout 4: the world", "4"},
    {Id::key_help, "keys", "All keys", "?"},
    {Id::clear, "clear", "Close what is open; clear the selection", "Esc"},
    {Id::live_run, "run", "Live: run or hold the simulation", "R"},
    {Id::live_step, "step", "Live: one tick", "t"},
    {Id::live_faster, "faster", "Live: twice as fast", "+"},
    {Id::live_slower, "slower", "Live: half as fast", "-"},
    {Id::live_fastest, "fastest", "Live: as fast as it goes", "*"},
    {Id::live_restart, "restart", "Live: from the start, same seed", "T"},
    {Id::live_change_link, "change-link", "Live: change a link from now on", "L"},
    {Id::open_start, "start", "Open a trace, run a scenario", "o"},
};

constexpr KeyBinding keys[] = {
    {"w", Id::zoom_in},
    {"W", Id::zoom_in},
    {"s", Id::zoom_out},
    {"S", Id::zoom_out},
    {"a", Id::pan_left},
    {"A", Id::pan_left},
    {"d", Id::pan_right},
    {"D", Id::pan_right},
    {"z", Id::zoom_to_range},
    {"r", Id::whole_run},
    {"f", Id::focus},
    {"F", Id::follow},
    {".", Id::next_record},
    {",", Id::previous_record},
    {"]", Id::next_peer},
    {"[", Id::previous_peer},
    {"p", Id::pin_peer},
    {"Left", Id::tick_left},
    {"Right", Id::tick_right},
    {"Shift+Left", Id::second_left},
    {"Shift+Right", Id::second_right},
    {"n", Id::next_anomaly},
    {"N", Id::previous_anomaly},
    {"x", Id::next_difference},
    {"X", Id::previous_difference},
    {"Space", Id::pause_view},
    {"/", Id::filter},
    {":", Id::palette},
    {"g", Id::go_to},
    {"m", Id::set_mark},
    {"'", Id::list_marks},
    {"c", Id::compare},
    {"e", Id::export_selection},
    {"1", Id::layout_1},
    {"2", Id::layout_2},
    {"3", Id::layout_3},
    {"4", Id::layout_4},
    {"?", Id::key_help},
    {"Esc", Id::clear},
    {"R", Id::live_run},
    {"t", Id::live_step},
    {"+", Id::live_faster},
    {"-", Id::live_slower},
    {"*", Id::live_fastest},
    {"T", Id::live_restart},
    {"L", Id::live_change_link},
    {"o", Id::open_start},
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
