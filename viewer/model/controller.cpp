// SPDX-License-Identifier: MIT
//
// What each command does. Without a run most of them do nothing, and none is an error.
#include "viewer/model/live_source.hpp"
#include "viewer/model/model.hpp"

namespace wt::viewer {

namespace {

constexpr double closer = 0.8;

void open_overlay(Model& model, Overlay overlay) {
    model.overlay = overlay;
    model.typed.clear();
    model.palette_row = 0;
    model.wants_typing = true;
}

}  // namespace

void Model::run(Command command) {
    using C = Command;
    const bool has_run = source_ != nullptr;
    switch (command) {
        case C::palette:
            return open_overlay(*this, Overlay::palette);
        case C::key_help:
            return open_overlay(*this,
                                overlay == Overlay::key_help ? Overlay::none : Overlay::key_help);
        case C::open_start:
            return open_overlay(*this, Overlay::start);
        case C::compare:
            return open_overlay(*this, Overlay::compare);
        case C::clear:
            if (overlay != Overlay::none) {
                overlay = Overlay::none;
            } else {
                selected_.reset();
                message_.clear();
            }
            return;
        case C::layout_1:
        case C::layout_2:
        case C::layout_3:
        case C::layout_4:
            return layouts.choose(static_cast<std::size_t>(command) -
                                  static_cast<std::size_t>(C::layout_1));
        default:
            if (has_run) run_with_source(command);
    }
}

void Model::run_with_source(Command command) {
    using C = Command;
    const Duration tick{info()->tick_ns};
    switch (command) {
        case C::zoom_in:
            return axis.zoom(axis.view().holds(cursor_) ? cursor_ : axis.at_fraction(0.5), closer);
        case C::zoom_out:
            return axis.zoom(axis.view().holds(cursor_) ? cursor_ : axis.at_fraction(0.5),
                             1 / closer);
        case C::pan_left:
            return axis.pan({-axis.view().length().ns / 5});
        case C::pan_right:
            return axis.pan({axis.view().length().ns / 5});
        case C::zoom_to_range:
            if (selected_) axis.show(*selected_);
            return;
        case C::whole_run:
            return axis.show_all();
        case C::focus:
            return focus();
        case C::follow:
            return axis.follow(!axis.follows());
        case C::next_record:
            return step_record(1);
        case C::previous_record:
            return step_record(-1);
        case C::next_peer:
            return select_peer(peers.neighbour(peer_, 1));
        case C::previous_peer:
            return select_peer(peers.neighbour(peer_, -1));
        case C::pin_peer:
            return toggle_pin(peer_);
        case C::tick_left:
            return move_cursor({-tick.ns});
        case C::tick_right:
            return move_cursor(tick);
        case C::second_left:
            return move_cursor(Duration::seconds(-1));
        case C::second_right:
            return move_cursor(Duration::seconds(1));
        case C::next_anomaly:
            return step_anomaly(1);
        case C::previous_anomaly:
            return step_anomaly(-1);
        case C::next_difference:
            return step_difference(1);
        case C::previous_difference:
            return step_difference(-1);
        case C::pause_view:
            is_held_ = !is_held_;
            return;
        case C::filter:
            wants_filter = true;
            return;
        case C::go_to:
            return open_overlay(*this, Overlay::go_to);
        case C::set_mark:
            return mark_here();
        case C::list_marks:
            return open_overlay(*this, Overlay::marks);
        case C::export_selection:
            return export_range();
        default:
            return run_live(command);
    }
}

void Model::run_live(Command command) {
    using C = Command;
    LiveSource* const run = live();
    if (run == nullptr) return;
    switch (command) {
        case C::live_run:
            return run->toggle_running();
        case C::live_step:
            return run->step_tick();
        case C::live_faster:
            return run->scale_speed(2);
        case C::live_slower:
            return run->scale_speed(0.5);
        case C::live_fastest:
            return run->set_speed(0);
        case C::live_restart:
            return run->restart();
        case C::live_change_link:
            if (typed_link.empty() && !run->scenario().links.empty())
                typed_link = run->scenario().links.front().name;
            return open_overlay(*this, Overlay::change_link);
        default:
            return;
    }
}

}  // namespace wt::viewer
