// SPDX-License-Identifier: MIT
//
// The one time axis of all panels: what of the run is in view. Zooming keeps the instant under the
// pointer where it is; the view never leaves the run and never gets shorter than a microsecond.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

class TimeAxis {
public:
    static constexpr Duration view_min = Duration::micros(1);

    // The run has grown, or another one was opened. A view that follows keeps its length and ends
    // with the run; one that shows everything goes on doing so.
    void set_whole(Range whole);

    void show(Range view);
    void show_all();
    // factor < 1 looks closer.
    void zoom(Instant at, double factor);
    void pan(Duration by);
    void follow(bool on);
    // Moves the view so far that `at` is in it.
    void reveal(Instant at);

    [[nodiscard]] Range whole() const { return whole_; }
    [[nodiscard]] Range view() const { return view_; }
    [[nodiscard]] bool follows() const { return follows_; }
    [[nodiscard]] bool shows_all() const { return view_ == whole_; }
    // Where in the view an instant lies: 0 its beginning, 1 its end; outside beyond these.
    [[nodiscard]] double fraction_of(Instant at) const;
    [[nodiscard]] Instant at_fraction(double fraction) const;

private:
    Range whole_{{0}, {1'000'000'000}};
    Range view_{{0}, {1'000'000'000}};
    bool follows_ = false;
};

struct AxisTick {
    Instant at{};
    std::string label{};
};

// Round instants inside the range, at most `count_max` of them, with labels that tell neighbours
// apart.
[[nodiscard]] std::vector<AxisTick> axis_ticks(Range range, unsigned count_max);

// Round values from 0 up to `max` in base units: steps of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<std::int64_t> value_ticks(std::int64_t max, unsigned count_max);

}  // namespace wt::viewer
