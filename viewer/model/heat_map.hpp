// SPDX-License-Identifier: MIT
//
// All peers at a glance: one row a peer (or a few neighbours, where there are more peers than
// rows), one column a stretch of time, the colour the largest value in it. One stripe is one
// peer's trouble; a vertical band is everybody's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/series_grid.hpp"

namespace wt::viewer {

struct HeatRow {
    std::vector<PeerIndex> peers{};
    std::int64_t worst = 0;
    std::string label{};  // "fighter-17", or "fighter-0..62".
};

enum class HeatOrder : std::uint8_t { name, worst };

class HeatMap {
public:
    static constexpr std::size_t rows_max = 256;
    static constexpr std::uint32_t columns_max = 240;

    // What is shown.
    std::string metric = "snapshot_age";
    HeatOrder order = HeatOrder::worst;

    // Works through what has changed; the picture is new if version() is.
    // True when nothing is left to do.
    bool refresh(const Source& source, Range view, CellBudget& budget);

    [[nodiscard]] const std::vector<HeatRow>& rows() const { return rows_; }
    [[nodiscard]] std::uint32_t columns() const { return grid_.columns(); }
    // All peers of a row together.
    [[nodiscard]] Cell at(std::size_t row, std::uint32_t column) const;
    // Row of a peer, or rows().size().
    [[nodiscard]] std::size_t row_of(PeerIndex peer) const;
    // What the darkest and the brightest colour mean: the 5th percentile of all cells and their
    // largest, rounded, so that the scale does not flicker from frame to frame.
    [[nodiscard]] std::int64_t scale_min() const { return scale_min_; }
    [[nodiscard]] std::int64_t scale_max() const { return scale_max_; }
    [[nodiscard]] std::uint64_t version() const { return version_; }
    [[nodiscard]] int series() const { return grid_.aim().series; }

    // columns() x rows() pixels, 0xAABBGGRR, row by row from the top.
    [[nodiscard]] std::vector<std::uint32_t> picture() const;

private:
    void make_rows(const Source& source);
    void make_scale(std::int64_t worst);

    SeriesGrid grid_;
    std::vector<HeatRow> rows_;
    std::uint64_t grid_seen_ = 0;
    HeatOrder order_seen_ = HeatOrder::worst;
    std::int64_t scale_min_ = 0;
    std::int64_t scale_max_ = 0;
    std::uint64_t version_ = 0;
};

// Dark to bright over [0, 1]; never red, which means a broken gate and nothing else.
[[nodiscard]] std::uint32_t heat_colour(double share);

}  // namespace wt::viewer
