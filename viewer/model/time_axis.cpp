// SPDX-License-Identifier: MIT
#include "viewer/model/time_axis.hpp"

#include <algorithm>

#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

// Steps of a time axis, in ns; beyond a minute people count in minutes.
constexpr std::int64_t time_steps[] = {100,
                                       200,
                                       500,
                                       1'000,
                                       2'000,
                                       5'000,
                                       10'000,
                                       20'000,
                                       50'000,
                                       100'000,
                                       200'000,
                                       500'000,
                                       1'000'000,
                                       2'000'000,
                                       5'000'000,
                                       10'000'000,
                                       20'000'000,
                                       50'000'000,
                                       100'000'000,
                                       200'000'000,
                                       500'000'000,
                                       1'000'000'000,
                                       2'000'000'000,
                                       5'000'000'000,
                                       10'000'000'000,
                                       20'000'000'000,
                                       30'000'000'000,
                                       60'000'000'000,
                                       120'000'000'000,
                                       300'000'000'000,
                                       600'000'000'000,
                                       1'200'000'000'000,
                                       3'600'000'000'000,
                                       7'200'000'000'000,
                                       21'600'000'000'000,
                                       86'400'000'000'000};

}  // namespace

void TimeAxis::set_whole(Range whole) {
    if (whole.length() < view_min) whole.to = whole.from + view_min;
    const bool showed_all = shows_all();
    const Duration length = view_.length();
    whole_ = whole;
    if (showed_all) {
        view_ = whole_;
    } else if (follows_) {
        show({whole_.to - length, whole_.to});
        follows_ = true;
    } else {
        show(view_);
    }
}

void TimeAxis::show(Range view) {
    const std::int64_t whole_ns = whole_.length().ns;
    const std::int64_t length = std::clamp(view.length().ns, view_min.ns, whole_ns);
    std::int64_t from = std::min(view.from.ns, whole_.to.ns - length);
    from = std::max(from, whole_.from.ns);
    view_ = {{from}, {from + length}};
    if (view_.to < whole_.to) follows_ = false;
}

void TimeAxis::show_all() {
    view_ = whole_;
}

void TimeAxis::zoom(Instant at, double factor) {
    const double length = static_cast<double>(view_.length().ns);
    const double left = static_cast<double>((at - view_.from).ns);
    const double longest = static_cast<double>(whole_.length().ns);
    const double wanted = std::clamp(length * factor, static_cast<double>(view_min.ns), longest);
    const double from = static_cast<double>(at.ns) - left / length * wanted;
    const std::int64_t start = static_cast<std::int64_t>(from);
    show({{start}, {start + static_cast<std::int64_t>(wanted)}});
}

void TimeAxis::pan(Duration by) {
    show({view_.from + by, view_.to + by});
}

void TimeAxis::follow(bool on) {
    follows_ = on;
    if (!on) return;
    show({whole_.to - view_.length(), whole_.to});
    follows_ = true;
}

void TimeAxis::reveal(Instant at) {
    if (view_.holds(at)) return;
    const Duration half = view_.length() / 2;
    show({at - half, at + half});
}

double TimeAxis::fraction_of(Instant at) const {
    return static_cast<double>((at - view_.from).ns) / static_cast<double>(view_.length().ns);
}

Instant TimeAxis::at_fraction(double fraction) const {
    const double offset = fraction * static_cast<double>(view_.length().ns);
    return view_.from + Duration{static_cast<std::int64_t>(offset)};
}

std::vector<AxisTick> axis_ticks(Range range, unsigned count_max) {
    std::vector<AxisTick> ticks;
    if (range.is_empty() || count_max == 0) return ticks;
    std::int64_t step = time_steps[std::size(time_steps) - 1];
    for (const std::int64_t candidate : time_steps) {
        if (range.length().ns / candidate > static_cast<std::int64_t>(count_max) - 1) continue;
        step = candidate;
        break;
    }
    std::int64_t first = range.from.ns / step * step;
    if (first < range.from.ns) first += step;
    for (std::int64_t at = first; at < range.to.ns && ticks.size() < count_max; at += step) {
        ticks.push_back({{at}, clock_text({at}, Duration{step})});
    }
    return ticks;
}

std::vector<std::int64_t> value_ticks(std::int64_t max, unsigned count_max) {
    std::vector<std::int64_t> ticks;
    if (max <= 0 || count_max == 0) return ticks;
    const std::int64_t wanted = max / static_cast<std::int64_t>(count_max);
    std::int64_t step = 1;
    // 1, 2, 5, 10, ...: the factors bring each decade back to a one.
    while (step < wanted && step < INT64_MAX / 10) {
        const std::int64_t decade = step;
        for (const std::int64_t factor : {2, 5, 10}) {
            step = decade * factor;
            if (step >= wanted) break;
        }
    }
    for (std::int64_t value = 0; value <= max - step; value += step)
        ticks.push_back(value);
    ticks.push_back((ticks.empty() ? 0 : ticks.back() + step));
    return ticks;
}

}  // namespace wt::viewer
