// SPDX-License-Identifier: MIT
//
// The plot widget: lines, bands, bars and stacks over the common time axis, with a gutter for the
// value labels, so that no line is ever drawn over a number. Data come as one value a column; a
// column's spike is its maximum and therefore never lost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/panels/time_area.hpp"

namespace wt::viewer {

struct PlotSpec {
    const char* name = "";   // Of its items: "plots/rtt".
    const char* title = "";  // Upper left corner.
    sim::Dimension dimension = sim::Dimension::count;
    float height = 90;
    bool has_time_labels = false;
    std::int64_t max = 1;                 // The largest value that will be drawn.
    std::optional<std::int64_t> bound{};  // A gate's: a line, and what lies over it is red.
};

class Plot {
public:
    // Takes its room in the window and draws ground, grid and labels.
    Plot(Ui& ui, const PlotSpec& spec);

    // `has` is empty or says which columns have a value.
    void band(std::span<const std::int64_t> low, std::span<const std::int64_t> high,
              std::span<const std::uint8_t> has, ImU32 fill);
    void line(std::span<const std::int64_t> values, std::span<const std::uint8_t> has, ImU32 ink,
              float thickness = 1.3f);
    // From the smallest to the largest value of each cell.
    void cells(std::span<const Cell> cells, ImU32 ink);
    void bars(std::span<const std::int64_t> values, ImU32 ink);

    // A word of the legend, upper right, and the value under the cursor beside it.
    void legend(std::string_view key, ImU32 ink, const std::string& value = {});

    // Bound, range and cursor, over everything.
    void finish();

    [[nodiscard]] const TimeArea& area() const { return area_; }
    // The column that an instant lies in, of `columns` over the view; -1: outside.
    [[nodiscard]] std::int64_t column_of(Instant at, std::size_t columns) const;

private:
    [[nodiscard]] float y_of(std::int64_t value) const;
    [[nodiscard]] float column_x(std::size_t column, std::size_t columns) const;

    Ui& ui_;
    PlotSpec spec_;
    TimeArea area_{};
    float top_ = 0;
    double max_ = 1;
    float legend_x_ = 0;
};

// Width of the gutter: the same for all plots, so that their axes line up.
[[nodiscard]] float plot_gutter(const Ui& ui);

}  // namespace wt::viewer
