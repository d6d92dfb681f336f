// SPDX-License-Identifier: MIT
#include "viewer/model/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace wt::viewer {

namespace {

std::int64_t worst_of(const SeriesGrid& grid, PeerIndex peer) {
    std::int64_t worst = 0;
    for (std::uint32_t column = 0; column < grid.columns(); ++column) {
        const Cell& cell = grid.at(peer, column);
        if (!cell.is_empty()) worst = std::max(worst, cell.max);
    }
    return worst;
}

// The next of 1, 1.5, 2, 3, 5, 7 times a power of ten.
std::int64_t round_up(std::int64_t value) {
    std::int64_t decade = 10;
    while (decade < value && decade < INT64_MAX / 100)
        decade *= 10;
    for (const std::int64_t tenths : {10, 15, 20, 30, 50, 70}) {
        const std::int64_t candidate = decade / 100 * tenths;
        if (candidate >= value && candidate > 0) return candidate;
    }
    return decade;
}

// "fighter-0..62" for neighbours of one group.
std::string label_of(const Source& source, const std::vector<PeerIndex>& peers) {
    const std::string& first = source.info().peers[peers.front()].name;
    if (peers.size() == 1) return first;
    const std::string& last = source.info().peers[peers.back()].name;
    const std::size_t dash = last.rfind('-');
    return first + ".." + (dash == std::string::npos ? last : last.substr(dash + 1));
}

}  // namespace

bool HeatMap::refresh(const Source& source, Range view, CellBudget& budget) {
    const RunInfo& info = source.info();
    const std::uint32_t columns = info.peers.size() > 1'024 ? columns_max / 2 : columns_max;
    const bool done = grid_.refresh(source,
                                    {.series = info.find_series(metric),
                                     .view = view,
                                     .columns = columns,
                                     .version = source.version()},
                                    budget);
    if (grid_.passes() == grid_seen_ && order == order_seen_) return done;
    grid_seen_ = grid_.passes();
    order_seen_ = order;
    make_rows(source);
    ++version_;
    return done;
}

void HeatMap::make_rows(const Source& source) {
    const std::vector<PeerInfo>& peers = source.info().peers;
    const std::size_t a_row = (grid_.peers() + rows_max - 1) / rows_max;
    rows_.clear();
    std::int64_t worst = 0;
    for (PeerIndex peer = first_bot; peer < grid_.peers(); ++peer) {
        const bool joins = !rows_.empty() && rows_.back().peers.size() < a_row &&
                           peers[rows_.back().peers.front()].group == peers[peer].group;
        if (!joins) rows_.emplace_back();
        rows_.back().peers.push_back(peer);
        rows_.back().worst = std::max(rows_.back().worst, worst_of(grid_, peer));
        worst = std::max(worst, rows_.back().worst);
    }
    for (HeatRow& row : rows_)
        row.label = label_of(source, row.peers);
    make_scale(worst);
    if (order == HeatOrder::worst) {
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](const HeatRow& a, const HeatRow& b) { return a.worst > b.worst; });
    }
}

void HeatMap::make_scale(std::int64_t worst) {
    scale_max_ = round_up(worst);
    // A sample is enough for where most of the cells begin.
    std::vector<std::int64_t> values;
    constexpr std::size_t values_max = 4'000;
    const std::size_t cells = static_cast<std::size_t>(grid_.peers()) * grid_.columns();
    const std::size_t step = cells / values_max + 1;
    for (std::size_t i = grid_.columns() * first_bot; i < cells; i += step) {
        const Cell& cell = grid_.at(static_cast<PeerIndex>(i / grid_.columns()),
                                    static_cast<std::uint32_t>(i % grid_.columns()));
        if (!cell.is_empty()) values.push_back(cell.max);
    }
    scale_min_ = 0;
    if (values.empty()) return;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 20);
    std::nth_element(values.begin(), place, values.end());
    // Two digits are enough, and hold still.
    std::int64_t unit = 1;
    while (unit * 100 < *place)
        unit *= 10;
    scale_min_ = std::max<std::int64_t>(0, *place / unit * unit);
    if (scale_min_ * 10 > scale_max_ * 9) scale_min_ = 0;
}

Cell HeatMap::at(std::size_t row, std::uint32_t column) const {
    Cell all;
    for (const PeerIndex peer : rows_[row].peers) {
        if (!grid_.at(peer, column).is_empty()) all.merge(grid_.at(peer, column));
    }
    return all;
}

std::size_t HeatMap::row_of(PeerIndex peer) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const std::vector<PeerIndex>& peers = rows_[row].peers;
        if (std::find(peers.begin(), peers.end(), peer) != peers.end()) return row;
    }
    return rows_.size();
}

std::vector<std::uint32_t> HeatMap::picture() const {
    std::vector<std::uint32_t> pixels;
    pixels.reserve(rows_.size() * columns());
    constexpr std::uint32_t nothing = 0xff1e1916;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        for (std::uint32_t column = 0; column < columns(); ++column) {
            const Cell cell = at(row, column);
            if (cell.is_empty() || scale_max_ == 0) {
                pixels.push_back(nothing);
                continue;
            }
            pixels.push_back(heat_colour(static_cast<double>(cell.max - scale_min_) /
                                         static_cast<double>(scale_max_ - scale_min_)));
        }
    }
    return pixels;
}

std::uint32_t heat_colour(double share) {
    struct Stop {
        double red, green, blue;
    };
    constexpr std::array<Stop, 6> stops = {{{30, 37, 51},
                                            {36, 68, 99},
                                            {38, 116, 132},
                                            {92, 168, 128},
                                            {208, 200, 110},
                                            {252, 240, 205}}};
    // A square root spreads the low end, where most of a healthy run is.
    const double root = std::sqrt(std::clamp(share, 0.0, 1.0));
    const double place = root * static_cast<double>(stops.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const double part = place - static_cast<double>(below);
    const auto mix = [&](double a, double b) {
        return static_cast<std::uint32_t>(a + (b - a) * part + 0.5);
    };
    const Stop& a = stops[below];
    const Stop& b = stops[below + 1];
    return 0xff000000u | mix(a.blue, b.blue) << 16 | mix(a.green, b.green) << 8 | mix(a.red, b.red);
}

}  // namespace wt::viewer
